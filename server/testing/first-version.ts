/** An installation as the first version of Tidings left it, and what becomes of its rows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type TestDatabase, testDatabase } from './database.ts';
import { migrateUpTo } from './migrate-up-to.ts';

/** The first version ran with the migrations up to this one. */
const LAST = '0002_jobs.sql';
const ROWS = join(import.meta.dirname, 'first-version.sql');

/** Creates a database with the tables of the first version and rows in each of them (`first-version.sql`). */
export async function firstVersion(): Promise<TestDatabase> {
  const database = await testDatabase({ isMigrated: false });
  await migrateUpTo(database, LAST);
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  await client.query("set search_path = tidings; select ensure_partitions('2026-11-01', '2026-12-31')");
  // The rows have what triggers wrote at the time.
  await client.query('set session_replication_role = replica');
  await client.query(readFileSync(ROWS, 'utf8'));
  await client.end();
  return database;
}

type Row = Readonly<Record<string, unknown>>;
/** Table → primary key → row. */
export type Stored = ReadonlyMap<string, ReadonlyMap<string, Row>>;

/**
 * Returns all rows of all tables, except those that record the migrations, and the matcher's keys, which are numbers today
 * (`hashed-keys-migration.db.test.ts`). Of messages, only the parts have a primary key today.
 */
export async function storedRows({ owner }: TestDatabase): Promise<Stored> {
  const { rows: tables } = await owner.query<{ name: string; keys: string[] }>(`
    select c.relname as name, coalesce(array_agg(a.attname order by array_position(i.indkey::int[], a.attnum::int))
      filter (where a.attname is not null), array['id', 'received_at'])::text[] as keys
    from pg_class c
      left join pg_index i on i.indrelid = c.oid and i.indisprimary
      left join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
    where c.relnamespace = 'tidings'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('migrations', 'blocking_keys')
    group by c.relname order by c.relname`);
  const stored = new Map<string, Map<string, Row>>();
  for (const { name, keys } of tables) {
    const { rows } = await owner.query<{ row: Row }>(`select to_jsonb(t) as row from ${pg.escapeIdentifier(name)} t`);
    stored.set(name, new Map(rows.map(({ row }) => [keys.map((key) => String(row[key])).join(' '), row])));
  }
  return stored;
}

/** Returns what became of the rows: 'events 3 detail' for a value that is another one or gone, 'events 3' for a row that is gone. */
export function differences(before: Stored, after: Stored): string[] {
  return [...before].flatMap(([table, rows]) =>
    [...rows].flatMap(([key, row]) => {
      const now = after.get(table)?.get(key);
      if (now === undefined) return [`${table} ${key}`];
      const changed = Object.keys(row).filter((column) => JSON.stringify(row[column]) !== JSON.stringify(now[column]));
      return changed.map((column) => `${table} ${key} ${column}`);
    }),
  );
}
