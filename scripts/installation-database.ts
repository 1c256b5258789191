/** The database of an installation, for commands beside the server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '#server/config.ts';
import { runningUrl, startEmbedded } from '#server/platform/database/embedded.ts';
import { type RoleUrls, roleUrls } from '#server/platform/database/roles.ts';

/**
 * Returns the URLs of the installation's database and how to leave it as it was. Starts the embedded one if Tidings is not running. Throws if
 * there is none.
 */
export async function findDatabase(): Promise<{ urls: RoleUrls; stop: () => Promise<void> }> {
  // A command serves no web, so it needs no key of stored secrets.
  const { databaseUrl, dataDir } = readConfig({ ...process.env, TIDINGS_ROLES: 'worker' });
  const stop = async () => {};
  if (databaseUrl !== undefined) return { urls: roleUrls(databaseUrl), stop };
  const running = runningUrl(dataDir);
  if (running !== null) return { urls: roleUrls(running, 'tidings'), stop };
  if (!existsSync(join(dataDir, 'postgres.password'))) throw new Error(`There is no database in ${dataDir}`);
  const quiet = { info: () => {}, warn: () => {}, error: () => {} };
  const embedded = await startEmbedded({ dataDir, log: quiet });
  return { urls: roleUrls(embedded.adminUrl, 'tidings'), stop: embedded.stop };
}
