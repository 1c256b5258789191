/** What PostgreSQL plans with is from before a roster arrived. Cost must not grow with the square of the roster. */
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { fileOf, lineOf, startRosterApp } from '#server/testing/rosters.ts';
import { CHUNK } from './identify-rows.ts';
import { processUpload } from './process.ts';

const app = await startRosterApp();
const { database, deps, make, post, upload, apply, jobOf } = app;

const ROWS = 1000;
const lines = (prefix: string) => Array.from({ length: ROWS }, (_, n) => lineOf(`${prefix}${n}`, n));

/** What was read of an index or a table. */
type Count = { index: string } | { table: string };

async function readOf(of: Count): Promise<number> {
  const flushes = Array.from({ length: 20 }, () => database.pipeline.query('select pg_stat_force_next_flush()'));
  await Promise.all(flushes);
  const { rows } = await database.owner.query<{ read: number }>(
    'index' in of
      ? sql`select idx_tup_read::int as read from pg_stat_user_indexes where indexrelname = ${of.index}`
      : sql`select seq_tup_read::int as read from pg_stat_user_tables where relname = ${of.table}`,
  );
  return rows[0]?.read ?? 0;
}

/** An administrator of another group. */
async function otherAdministrator() {
  const team = await make.team();
  const user = await make.user({ team, role: 'administrator' });
  const client = await signIn(app, user.username);
  client.teamId = team.id;
  return { client, group: team.groupIds[0] ?? '' };
}

async function uploadAs({ client, group }: Awaited<ReturnType<typeof otherAdministrator>>, rows: string[]) {
  const response = await post(fileOf(...rows), { group, as: client });
  return ((await response.json()) as { jobId: string }).jobId;
}

test('A second roster is not compared with itself while PostgreSQL has counted only the first', async () => {
  const first = await upload(...lines('A'));
  await database.owner.query('analyze roster_upload_rows');
  await processUpload(database.pipeline, first, deps);
  await database.owner.query('analyze roster_patients');
  const jobId = await uploadAs(await otherAdministrator(), lines('B'));
  const byMemberId = { index: 'roster_patients_group_id_member_id_key' };
  const before = await readOf(byMemberId);
  await processUpload(database.pipeline, jobId, deps);
  expect(await jobOf(first)).toMatchObject({ status: 'DONE' });
  const { rows } = await database.owner.query(
    sql`select count(*)::int as rows from roster_patients where upload_id = ${jobId}`,
  );
  expect(rows).toEqual([{ rows: ROWS }]);
  expect((await readOf(byMemberId)) - before).toBeLessThan(20 * ROWS);
});

test('Keys are looked up by index in plans from when there were few', async () => {
  for (let n = 0; n < 8; n += 1) {
    await apply(...lines('C').slice(0, n + 1));
    await database.owner.query('analyze blocking_keys, blocking_entries');
  }
  for (let n = 8; n < 16; n += 1) await apply(...lines('C').slice(0, n + 1));
  const before = await readOf({ table: 'blocking_keys' });
  await apply(...lines('C').slice(0, CHUNK + 200));
  expect((await readOf({ table: 'blocking_keys' })) - before).toBeLessThan(20 * CHUNK);
});

test('A list that PostgreSQL has not counted is not compared with each row of the file that replaces it', async () => {
  const counted = await upload(...lines('D'));
  await database.owner.query('analyze roster_patients, roster_upload_rows');
  await processUpload(database.pipeline, counted, deps);
  const another = await otherAdministrator();
  const replace = async (): Promise<void> =>
    void (await processUpload(database.pipeline, await uploadAs(another, lines('E')), deps));
  await replace();
  const ofUpload = { index: 'roster_upload_rows_upload_id_member_id_idx' };
  const before = await readOf(ofUpload);
  await replace();
  expect((await readOf(ofUpload)) - before).toBeLessThan(50 * ROWS);
});
