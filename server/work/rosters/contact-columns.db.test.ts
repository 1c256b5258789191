import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { startRosterApp } from '#server/testing/rosters.ts';
import { processUpload } from './process.ts';

const { database, deps, current, post, jobOf } = await startRosterApp();

const HEADER =
  'Member ID,First Name,Last Name,Date of Birth,Address 3,Provider Last Name,Provider Title,Provider Phone,Provider Fax,Care Coordinators,Care Coordinator Phones';
const row = (...cells: string[]) => ['A1', 'Ama', 'Osei', '3/14/1941', ...cells].join(',');

async function applyRow(...cells: string[]) {
  const { jobId } = (await (await post([HEADER, row(...cells)].join('\n'))).json()) as { jobId: string };
  await processUpload(database.pipeline, jobId, deps);
  return (await jobOf(jobId)).statistics;
}

async function listed() {
  const { rows } = await database.owner.query<{ values: unknown[] }>(sql`
    select jsonb_build_array(address3, provider_title, provider_phone, provider_fax, care_coordinators, care_coordinator_phones) as values
    from roster_patients where group_id = ${current.groupId}`);
  return rows[0]?.values;
}

test('how to reach a provider and care coordinators is stored, and an unchanged row is recognized', async () => {
  const cells = ['Building C', 'Kim', 'MD', '(585) 555-0110', '585-555-0111', 'Ada;Ben', ';585-555-0122'];
  expect(await applyRow(...cells)).toMatchObject({ created: 1 });
  const stored = ['Building C', 'MD', '585-555-0110', '585-555-0111', ['Ada', 'Ben'], ['', '585-555-0122']];
  expect(await listed()).toEqual(stored);
  expect(await applyRow(...cells)).toMatchObject({ updated: 0, unchanged: 1 });
  expect(await applyRow('', 'Kim', 'MD', '', '', 'Ada', '')).toMatchObject({ updated: 1 });
  expect(await listed()).toEqual([null, 'MD', null, null, ['Ada'], []]);
});

test('phones stay with the names that stay, and are left out for other names', async () => {
  await applyRow('', '', '', '', '', 'Ada;Ben', '1;2');
  await applyRow('', '', '', '', '', 'x'.repeat(201), '3');
  expect((await listed())?.slice(4)).toEqual([
    ['Ada', 'Ben'],
    ['1', '2'],
  ]);
  await applyRow('', '', '', '', '', 'Cleo', '1;2');
  expect((await listed())?.slice(4)).toEqual([['Cleo'], []]);
});
