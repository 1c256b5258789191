import { expect, test } from 'vitest';
import { startRosterApp } from '#server/testing/rosters.ts';
import { processUpload } from './process.ts';

const app = await startRosterApp();
const { database, deps, current, post, jobOf, active } = app;

const HEADER = 'Member ID,First Name,Last Name,Date of Birth,ZIP,SSN Last 4,Home Phone,Mobile Phone,Gender';
const PREVIEW = '?relationship=COVERAGE&attested=true&preview=true';

/** Uploads a file with these rows, checks it, and returns its job and its warnings in words. */
async function check(rows: readonly string[], query?: string) {
  const { jobId } = (await (await post([HEADER, ...rows].join('\n'), query ? { query } : {})).json()) as {
    jobId: string;
  };
  await processUpload(database.pipeline, jobId, deps);
  const { problems } = await current.client.call('GET /api/rosters/uploads/:jobId/problems', {
    params: { jobId },
    query: { kind: 'WARNING', after: 0 },
  });
  const words = problems.map(({ rowNumber, column, value, reason }) => `${rowNumber} ${column} ${value}: ${reason}`);
  return { job: await jobOf(jobId), warnings: words };
}

const warning = (row: number, name: string, what: string, other: number) =>
  `${row} Whole row ${name}: Same name, date of birth and ${what} as row ${other}, under another member ID. If this is one person, keep one of the rows`;

test('the same person under two member IDs is a warning on both rows, in the preview and after it, and nothing is merged', async () => {
  const rows = [
    'B1,Ama,Osei-Voss,3/14/1941,14601',
    'B2,Yaw,Addo,7/8/1950,14601',
    'B3,AMA,Osei Voss,1941-03-14,14601-0042',
  ];
  const expected = [warning(2, 'Ama Osei-Voss', 'ZIP code', 4), warning(4, 'AMA Osei Voss', 'ZIP code', 2)];
  const preview = await check(rows, PREVIEW);
  expect(preview.warnings).toEqual(expected);
  expect(preview.job).toMatchObject({ status: 'AWAITING_CONFIRMATION', warningsByColumn: { 'Whole row': 2 } });
  await current.client.call('POST /api/rosters/uploads/:jobId/cancel', { params: { jobId: preview.job.jobId } });
  const { job, warnings } = await check(rows);
  expect(warnings).toEqual(expected);
  expect(job).toMatchObject({ status: 'DONE', totalErrorRows: 0, statistics: { created: 3 } });
  expect(await active()).toEqual(['B1', 'B2', 'B3']);
});

test('one thing beside name and date of birth has to be the same: ZIP code, digits of the SSN, or any phone', async () => {
  const { warnings } = await check([
    'C1,Ines,Marlowe,3/14/1941,14601,6789,585-774-2231,',
    'C2,Ines,Marlowe,3/14/1941,14602,6789,,',
    'C3,Bela,Quist,3/14/1942,14601,,585-774-2232,',
    'C4,Bela,Quist,3/14/1942,14602,,,585-774-2232',
    'C5,Dora,Fenn,3/14/1943,14601,6711,585-774-2233,',
    'C6,Dora,Fenn,3/14/1943,14602,6722,585-774-2234,',
    'C7,Dora,Fenn,3/15/1943,14601,6711,585-774-2233,',
    'C8,Nora,Fenn,3/14/1943,14601,6711,585-774-2233,',
    'C9,Emil,Hartung,3/14/1944,,,,',
    'C10,Emil,Hartung,3/14/1944,,,,',
  ]);
  const ssn = 'last digits of the Social Security number';
  expect(warnings).toEqual([
    warning(2, 'Ines Marlowe', ssn, 3),
    warning(3, 'Ines Marlowe', ssn, 2),
    warning(4, 'Bela Quist', 'phone', 5),
    warning(5, 'Bela Quist', 'phone', 4),
  ]);
});

test('other warnings of a row stay, and rows that repeat a member ID are not another person', async () => {
  const { job, warnings } = await check([
    'D1,Ama,Osei,3/14/1941,4998,,,,lady',
    'D2,Ama,Osei,3/14/1941,04998',
    'D3,Yaw,Addo,7/8/1950,14601',
    'D3,Yaw,Addo,7/8/1950,14601',
    'D3,Yaw,Addo,7/8/1950,14601,6789',
  ]);
  expect(job).toMatchObject({ totalErrorRows: 1, warningsByColumn: { ZIP: 1, Gender: 1, 'Whole row': 2 } });
  expect(warnings.map((each) => each.split(':')[0])).toEqual([
    '2 Gender lady',
    '2 ZIP 4998',
    '2 Whole row Ama Osei',
    '3 Whole row Ama Osei',
  ]);
});
