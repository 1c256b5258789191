import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { sql } from './sql.ts';

const database = await testDatabase();

/** Returns how many rows PostgreSQL plans with; -1 if it never counted. */
async function countedAfter(added: number): Promise<number | undefined> {
  await database.owner.query(sql`
    insert into persons (created_at) select '2026-11-20' from generate_series(1, ${added})`);
  // What a connection changed is otherwise known a second later.
  const { rows: flushed } = await database.owner.query<{ pid: number }>(
    'select pg_backend_pid() as pid, pg_stat_force_next_flush()',
  );
  expect(flushed).toHaveLength(1);
  await expect.poll(() => changes(), { timeout: 10_000 }).toBeGreaterThanOrEqual(added);
  await database.pipeline.query(sql`select analyze_grown_tables()`);
  const { rows } = await database.owner.query<{ counted: number }>(
    "select reltuples::int as counted from pg_class where oid = 'persons'::regclass",
  );
  return rows[0]?.counted;
}

async function changes(): Promise<number> {
  const { rows } = await database.owner.query<{ changes: number }>(
    "select n_mod_since_analyze::int as changes from pg_stat_user_tables where relid = 'persons'::regclass",
  );
  return rows[0]?.changes ?? 0;
}

test('a table that has doubled is counted again, and one that has grown a little is left to autovacuum', async () => {
  expect(await countedAfter(1000)).toBe(1000);
  expect(await countedAfter(600)).toBe(1000);
  expect(await countedAfter(600)).toBe(2200);
});
