import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTemporaryPostgres } from '#server/testing/temporary-postgres.ts';
import { isMigrated, migrate } from './migrate.ts';
import { openDatabase } from './pool.ts';
import { ensureRoles } from './roles.ts';

// A server of its own, because roles belong to a whole server and must not exist yet here.
let server: Awaited<ReturnType<typeof startTemporaryPostgres>>;

beforeAll(async () => {
  server = await startTemporaryPostgres(process.env.TIDINGS_TEST_POSTGRES || undefined);
  await run(
    server.adminUrl,
    `create role limited login createrole password 'limited'; create role weak login password 'weak'`,
  );
  await run(server.adminUrl, 'create database ours');
  await run(server.adminUrl, 'grant create on database ours to limited');
});

afterAll(async () => {
  await server.stop();
});

function as(user: string, database: string): string {
  const url = new URL(server.adminUrl);
  Object.assign(url, { username: user, password: user, pathname: `/${database}` });
  return url.href;
}

async function run(url: string, text: string) {
  const database = openDatabase(url, { max: 1 });
  try {
    return (await database.query(text)).rows;
  } finally {
    await database.close();
  }
}

describe('setting up a database', () => {
  test('reports which rights the user lacks', async () => {
    await expect(ensureRoles(as('weak', 'ours'))).rejects.toThrow(
      /'weak' of DATABASE_URL .* needs CREATEROLE and CREATE/,
    );
    await expect(ensureRoles(as('weak', 'new'))).rejects.toThrow(/'new' does not exist and cannot be created/);
  });

  test('needs a password to derive the roles’ passwords from', async () => {
    await expect(ensureRoles('postgres://someone@127.0.0.1/ours')).rejects.toThrow(/has no password/);
  });

  test('does not need a superuser: the rights to create roles and schemas are enough', async () => {
    const urls = await ensureRoles(as('limited', 'ours'));
    expect(await migrate(urls.owner)).toContain('0000_roles.sql');
    expect(await migrate(urls.owner)).toEqual([]);
    const app = openDatabase(urls.app, { max: 1 });
    expect(await isMigrated(app)).toBe(true);
    await app.close();
    expect(await run(urls.app, 'select current_user, current_schema()')).toEqual([
      { current_user: 'tidings_app', current_schema: 'tidings' },
    ]);
    expect(await ensureRoles(as('limited', 'ours'))).toEqual(urls);
  });

  test('changes the roles’ passwords when the administrator’s has changed', async () => {
    await run(server.adminUrl, `alter role limited password 'changed'`);
    const url = new URL(as('limited', 'ours'));
    url.password = 'changed';
    const urls = await ensureRoles(url.href);
    expect(await run(urls.pipeline, 'select 1 as one')).toEqual([{ one: 1 }]);
    await run(server.adminUrl, `alter role limited password 'limited'`);
  });

  test('works from several processes at once', async () => {
    const each = await Promise.all([1, 2, 3, 4].map(() => ensureRoles(server.adminUrl, 'together')));
    expect(new Set(each.map((urls) => urls.owner)).size).toBe(1);
    const applied = await Promise.all(each.map((urls) => migrate(urls.owner)));
    expect(applied.flat().filter((name) => name === '0000_roles.sql')).toEqual(['0000_roles.sql']);
  });
});

describe('a migration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-migrations-'));
  let owner: string;

  beforeAll(async () => {
    cpSync(join(import.meta.dirname, 'migrations'), folder, { recursive: true });
    owner = (await ensureRoles(server.adminUrl, 'migrated')).owner;
    await migrate(owner, folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('that fails changes nothing, and the error names its line', async () => {
    writeFileSync(
      join(folder, '9001_broken.sql'),
      'create table tidings.half (n int);\n\nselect nothing from nowhere;\n',
    );
    await expect(migrate(owner, folder)).rejects.toThrow('9001_broken.sql, line 3: relation "nowhere" does not exist');
    expect(await run(owner, `select to_regclass('tidings.half') as half`)).toEqual([{ half: null }]);
    const database = openDatabase(owner, { max: 1 });
    expect(await isMigrated(database, folder)).toBe(false);
    await database.close();
    writeFileSync(join(folder, '9001_broken.sql'), 'create table tidings.half (n int);\n');
    expect(await migrate(owner, folder)).toEqual(['9001_broken.sql']);
  });

  test('that was applied may not be changed or removed', async () => {
    writeFileSync(join(folder, '9001_broken.sql'), 'create table tidings.half (n bigint);\n');
    await expect(migrate(owner, folder)).rejects.toThrow('9001_broken.sql has been changed since it was applied');
    rmSync(join(folder, '9001_broken.sql'));
    await expect(migrate(owner, folder)).rejects.toThrow('9001_broken.sql has been applied to this database, but');
  });

  test('has a unique number and a name that says what it does', async () => {
    writeFileSync(join(folder, '0002_again.sql'), '');
    await expect(migrate(owner, folder)).rejects.toThrow('0002_jobs.sql: another migration has the same number');
    rmSync(join(folder, '0002_again.sql'));
    writeFileSync(join(folder, 'notes.sql'), '');
    await expect(migrate(owner, folder)).rejects.toThrow('notes.sql: a migration is named like');
  });
});
