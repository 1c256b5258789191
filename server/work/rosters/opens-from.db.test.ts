import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { line, startRosterApp } from '#server/testing/rosters.ts';

const { database, current, apply } = await startRosterApp();

/** Lists A1, and makes the listing older. */
async function listedSince({ opensFrom, leftAt }: { opensFrom: string; leftAt?: string }): Promise<void> {
  await apply(line('A1'), line('B1'));
  await database.pipeline.query(sql`
    update roster_patients set opens_from = ${opensFrom}, left_at = ${leftAt ?? null}
    where group_id = ${current.groupId} and member_id = 'A1'`);
}

const opensFrom = async (): Promise<string | undefined> => {
  const { rows } = await database.pipeline.query<{ day: string }>(sql`
    select (opens_from at time zone 'UTC')::date::text as day from roster_patients
    where group_id = ${current.groupId} and member_id = 'A1'`);
  return rows[0]?.day;
};

const A_YEAR_AGO = '2025-11-20';

test('a new row opens twelve months, and keeps its date while it changes', async () => {
  await apply(line('A1'), line('B1'));
  expect(await opensFrom()).toBe(A_YEAR_AGO);
  await listedSince({ opensFrom: '2024-02-01' });
  await apply(line('A1', { last: 'Mensah' }), line('B1'));
  expect(await opensFrom()).toBe('2024-02-01');
});

test('a row that returns within twelve months keeps its date; later it begins a new one', async () => {
  await listedSince({ opensFrom: '2024-02-01', leftAt: '2026-01-15' });
  await apply(line('A1'), line('B1'));
  expect(await opensFrom()).toBe('2024-02-01');
  await listedSince({ opensFrom: '2023-02-01', leftAt: '2025-03-01' });
  await apply(line('A1'), line('B1'));
  expect(await opensFrom()).toBe(A_YEAR_AGO);
});

test('a member id that is given to another person begins a new date', async () => {
  await listedSince({ opensFrom: '2024-02-01' });
  await apply(line('A1', { first: 'Kofi', last: 'Boateng', born: '7/1/1950' }), line('B1'));
  expect(await opensFrom()).toBe(A_YEAR_AGO);
});
