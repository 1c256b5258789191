import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '#server/platform/database/embedded.ts';

/** Durability given for speed: what is in here is thrown away anyway. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

/**
 * A PostgreSQL in a temporary folder, gone when it is stopped; of the programs in the folder `binaries`, else the embedded one.
 * With `settings` of `{}` it is as durable as in production.
 */
export async function startTemporaryPostgres(
  binaries?: string,
  settings: Record<string, string> = FAST,
): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tidings-test-'));
  // As root the server runs under another account, which has to get in; else its data would go to /var/lib.
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
