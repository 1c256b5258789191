import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { type Database, openDatabase } from '#server/platform/database/pool.ts';
import { ensureRoles, type RoleUrls, roleUrls } from '#server/platform/database/roles.ts';

export type TestDatabase = {
  urls: RoleUrls;
  /** The superuser's URL. */
  adminUrl: string;
  /** The connection pool of each role. */
  owner: Database;
  app: Database;
  pipeline: Database;
};

/**
 * Creates an empty database, migrated unless `isMigrated` is false. Call it at the top of a test file; the database is dropped after the file's last
 * test.
 */
export async function testDatabase({ isMigrated = true } = {}): Promise<TestDatabase> {
  const { adminUrl, template } = inject('testPostgres');
  const name = `tidings_test_${randomBytes(6).toString('hex')}`;
  await asAdmin(adminUrl, `create database ${name}${isMigrated ? ` template ${template} strategy file_copy` : ''}`);
  // A copy has the template's schemas, and roles are of the whole server.
  const urls = isMigrated ? roleUrls(adminUrl, name) : await ensureRoles(adminUrl, name);
  const open = (role: keyof RoleUrls) => openDatabase(urls[role], { max: 5, applicationName: `test ${role}` });
  const opened = { owner: open('owner'), app: open('app'), pipeline: open('pipeline') };
  afterAll(async () => {
    await Promise.all(Object.values(opened).map((database) => database.close()));
    await asAdmin(adminUrl, `drop database if exists ${name} with (force)`);
  });
  const ownUrl = new URL(adminUrl);
  ownUrl.pathname = `/${name}`;
  return { urls, adminUrl: ownUrl.href, ...opened };
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
