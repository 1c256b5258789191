import { expect, test } from 'vitest';
import { hashOfKey } from '#server/record/scoring/key-hashes.ts';
import { testDatabase } from '#server/testing/database.ts';
import { migrateUpTo } from '#server/testing/migrate-up-to.ts';
import { sql } from './sql.ts';

const LAST_BEFORE = '0172_member_ids_in_formulas.sql';
const NAME = '0179_hashed_keys.sql';
const database = await testDatabase({ isMigrated: false });
const { owner } = database;

const KEYS = [
  'D:19410314',
  'P:5857742231',
  'S:6789:ADAEZE',
  'Z:14609:A320O253',
  'H:12A:H650:O253',
  'N:O MALLEY:ÅSA',
  'N:ИВАН:ПЕТРОВ',
  'E:a.b@c.example',
  'N:𐐀𐐁:ADA',
];

test('stored keys become the numbers by which their subjects are looked for, with the sketch beside them', async () => {
  await migrateUpTo(database, LAST_BEFORE);
  await owner.query(sql`
    insert into blocking_keys (key, subject, subject_id, sketch)
    select key, 'SOURCE_PATIENT', 7, case when key like 'D:%' then '\\x0102'::bytea end from unnest(${KEYS}::text[]) as k (key)`);
  await owner.query("insert into blocking_keys (key, subject, subject_id) values ('D:19410314', 'ROSTER_PATIENT', 9)");
  await migrateUpTo(database, NAME);

  const numbers = KEYS.map(hashOfKey).toSorted((a, b) => a - b);
  const { rows } = await owner.query<{ key: string; subject: string }>(
    'select key, subject from blocking_keys order by key, subject',
  );
  expect(rows.filter(({ subject }) => subject === '-7').map(({ key }) => Number(key))).toEqual(numbers);
  expect(rows.filter(({ subject }) => subject === '9').map(({ key }) => Number(key))).toEqual([
    hashOfKey('D:19410314'),
  ]);
  const entries = await owner.query(
    'select subject, cardinality(keys) as keys, sketch from blocking_entries order by subject',
  );
  expect(entries.rows).toEqual([
    { subject: '-7', keys: KEYS.length, sketch: Buffer.from([1, 2]) },
    { subject: '9', keys: 1, sketch: null },
  ]);
});
