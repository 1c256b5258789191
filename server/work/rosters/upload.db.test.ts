import { describe, expect, test } from 'vitest';
import { ROSTER_COLUMNS } from '#contract/roster-columns.ts';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { ATTESTED, errorKey, fileOf, HEADER, line, startRosterApp } from '#server/testing/rosters.ts';
import { processUpload } from './process.ts';

const app = await startRosterApp();
const { make, database, deps, current, post, upload, beginUpload, jobOf, apply, roster, active } = app;

async function storedRows(): Promise<number> {
  const { rowCount } = await database.owner.query(sql`
    select from roster_upload_rows r join roster_uploads u on u.id = r.upload_id where u.group_id = ${current.groupId}`);
  return rowCount;
}

/** A busy machine may take its time. */
const SOON = { timeout: 20_000 };

describe('an upload', () => {
  test('creates, updates, removes and keeps rows; a patient who leaves and returns keeps the same row', async () => {
    const first = await apply(line('A1'), line('A2'), line('A3'));
    expect(first).toMatchObject({
      status: 'DONE',
      lastUploadedFile: 'March roster.csv',
      totalRows: 3,
      statistics: { created: 3, updated: 0, removed: 0, unchanged: 0 },
    });
    const before = await roster();
    const second = await apply(line('A1'), line('A2', { last: 'Mensah' }), line('A4'));
    expect(second.statistics).toEqual({ created: 1, updated: 1, removed: 1, unchanged: 1 });
    expect(await active()).toEqual(['A1', 'A2', 'A4']);
    const third = await apply(line('A1'), line('A2', { last: 'Mensah' }), line('A3'), line('A4'));
    expect(third.statistics).toEqual({ created: 1, updated: 0, removed: 0, unchanged: 3 });
    const after = await roster();
    expect(after.find((r) => r.memberId === 'A3')).toEqual(before.find((r) => r.memberId === 'A3'));
    expect(after.find((r) => r.memberId === 'A2')?.lastName).toBe('Mensah');
    const { rows } = await database.owner.query(
      sql`select kind, change from change_log where group_id = ${current.groupId} and kind = 'group'`,
    );
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ kind: 'group', change: 'reload' })));
    const waiting = await database.owner.query(sql`select from roster_upload_rows where upload_id = ${third.jobId}`);
    expect(waiting.rowCount).toBe(0);
  });

  test('leaves a row with errors unchanged, counts it by column and reports it without formulas', async () => {
    await apply(line('A1'), line('=A2'));
    const job = await apply(
      line('A1', { born: '13/45/1941', sex: 'Q' }),
      line('=A2', { first: '' }),
      line('A3'),
      line('A3', { last: 'Twice' }),
      line(''),
    );
    expect(job).toMatchObject({
      status: 'DONE',
      totalRows: 5,
      totalErrorRows: 4,
      errorsByColumn: { 'Date of Birth': 1, 'First Name': 1, 'Member ID': 2 },
      warningsByColumn: { Gender: 1 },
      statistics: { created: 1, updated: 0, removed: 0, unchanged: 0 },
    });
    expect(await active()).toEqual(['=A2', 'A1', 'A3']);
    expect((await roster()).find((r) => r.memberId === 'A3')?.lastName).toBe('OseiA3');
    const response = await current.client.fetch(
      `/api/rosters/uploads/${job.jobId}/errors.csv?teamId=${current.client.teamId}`,
    );
    expect(response.headers.get('content-disposition')).toContain(`roster-${job.jobId}-errors.csv`);
    const text = await response.text();
    expect(text.split('\r\n').slice(0, 4)).toEqual([
      'Row,Member ID,Column,Value,Problem',
      '2,A1,Date of Birth,13/45/1941,Not a valid date. Use MM/DD/YYYY',
      '2,A1,Gender,Q,"Warning: Not recognized. Use Male, Female, Other or Unknown"',
      "3,'=A2,First Name,,Required value is missing. Fill in the cell",
    ]);
  });

  test('of an unreadable file fails at once, says why and changes nothing', async () => {
    await apply(line('A1'));
    for (const [content, reason] of [
      ['Member ID,First Name,Last Name\nA1,Ama,Osei\n', 'Missing required column: Date of Birth'],
      ['', 'The file is empty.'],
      [`${fileOf(line('A2'), line('A3'))}\nA4,"Ama`, /^Row 4 has an unmatched quotation mark/],
    ] as const) {
      const response = await post(content);
      expect(response.status).toBe(202);
      expect(await response.json()).toMatchObject({
        status: 'FAILED',
        totalRows: 0,
        fileError: expect.stringMatching(reason),
      });
    }
    expect(await active()).toEqual(['A1']);
    const latest = await current.client.call('GET /api/rosters/:groupId/uploads/latest', {
      params: { groupId: current.groupId },
    });
    expect(latest?.status).toBe('FAILED');
  });

  test('without a single valid row is not applied', async () => {
    await apply(line('100237000001'), line('100237000002'));
    const job = await apply(line('1.00237E+11'), line('1.00237E+11'));
    const statistics = { created: 0, updated: 0, removed: 0, unchanged: 0 };
    expect(job).toMatchObject({ status: 'FAILED', totalErrorRows: 2, statistics });
    expect(await active()).toEqual(['100237000001', '100237000002']);
  });

  test('removes no patient who appears in a row with errors, whatever the errors', async () => {
    await apply(line('100237000001', { first: 'José' }), line('100237000002'), line('A3'), line('A4'));
    const job = await apply(
      line('1.00237E+11', { first: 'JOSE', last: 'Osei100237000001', zip: 'x' }),
      line('A3'),
      line('A3', { last: 'Osei100237000002' }),
      `${line('B4', { last: 'OseiA4' })},more`,
    );
    expect(job).toMatchObject({
      status: 'DONE',
      totalErrorRows: 3,
      unplacedRows: 0,
      statistics: { created: 0, updated: 0, removed: 0, unchanged: 1 },
    });
    expect(await active()).toEqual(['100237000001', '100237000002', 'A3', 'A4']);
    const { rows } = await database.owner.query(
      sql`select distinct cells from roster_upload_rows where upload_id = ${job.jobId}`,
    );
    expect(rows).toEqual([{ cells: {} }]);
  });

  test('needs confirmation if patients would be removed and a row could be about any of them', async () => {
    await apply(line('A1'), line('A2'), line('A3'));
    const unplaced = line('1.00237E+11', { last: 'Nobody' });
    const job = await apply(line('A1'), unplaced, line('', { last: 'OseiA2' }));
    expect(job).toMatchObject({ status: 'AWAITING_CONFIRMATION', unplacedRows: 1, statistics: { removed: 1 } });
    expect(await active()).toEqual(['A1', 'A2', 'A3']);
    await current.client.call('POST /api/rosters/uploads/:jobId/confirm', { params: { jobId: job.jobId } });
    await processUpload(database.pipeline, job.jobId, deps);
    expect(await active()).toEqual(['A1', 'A2']);
    // Without removals there is nothing to confirm.
    expect(await apply(line('A1'), line('A2'), unplaced)).toMatchObject({ status: 'DONE', unplacedRows: 1 });
  });

  test('with a name on which an expression for newborns could backtrack without end is applied like any other', async () => {
    const job = await apply(
      line('A1', { first: `${'BABYBOY'.repeat(9)}X` }),
      line('A2', { last: 'BABYBOY'.repeat(9) }),
    );
    expect(job).toMatchObject({ status: 'DONE', statistics: { created: 2 } });
  });

  test('is checked in one pass, whatever PostgreSQL last knew of the table', async () => {
    await apply(line('A1'));
    await database.owner.query('analyze roster_upload_rows');
    // Comparing each row with each takes many minutes. None of them is used, so that no one has to be identified.
    const rows = Array.from({ length: 100_000 }, (_, n) => line(`B${n}`, { born: '13/45/1950' }));
    expect(await apply(rows.join('\n'))).toMatchObject({ status: 'FAILED', totalRows: 100_000 });
  });

  test('reports the headers it does not know', async () => {
    const response = await post(`${HEADER},Shoe size\n${line('A1')},42\n`);
    expect(await response.json()).toMatchObject({ status: 'RECEIVED', ignoredColumns: ['Shoe size'] });
  });

  test('without a file, or with another field, is refused', async () => {
    const response = await post(fileOf(line('A1')), { field: 'roster' });
    expect([response.status, await response.json()]).toMatchObject([400, { errorKey: 'ROSTER_FILE_MISSING' }]);
    const none = await current.client.fetch(`/api/rosters/${current.groupId}/uploads${ATTESTED}`, { method: 'POST' });
    expect(await none.json()).toMatchObject({ errorKey: 'ROSTER_FILE_MISSING' });
  });

  test('is refused while another one runs, even if both start at once', async () => {
    const answers = await Promise.all([post(fileOf(line('A1'))), post(fileOf(line('A2')))]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, 409]);
    expect(await (await post(fileOf(line('A1')))).json()).toMatchObject({ errorKey: 'ROSTER_UPLOAD_RUNNING' });
  });

  test('that is cut off leaves nothing behind', async () => {
    const broken = beginUpload(fileOf(...Array.from({ length: 5000 }, (_, index) => line(`B${index}`))));
    await expect.poll(storedRows, SOON).toBeGreaterThan(0);
    broken.breakOff();
    await expect(broken.response).rejects.toThrow();
    await expect.poll(async () => (await post(fileOf(line('A9')))).status, SOON).toBe(202);
    const { rows } = await database.owner.query(sql`select from roster_uploads where group_id = ${current.groupId}`);
    expect(rows).toHaveLength(1);
    expect(await storedRows()).toBe(1);
  });

  test('is refused for a facility, another group or another team’s job', async () => {
    const facility = await make.group({ type: 'HOS', organizationId: (await make.organization()).id });
    const team = await make.team({ groupIds: [facility.id], organizationId: facility.organizationId });
    const other = await make.user({ team, role: 'administrator' });
    const foreign = await signIn(app, other.username);
    foreign.teamId = team.id;
    expect((await post(fileOf(line('A1')), { group: facility.id, as: foreign })).status).toBe(400);
    expect((await post(fileOf(line('A1')), { as: foreign })).status).toBe(404);
    const jobId = await upload(line('A1'));
    for (const key of [
      'GET /api/rosters/uploads/:jobId',
      'POST /api/rosters/uploads/:jobId/confirm',
      'POST /api/rosters/uploads/:jobId/cancel',
    ] as const) {
      expect(await errorKey(foreign.call(key, { params: { jobId } }))).toBe('NOT_FOUND');
    }
    expect(
      await errorKey(
        foreign.call('GET /api/rosters/:groupId/uploads/latest', { params: { groupId: current.groupId } }),
      ),
    ).toBe('NOT_FOUND');
    expect((await foreign.fetch(`/api/rosters/uploads/${jobId}/errors.csv?teamId=${team.id}`)).status).toBe(404);
  });

  test('is audited', async () => {
    const { jobId } = await apply(line('A1'));
    const { rows } = await database.owner.query(
      sql`select action, user_id from audit_entries where action <> 'roster.view' and subject_id = ${jobId} order by id`,
    );
    expect(rows).toEqual([
      { action: 'roster.upload', user_id: current.userId },
      { action: 'roster.open', user_id: current.userId },
    ]);
  });
});

test('the template has every column and an example row that can be uploaded', async () => {
  const response = await current.client.fetch(`/api/rosters/template.csv?teamId=${current.client.teamId}`);
  const text = await response.text();
  expect(text.split('\r\n')[0]?.split(',')).toEqual(Object.values(ROSTER_COLUMNS).map(({ header }) => header));
  const jobId = ((await (await post(text)).json()) as { jobId: string }).jobId;
  await processUpload(database.pipeline, jobId, deps);
  expect(await jobOf(jobId)).toMatchObject({ status: 'DONE', totalRows: 1, totalErrorRows: 0, ignoredColumns: [] });
});
