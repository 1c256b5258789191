/** A process that is started with the address of a replica. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startApp } from './app.ts';
import { readConfig } from './config.ts';
import { createLog } from './platform/http/log.ts';
import { replicatedDatabase } from './testing/standby.ts';
import { startTemporaryPostgres } from './testing/temporary-postgres.ts';

const { database, standby } = await replicatedDatabase();

const start = (replica: string) => {
  const { port } = new URL(replica);
  const config = readConfig({
    PORT: '0',
    TIDINGS_ROLES: 'web',
    TIDINGS_SECRET_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: database.adminUrl,
    DATABASE_REPLICA_URL: `postgres://127.0.0.1:${port}`,
  });
  return startApp({ config, urls: database.urls, log: createLog('silent'), webRoot: import.meta.dirname });
};

test('a process reads from the replica, says so, and starts without it', async () => {
  for (const state of ['in use', 'out of use']) {
    const app = await start(standby.adminUrl);
    const ready = async () => (await fetch(`${app.url}/readyz`)).json();
    await expect.poll(ready, { timeout: 10_000 }).toEqual({ status: 'ready', replica: state });
    await app.stop();
    await standby.stop();
  }
});

test('a process does not start with a replica that has the data of another server', async () => {
  const other = await startTemporaryPostgres();
  onTestFinished(other.stop);
  const admin = new pg.Client({ connectionString: other.adminUrl });
  await admin.connect();
  const password = pg.escapeLiteral(new URL(database.urls.app).password);
  await admin.query(`create role tidings_app login password ${password}`);
  await admin.query('create database tidings');
  await admin.end();
  await expect(start(other.adminUrl)).rejects.toThrow(
    /^DATABASE_REPLICA_URL must be a hot standby of DATABASE_URL's server, but it has the data of another server$/,
  );
});
