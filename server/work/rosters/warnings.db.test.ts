import { describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { fileOf, line, startRosterApp } from '#server/testing/rosters.ts';
import { processUpload } from './process.ts';

const app = await startRosterApp();
const { database, deps, current, post, jobOf, apply, active } = app;

const HEADER =
  'Member ID,First Name,Last Name,Date of Birth,Gender,ZIP,Home Phone,SSN Last 4,Medicare ID,Provider NPI,Tags';
const GOOD = ['Female', '14601', '585-774-2231', '6789', '2AB3CD4EF56', '1234567893', 'High touch'];
const UNREADABLE = ['lady', 'K1A 0B1', '774-2231', '12345', '123456789A', '12', 'x'.repeat(201)];
const row = (id: string, last: string, cells: readonly string[]) => [id, 'Ama', last, '3/14/1941', ...cells].join(',');

/** Uploads a file with these rows, and processes it. */
async function applyRows(...rows: string[]) {
  const { jobId } = (await (await post([HEADER, ...rows].join('\n'))).json()) as { jobId: string };
  await processUpload(database.pipeline, jobId, deps);
  return jobOf(jobId);
}

/** Returns the optional values on the roster, by member ID. */
async function listed(): Promise<Record<string, unknown[]>> {
  const { rows } = await database.owner.query<{ id: string; values: unknown[] }>(sql`
    select member_id as id, jsonb_build_array(gender, zip, home_phone, ssn_last4, medicare_id, provider_npi, tags) as values
    from roster_patients where group_id = ${current.groupId} and left_at is null`);
  return Object.fromEntries(rows.map(({ id, values }) => [id, values]));
}

async function errorLines(jobId: string): Promise<string[]> {
  const path = `/api/rosters/uploads/${jobId}/errors.csv?teamId=${current.client.teamId}`;
  return (await (await current.client.fetch(path)).text()).split('\r\n').slice(1, -1);
}

const STORED = [...GOOD.slice(0, -1), ['High touch']];
const NONE = ['Unknown', null, null, null, null, null, []];
const EACH = { Gender: 1, ZIP: 1, 'Home Phone': 1, 'SSN Last 4': 1, 'Medicare ID': 1, 'Provider NPI': 1, Tags: 1 };

describe('an optional cell that cannot be read', () => {
  test('leaves a listed patient the stored value, and a new one none', async () => {
    await applyRows(row('A1', 'Osei', GOOD));
    const job = await applyRows(row('A1', 'Osei', UNREADABLE), row('A2', 'Mensah', UNREADABLE));
    expect(job).toMatchObject({
      status: 'DONE',
      totalRows: 2,
      totalErrorRows: 0,
      errorsByColumn: {},
      warningsByColumn: Object.fromEntries(Object.keys(EACH).map((column) => [column, 2])),
      statistics: { created: 1, updated: 0, removed: 0, unchanged: 1 },
    });
    expect(await listed()).toEqual({ A1: STORED, A2: NONE });
  });

  test('is reported with the errors, also after the roster is applied, with what it says', async () => {
    const job = await applyRows(
      row('A1', 'Osei', ['F', 'K1A 0B1']),
      row('', 'Mensah', ['lady']),
      row('A3', 'Addo', GOOD),
    );
    expect(job).toMatchObject({ totalErrorRows: 1, errorsByColumn: { 'Member ID': 1 } });
    expect(job.warningsByColumn).toEqual({ ZIP: 1, Gender: 1 });
    expect(await errorLines(job.jobId)).toEqual([
      '2,A1,ZIP,K1A 0B1,Warning: Not a valid ZIP code. Use 5 or 9 digits',
      '3,,Member ID,,Required value is missing. Fill in the cell',
      '3,,Gender,lady,"Warning: Not recognized. Use Male, Female, Other or Unknown"',
    ]);
  });

  test('leaves the other cells of its row their effect', async () => {
    await applyRows(row('A1', 'Osei', GOOD));
    const job = await applyRows(row('A1', 'Osei', ['Female', 'x', '585-774-2299', ...GOOD.slice(3)]));
    expect(job.statistics).toEqual({ created: 0, updated: 1, removed: 0, unchanged: 0 });
    expect((await listed()).A1?.slice(0, 3)).toEqual(['Female', '14601', '585-774-2299']);
  });

  test('never becomes another value without a warning: leading zeros are added with one', async () => {
    const header = 'Member ID,First Name,Last Name,Date of Birth,State,ZIP,Home Phone,SSN Last 4';
    const upload = async (cells: string) => {
      const file = `${header}\nA1,Ama,Osei,3/14/1941,${cells}`;
      const { jobId } = (await (await post(file)).json()) as { jobId: string };
      await processUpload(database.pipeline, jobId, deps);
      const { rows } = await database.owner.query<{ values: unknown[] }>(sql`
        select jsonb_build_array(state, zip, home_phone, ssn_last4) as values
        from roster_patients where group_id = ${current.groupId} and left_at is null`);
      return { job: await jobOf(jobId), values: rows[0]?.values };
    };
    await upload('Michigan,48104,734-774-2231,6789');
    const { job, values } = await upload('Mitchigan,4998,call wife,12');
    expect(job).toMatchObject({
      totalErrorRows: 0,
      warningsByColumn: { State: 1, ZIP: 1, 'Home Phone': 1, 'SSN Last 4': 1 },
      statistics: { updated: 1 },
    });
    expect(values).toEqual(['MI', '04998', '734-774-2231', '6789']);
    expect((await upload('MI,04998,734-774-2231,6789')).job).toMatchObject({
      warningsByColumn: {},
      statistics: { unchanged: 1 },
    });
  });

  test('is not the same as an empty cell, which removes the value', async () => {
    await applyRows(row('A1', 'Osei', GOOD));
    const job = await applyRows(row('A1', 'Osei', []));
    expect(job).toMatchObject({ warningsByColumn: {}, statistics: { updated: 1 } });
    expect(await listed()).toEqual({ A1: NONE });
  });

  test('gives no one the value of another patient who had the member ID, or of a patient who had left', async () => {
    await applyRows(row('A1', 'Osei', GOOD), row('A2', 'Mensah', GOOD));
    await applyRows(row('A1', 'Osei', GOOD), row('A3', 'Addo', GOOD));
    await applyRows(
      'A1,Yaw,Boateng,7/8/1950,' + UNREADABLE.join(','),
      row('A2', 'Mensah', UNREADABLE),
      row('A3', 'Addo', GOOD),
    );
    expect(await listed()).toEqual({ A1: NONE, A2: NONE, A3: STORED });
  });

  test('in every row still lets the file be applied', async () => {
    const rows = Array.from(
      { length: 2001 },
      (_, n) => `B${n},N${n}a,Family${n}b,${(n % 12) + 1}/14/${1930 + (n % 60)},lady`,
    );
    const job = await applyRows(...rows);
    expect(job).toMatchObject({ status: 'DONE', warningsByColumn: { Gender: 2001 } });
    expect((await errorLines(job.jobId)).filter((each) => each.includes(',Gender,')).length).toBe(2001);
    expect((await applyRows(...rows)).statistics).toMatchObject({ unchanged: job.statistics.created });
  });
});

describe('rows with the same member ID', () => {
  test('are one if they say the same, however they write it', async () => {
    const again = line('A1', { born: '1941-03-14', sex: 'female' });
    const job = await apply(line('A1'), line('A2'), line('A1'), again);
    expect(job).toMatchObject({
      status: 'DONE',
      totalRows: 4,
      totalErrorRows: 0,
      errorsByColumn: {},
      statistics: { created: 2, updated: 0, removed: 0, unchanged: 0 },
    });
    expect(await active()).toEqual(['A1', 'A2']);
  });

  test('are errors from the first one on that says something else', async () => {
    const job = await apply(line('A1'), line('A1', { zip: '14602' }), line('A1'));
    expect(job).toMatchObject({ totalRows: 3, totalErrorRows: 1, errorsByColumn: { 'Member ID': 1 } });
    expect(await errorLines(job.jobId)).toEqual([
      '3,A1,Member ID,A1,"Duplicate of row 2, which says something else. Keep one row for each patient"',
    ]);
  });
});

test('a file with the day first is applied as such, and the job says so', async () => {
  const lines = [line('A1', { born: '03/04/1941' }), line('A2', { born: '25/12/1950' })];
  expect(await apply(...lines)).toMatchObject({ status: 'DONE', hasDayFirst: true, totalErrorRows: 0 });
  const { rows } = await database.owner.query(sql`
    select date_of_birth::text as born from roster_patients where group_id = ${current.groupId} order by member_id`);
  expect(rows).toEqual([{ born: '1941-04-03' }, { born: '1950-12-25' }]);
});

test('a file with dates in both orders changes nothing, and names the rows', async () => {
  await apply(line('A1'));
  const mixed = fileOf(
    line('A1', { born: '03/04/1941' }),
    line('A2', { born: '25/12/1950' }),
    line('A3', { born: '12/25/1950' }),
  );
  expect(await (await post(mixed)).json()).toMatchObject({
    status: 'FAILED',
    fileError: expect.stringMatching(/row 3 has the day first, row 4 the month\. Write all of them as MM\/DD\/YYYY/),
  });
  expect(await active()).toEqual(['A1']);
});

test('a file from DOS is applied as it reads, and the job says how it was read and names each cell that looks wrong', async () => {
  const bytes = Buffer.from(
    `${fileOf(line('A1', { first: 'Ren\x82e', last: 'N\xa3\xa4ez-Quillen' }), line('A2'))}\n`,
    'latin1',
  );
  const { jobId } = (await (await post(new Blob([bytes]))).json()) as { jobId: string };
  await processUpload(database.pipeline, jobId, deps);
  expect(await jobOf(jobId)).toMatchObject({
    status: 'DONE',
    encoding: 'WINDOWS_1252',
    garbledCells: 2,
    totalErrorRows: 0,
    warningsByColumn: { 'First Name': 1, 'Last Name': 1 },
  });
  const lines = await errorLines(jobId);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(
    /^2,A1,First Name,Ren‚e,"Warning: Contains an unreadable character.*Save the file as CSV UTF-8/,
  );
  expect(lines[1]).toMatch(/^2,A1,Last Name,N£¤ez-Quillen,/);
});

test('a member ID keeps its zeros in a text formula, and is the same person in the next file without one', async () => {
  await apply(line('="000123"', { last: 'Osei' }), line('"=""000124"""', { last: 'Addo' }));
  expect(await active()).toEqual(['000123', '000124']);
  const job = await apply(line('000123', { last: 'Osei' }), line('000124', { last: 'Addo' }));
  expect(job.statistics).toMatchObject({ created: 0, removed: 0, unchanged: 2 });
});
