/** `npm run backup -- <folder>`: writes a backup of the installation's database to a new folder, also while Tidings runs. See docs/operations.md. */
import { writeBackup } from '#server/platform/backup/backup.ts';
import { findDatabase } from './installation-database.ts';

const folder = process.argv[2];
try {
  if (folder === undefined || process.argv.length > 3)
    throw new Error('Name one new folder: npm run backup -- <folder>');
  const started = performance.now();
  const { urls, stop } = await findDatabase();
  try {
    const { tables, takenAt } = await writeBackup(urls.owner, folder, new Date());
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `The backup of ${takenAt} is in ${folder}, and was read back: ${tables.length} tables, ${rows.toLocaleString('en-US')} rows, ${seconds} s.`,
    );
    console.log(
      'It has the data of patients, unencrypted. Keep the key of stored secrets (secret.key) in another place.',
    );
  } finally {
    await stop();
  }
} catch (error) {
  console.error(`There is no backup: ${(error as Error).message}`);
  process.exitCode = 1;
}
