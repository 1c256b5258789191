/** `npm run restore -- <folder>`: restores a backup into an empty database. Tidings must not run. See docs/operations.md. */
import { readConfig } from '#server/config.ts';
import { restoreBackup } from '#server/platform/backup/restore.ts';
import { startEmbedded } from '#server/platform/database/embedded.ts';
import { ensureRoles } from '#server/platform/database/roles.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** Starts the embedded database, unless DATABASE_URL names one. */
async function openTarget(): Promise<{ owner: string; stop: () => Promise<void> }> {
  const { databaseUrl, dataDir } = readConfig({ ...process.env, TIDINGS_ROLES: 'worker' });
  if (databaseUrl !== undefined) return { owner: (await ensureRoles(databaseUrl)).owner, stop: async () => {} };
  const { adminUrl, stop } = await startEmbedded({ dataDir, log: quiet });
  try {
    return { owner: (await ensureRoles(adminUrl, 'tidings')).owner, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const folder = process.argv[2];
try {
  if (folder === undefined || process.argv.length > 3)
    throw new Error('Name the folder of a backup: npm run restore -- <folder>');
  const started = performance.now();
  const { owner, stop } = await openTarget();
  try {
    const { tables, takenAt } = await restoreBackup(owner, folder);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `The backup of ${takenAt} is restored: ${tables.length} tables, ${rows.toLocaleString('en-US')} rows, each table equal by checksum, ${seconds} s.`,
    );
    console.log('Before the start, put the key of stored secrets (secret.key) of that installation in its place.');
  } finally {
    await stop();
  }
} catch (error) {
  console.error(`Nothing was restored: ${(error as Error).message}`);
  process.exitCode = 1;
}
