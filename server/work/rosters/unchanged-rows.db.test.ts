/** Rows that say what is listed are stored without their cells; they count in every check as if they had them. */
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { line, startRosterApp } from '#server/testing/rosters.ts';
import { processUpload } from './process.ts';

const app = await startRosterApp();
const { database, deps, current, upload, jobOf, apply, active } = app;

const storedOf = async (jobId: string) => {
  const { rows } = await database.owner.query<{ memberId: string; cells: object | null }>(sql`
    select member_id as "memberId", cells from roster_upload_rows where upload_id = ${jobId} order by row_number`);
  return rows;
};

const warningsOf = async (jobId: string): Promise<string[]> => {
  const { problems } = await current.client.call('GET /api/rosters/uploads/:jobId/problems', {
    params: { jobId },
    query: { kind: 'WARNING', after: 0 },
  });
  return problems.map(({ rowNumber, value, reason }) => `${rowNumber} ${value}: ${reason}`);
};

test('Only new and changed rows, those with warnings and those of people who left have cells', async () => {
  await apply(line('A1'), line('A2'), line('A3'), line('A4', { sex: 'Q' }));
  await apply(line('A1'), line('A2'), line('A4', { sex: 'Q' }));
  const jobId = await upload(
    line('A1'),
    line('A2', { last: 'Mensah' }),
    line('A3'),
    line('A4', { sex: 'Q' }),
    line('A5'),
  );
  const stored = await storedOf(jobId);
  expect(stored.map(({ memberId, cells }) => `${memberId} ${cells === null ? 'without' : 'with'}`)).toEqual([
    'A1 without',
    'A2 with',
    'A3 with',
    'A4 with',
    'A5 with',
  ]);
  await processUpload(database.pipeline, jobId, deps);
  expect(await jobOf(jobId)).toMatchObject({
    status: 'DONE',
    statistics: { created: 2, updated: 1, removed: 0, unchanged: 2 },
  });
  expect(await active()).toEqual(['A1', 'A2', 'A3', 'A4', 'A5']);
});

test('A new row that is probably someone listed is a warning on both rows', async () => {
  const ama = { first: 'Ama', last: 'Osei-Voss', zip: '14601' };
  await apply(line('B1', ama), line('B2', { zip: '14601' }));
  const { jobId } = await apply(line('B1', ama), line('B2', { zip: '14601' }), line('B3', ama));
  const same = (row: number, other: number): string =>
    `${row} Ama Osei-Voss: Same name, date of birth and ZIP code as row ${other}, under another member ID. If this is one person, keep one of the rows`;
  expect(await warningsOf(jobId)).toEqual([same(2, 4), same(4, 2)]);
});

test('A new row is held together with listed ones, if they are guesses of one person', async () => {
  const guess = (n: number): string =>
    line(`C${n}`, { first: 'Ingrid', last: 'Nunez', born: `0${n}/04/1948`, street: '784 Stamm St', zip: '14601' });
  expect(await apply(guess(1))).toMatchObject({ totalErrorRows: 0 });
  expect(await apply(guess(1), guess(2))).toMatchObject({ totalErrorRows: 0 });
  expect(await apply(guess(1), guess(2), guess(3))).toMatchObject({ totalErrorRows: 1 });
  expect(await active()).toEqual(['C1', 'C2']);
});

test('A row that changes nothing of who someone is, is no guess', async () => {
  const guess = (n: number): string =>
    line(`C${n}`, { first: 'Ingrid', last: 'Nunez', born: `0${n}/04/1948`, street: '784 Stamm St', zip: '14601' });
  await apply(guess(1), guess(2), line('C3'));
  // As an earlier version listed it.
  await database.owner.query(sql`
    update roster_patients p set first_name = o.first_name, last_name = o.last_name, date_of_birth = '1948-03-04', address1 = o.address1,
      gender = o.gender, zip = o.zip
    from roster_patients o where p.member_id = 'C3' and o.member_id = 'C2' and o.group_id = p.group_id`);
  expect(await apply(guess(1), guess(2), guess(3))).toMatchObject({ totalErrorRows: 0, statistics: { updated: 1 } });
  expect(await active()).toEqual(['C1', 'C2', 'C3']);
});

test('Of rows whose names have dozens of parts, guesses are held as well', async () => {
  const letter = (n: number): string => String.fromCharCode(65 + (Math.floor(n) % 26));
  const name = (row: number): string =>
    Array.from({ length: 50 }, (_, n) => 97 * row + 7 * n)
      .map((n) => letter(n) + letter(n / 26) + letter(n / 676))
      .join(' ');
  const long = Array.from({ length: 60 }, (_, row) =>
    line(`L${row}`, {
      first: name(row),
      last: name(row + 1),
      born: `1/${1 + (row % 28)}/${1930 + row}`,
      street: `${row} Elm St`,
      zip: `${10_000 + 97 * row}`,
    }),
  );
  const guesses = [1, 2, 3].map((n) =>
    line(`M${n}`, { first: 'Ingrid', last: 'Nunez', born: `0${n}/04/1948`, street: '784 Stamm St', zip: '14601' }),
  );
  const job = await apply(...long, ...guesses);
  expect(job).toMatchObject({ status: 'DONE', totalRows: 63 });
  expect((await active()).filter((memberId) => memberId.startsWith('M'))).toEqual([]);
});

test('If the list changed after all, nothing is applied', async () => {
  await apply(line('D1'), line('D2'));
  const jobId = await upload(line('D1'), line('D2', { last: 'Mensah' }));
  await database.owner.query(sql`update roster_patients set content_hash = '\\x00' where member_id = 'D1'`);
  await expect(processUpload(database.pipeline, jobId, deps)).rejects.toThrow('stored as unchanged');
  expect(await jobOf(jobId)).toMatchObject({ status: 'FAILED' });
  expect(await active()).toEqual(['D1', 'D2']);
});
