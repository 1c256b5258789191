import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { migrateJobs } from './jobs-schema.ts';
import type { Queryable } from './pool.ts';
import { SETUP_LOCK } from './roles.ts';

/** The folder of the numbered migrations. */
export const MIGRATIONS = join(import.meta.dirname, 'migrations');

type Migration = { name: string; text: string; checksum: string };

/** A migration cannot be applied, or differs from what was applied. The message names it. */
class MigrationError extends Error {
  override name = 'MigrationError';
}

/**
 * Migrates the database as the owner: first the job queue's schema, then the numbered files that have not been applied, in
 * order, each in a transaction. Returns the names of the files applied now. Safe to call from several processes at once.
 *
 * Throws MigrationError if a file fails, if an applied file has changed since, or if the database has a migration that this code
 * does not know, because the database is newer.
 */
export async function migrate(ownerUrl: string, folder: string = MIGRATIONS): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'tidings migrations' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [SETUP_LOCK]);
    await migrateJobs(client);
    await client.query(`create table if not exists tidings.migrations (
      name text collate "C" primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from tidings.migrations',
    );
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    check(migrations, applied);
    const pending = migrations.filter(({ name }) => !applied.has(name));
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const wrong = names.find((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name));
  if (wrong !== undefined) throw new MigrationError(`${wrong}: a migration is named like 0001_what_it_does.sql`);
  const twice = names.find((name, index) => name.slice(0, 4) === names[index - 1]?.slice(0, 4));
  if (twice !== undefined) throw new MigrationError(`${twice}: another migration has the same number`);
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

function check(migrations: Migration[], applied: Map<string, string>): void {
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  for (const [name, checksum] of applied) {
    if (!known.has(name))
      throw new MigrationError(`${name} has been applied to this database, but is not among the migrations`);
    if (known.get(name) !== checksum)
      throw new MigrationError(`${name} has been changed since it was applied: write a new one instead`);
  }
}

async function apply(client: pg.Client, { name, text, checksum }: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(text);
    await client.query('insert into tidings.migrations (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    const { message, position } = error as { message: string; position?: string };
    const line = position === undefined ? '' : `, line ${text.slice(0, Number(position)).split('\n').length}`;
    throw new MigrationError(`${name}${line}: ${message}`, { cause: error });
  }
}

/** Whether the database has every migration of this code. Throws if it cannot be read. */
export async function isMigrated(database: Queryable, folder: string = MIGRATIONS): Promise<boolean> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'));
  const { rows } = await database.query<{ applied: number }>(
    'select count(*)::int as applied from tidings.migrations where name = any ($1)',
    [names],
  );
  return rows[0]?.applied === names.length;
}
