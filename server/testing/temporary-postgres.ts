import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '#server/platform/database/embedded.ts';

/** Trades durability for speed, because the data is temporary. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

/**
 * Starts PostgreSQL in a temporary folder, which is deleted when the server stops. `binaries` is a folder of PostgreSQL programs;
 * the default is the embedded ones. With `settings` of `{}` it is as durable as in production.
 */
export async function startTemporaryPostgres(
  binaries?: string,
  settings: Record<string, string> = FAST,
): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tidings-test-'));
  // As root, the server runs under another account, which must be able to enter, or the data would go to /var/lib.
  await chmod(dataDir, 0o711);
  const quiet = { info: () => {}, warn: () => {}, error: console.error };
  const server = await startEmbedded({ dataDir, log: quiet, settings, ...(binaries ? { binaries } : {}) });
  return {
    adminUrl: server.adminUrl,
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
