import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '#server/platform/database/embedded.ts';

/** Trades durability for speed, because the data is temporary. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';

/** In bytes. Five times what the databases of three files that run at once take. */
const ENOUGH = 2 * 2 ** 30;

/**
 * Returns where the server's files go: into memory if there is enough. A disk's file system takes a quarter of the processor time of the
 * integration tests to create and delete the thousand files of each database.
 */
async function parentFolder(settings: Record<string, string>): Promise<string> {
  if (settings !== FAST) return tmpdir();
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(free, freemem()) > ENOUGH ? MEMORY : tmpdir();
}

/**
 * Starts PostgreSQL in a temporary folder, which is deleted when the server stops. `binaries` is a folder of PostgreSQL programs;
 * the default is the embedded ones. With `settings` of `{}` it is as durable as in production, on the disk.
 */
export async function startTemporaryPostgres(
  binaries?: string,
  settings: Record<string, string> = FAST,
): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(await parentFolder(settings), 'tidings-test-'));
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
