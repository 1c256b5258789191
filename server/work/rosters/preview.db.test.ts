/** Uploads from the page wait for their preview, which says exactly what applying them does. */
import { describe, expect, test } from 'vitest';
import type { RosterChangeKind } from '#contract/rosters.ts';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { ATTESTED, errorKey, fileOf, line, lineOf, startRosterApp } from '#server/testing/rosters.ts';
import { cancelExpired, forgetUploadDetails } from './forget-details.ts';
import { processUpload } from './process.ts';

const app = await startRosterApp();
const { make, database, deps, current, post, jobOf, apply, active, clock } = app;
const PREVIEW = `${ATTESTED}&preview=true`;
const HOUR = 3_600_000;

/** Uploads a file as the page does, and checks it. */
async function check(...lines: string[]) {
  const { jobId } = (await (await post(fileOf(...lines), { query: PREVIEW })).json()) as { jobId: string };
  await processUpload(database.pipeline, jobId, deps);
  return jobOf(jobId);
}

const changes = (jobId: string, kind: RosterChangeKind, page: { pageNumber?: number; pageSize?: number } = {}) =>
  current.client.call('GET /api/rosters/uploads/:jobId/changes', { params: { jobId }, query: { kind, ...page } });

const confirm = (jobId: string) =>
  current.client.call('POST /api/rosters/uploads/:jobId/confirm', { params: { jobId } });
const cancel = (jobId: string) => current.client.call('POST /api/rosters/uploads/:jobId/cancel', { params: { jobId } });

test('columns that a file leaves out are cleared, and sample and preview say for how many people', async () => {
  const { groupId, client } = current;
  await apply(line('A1'), line('A2', { street: '' }), line('A3'));
  const file =
    'Member ID,First Name,Last Name,Date of Birth,ZIP\nA1,Ama,OseiA1,03/14/1941,14601\nA2,Ama,OseiA2,03/14/1941,14601';
  const body = new FormData();
  body.append('file', new Blob([file]), 'roster.csv');
  const sample = await (await client.fetch(`/api/rosters/${groupId}/sample`, { method: 'POST', body })).json();
  expect(sample).toMatchObject({ listed: { address1: 2, zip: 3, gender: 3, ssnLast4: 0, tags: 0 } });
  const { jobId } = (await (await post(file, { query: PREVIEW })).json()) as { jobId: string };
  expect(await jobOf(jobId)).toMatchObject({ clearedByColumn: {} });
  await processUpload(database.pipeline, jobId, deps);
  expect(await jobOf(jobId)).toMatchObject({ clearedByColumn: { 'Address 1': 1, Gender: 2 } });
});

describe('an upload with a preview', () => {
  test('changes nothing until someone of the team applies it, and says who did', async () => {
    await apply(line('A1'), line('A2'), line('A3'));
    const job = await check(line('A1'), line('A2', { street: '99 Other Street', zip: '14602' }), line('A4'));
    expect(job).toMatchObject({
      status: 'AWAITING_CONFIRMATION',
      waitsFor: 'PREVIEW',
      listedBefore: 3,
      statistics: { created: 1, updated: 1, removed: 1, unchanged: 1 },
    });
    expect(await active()).toEqual(['A1', 'A2', 'A3']);
    expect(await changes(job.jobId, 'ADDED')).toMatchObject({
      total: 1,
      changes: [
        {
          rowNumber: 4,
          memberId: 'A4',
          lastName: 'OseiA4',
          dateOfBirth: '1941-03-14',
          returns: false,
          differences: [],
        },
      ],
    });
    expect(await changes(job.jobId, 'CHANGED')).toMatchObject({
      total: 1,
      changes: [
        {
          memberId: 'A2',
          differences: [
            { column: 'Address 1', before: '12 Heron Lane', after: '99 Other Street' },
            { column: 'ZIP', before: '14601', after: '14602' },
          ],
        },
      ],
    });
    expect(await changes(job.jobId, 'REMOVED')).toMatchObject({
      total: 1,
      changes: [{ rowNumber: null, memberId: 'A3', lastName: 'OseiA3' }],
    });
    await confirm(job.jobId);
    await processUpload(database.pipeline, job.jobId, deps);
    const done = await jobOf(job.jobId);
    expect(done).toMatchObject({ status: 'DONE', statistics: job.statistics, matchedRows: 2 });
    expect(done.decidedBy).toBe(done.rosterUploader);
    expect([done.decidedByName, done.uploaderName]).toEqual([expect.not.stringContaining('@'), done.decidedByName]);
    expect(await active()).toEqual(['A1', 'A2', 'A4']);
    // The preview is gone, because it says nothing any more.
    expect((await changes(job.jobId, 'ADDED')).total).toBe(0);
  });

  test('says who returns', async () => {
    await apply(line('A1'), line('A2'));
    await apply(line('A1'));
    const { jobId } = await check(line('A1'), line('A2'));
    expect(await changes(jobId, 'ADDED')).toMatchObject({ changes: [{ memberId: 'A2', returns: true }] });
  });

  test('is read page by page', async () => {
    const { jobId } = await check(...Array.from({ length: 25 }, (_, n) => lineOf(`P${n}`, n)));
    const pages = await Promise.all(
      [1, 2, 3].map((pageNumber) => changes(jobId, 'ADDED', { pageNumber, pageSize: 10 })),
    );
    expect(pages.map((page) => [page.total, page.changes.length])).toEqual([
      [25, 10],
      [25, 10],
      [25, 5],
    ]);
    const ids = pages.flatMap((page) => page.changes.map(({ memberId }) => memberId));
    expect(new Set(ids).size).toBe(25);
  });

  test('waits for a confirmation of many removals as one without a preview does', async () => {
    const many = Array.from({ length: 101 }, (_, n) => lineOf(`B${n}`, n));
    await apply(...many);
    expect(await check(...many.slice(0, 50))).toMatchObject({ waitsFor: 'CONFIRMATION', statistics: { removed: 51 } });
  });

  test('of a group that is not approved waits for its team first, then for an operator', async () => {
    await database.owner.query(sql`update groups set approved_at = null where id = ${current.groupId}`);
    const { jobId, waitsFor } = await check(line('A1'));
    expect(waitsFor).toBe('PREVIEW');
    await confirm(jobId);
    await processUpload(database.pipeline, jobId, deps);
    expect(await jobOf(jobId)).toMatchObject({
      status: 'AWAITING_CONFIRMATION',
      waitsFor: 'OPERATOR',
      waitsUntil: null,
    });
    expect(await active()).toEqual([]);
    expect((await changes(jobId, 'ADDED')).total).toBe(1);
  });

  test('leaves no trace of its rows when canceled, and another can follow', async () => {
    const { jobId } = await check(line('A1'));
    expect(await cancel(jobId)).toMatchObject({ status: 'CANCELLED', decidedBy: expect.any(String) });
    await processUpload(database.pipeline, jobId, deps);
    const { rows } = await database.owner.query(sql`
      select upload_id from roster_upload_rows where upload_id = ${jobId}
      union all select upload_id from roster_upload_changes where upload_id = ${jobId}`);
    expect(rows).toEqual([]);
    expect(await check(line('A1'))).toMatchObject({ waitsFor: 'PREVIEW' });
  });

  test('is canceled after three days, and can no longer be applied from then on', async () => {
    const { jobId, waitsUntil } = await check(line('A1'));
    expect(Date.parse(waitsUntil ?? '') - clock.now().getTime()).toBe(72 * HOUR);
    expect(await cancelExpired(database.pipeline, new Date(clock.now().getTime() + 71 * HOUR))).toBe(0);
    await database.owner.query(sql`update roster_uploads set waits_until = ${clock.now()} where id = ${jobId}`);
    expect(await errorKey(confirm(jobId))).toBe('ROSTER_NOT_WAITING');
    expect(await cancelExpired(database.pipeline, clock.now())).toBe(1);
    expect(await jobOf(jobId)).toMatchObject({
      status: 'CANCELLED',
      fileError: expect.stringMatching(/^No one applied this/),
    });
    expect(await active()).toEqual([]);
  });

  test('is applied and canceled once, if both are asked at the same time', async () => {
    const { jobId } = await check(line('A1'));
    const outcomes = await Promise.allSettled([confirm(jobId), cancel(jobId)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('is refused while another one waits', async () => {
    await check(line('A1'));
    expect((await post(fileOf(line('A2')), { query: PREVIEW })).status).toBe(409);
  });
});

test('an upload of the API applies at once, as before', async () => {
  expect(await apply(line('A1'))).toMatchObject({ status: 'DONE', decidedBy: null, waitsUntil: null });
});

describe('who may see a preview', () => {
  const as = async (removed: string[]) => {
    await database.owner.query(sql`update grants set removed = ${removed} where user_id = ${current.userId}`);
  };

  test('not someone who may upload and see no patients: a short file would show the whole list', async () => {
    await apply(line('A1'), line('A2'));
    const { jobId } = await check(line('A1'));
    await as(['canViewPatients']);
    expect(await errorKey(changes(jobId, 'REMOVED'))).toBe('NOT_PERMITTED');
    await as(['canUploadRoster']);
    expect(await errorKey(changes(jobId, 'REMOVED'))).toBe('NOT_PERMITTED');
    await as([]);
  });

  test('without all details, addresses, numbers and member ids that the file does not say are left out', async () => {
    await apply(line('A1'), line('A2'));
    const { jobId } = await check(line('A1', { street: '99 Other Street' }));
    await as(['canViewAllPatientDetails']);
    expect((await changes(jobId, 'CHANGED')).changes[0]?.differences).toEqual([
      { column: 'Address 1', before: '•••', after: '99 Other Street' },
    ]);
    expect((await changes(jobId, 'REMOVED')).changes[0]?.memberId).toBe('');
    await as([]);
  });

  test('no other team, whatever they ask about the upload', async () => {
    const { jobId } = await check(line('A1'));
    const team = await make.team();
    const foreign = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
    foreign.teamId = team.id;
    const params = { jobId };
    expect(
      await errorKey(foreign.call('GET /api/rosters/uploads/:jobId/changes', { params, query: { kind: 'ADDED' } })),
    ).toBe('NOT_FOUND');
    expect(
      await errorKey(foreign.call('GET /api/rosters/uploads/:jobId/problems', { params, query: { kind: 'ERROR' } })),
    ).toBe('NOT_FOUND');
    expect(await errorKey(foreign.call('POST /api/rosters/uploads/:jobId/undo', { params }))).toBe('NOT_FOUND');
    const group = { groupId: current.groupId };
    expect(await errorKey(foreign.call('GET /api/rosters/:groupId/uploads', { params: group, query: {} }))).toBe(
      'NOT_FOUND',
    );
    expect(await errorKey(foreign.call('GET /api/rosters/:groupId/headers', { params: group }))).toBe('NOT_FOUND');
    expect(
      await errorKey(foreign.call('PUT /api/rosters/:groupId/headers', { params: group, body: { headers: [] } })),
    ).toBe('NOT_FOUND');
    expect(await errorKey(foreign.call('DELETE /api/rosters/:groupId/headers', { params: group }))).toBe('NOT_FOUND');
    expect((await foreign.fetch(`/api/rosters/template.csv?teamId=${team.id}&groupId=${current.groupId}`)).status).toBe(
      404,
    );
    const form = new FormData();
    form.set('file', new Blob(['x']), 'x.csv');
    expect((await foreign.fetch(`/api/rosters/${current.groupId}/sample`, { method: 'POST', body: form })).status).toBe(
      404,
    );
  });

  test('each look is in the audit log, with the patients it showed', async () => {
    await apply(line('A1'), line('A2'));
    const { jobId } = await check(line('A1'));
    await changes(jobId, 'REMOVED');
    const { rows } = await database.owner.query<{ patients: string[] | null }>(sql`
      select patient_ids::text[] as patients from audit_entries where action = 'roster.preview' order by id desc limit 1`);
    expect(rows[0]?.patients).toHaveLength(1);
  });
});

describe('problems', () => {
  const problems = (jobId: string, query: { kind: 'ERROR' | 'WARNING'; column?: 'Date of Birth'; after?: number }) =>
    current.client.call('GET /api/rosters/uploads/:jobId/problems', { params: { jobId }, query });

  test('name row, column, what the file says and how to mend it', async () => {
    const { jobId } = await check(
      line('A1'),
      line('A2', { born: '13/40/1950', zip: 'K1A 0B1' }),
      line('A3', { first: '' }),
    );
    expect(await problems(jobId, { kind: 'ERROR' })).toEqual({
      problems: [
        {
          rowNumber: 3,
          memberId: 'A2',
          column: 'Date of Birth',
          value: '13/40/1950',
          reason: 'Not a valid date. Use MM/DD/YYYY',
        },
        {
          rowNumber: 4,
          memberId: 'A3',
          column: 'First Name',
          value: null,
          reason: 'Required value is missing. Fill in the cell',
        },
      ],
      next: null,
    });
    expect((await problems(jobId, { kind: 'WARNING' })).problems).toMatchObject([
      { rowNumber: 3, column: 'ZIP', value: 'K1A 0B1' },
    ]);
    expect((await problems(jobId, { kind: 'ERROR', column: 'Date of Birth' })).problems).toHaveLength(1);
  });

  test('are read page by page, and kept for 90 days', async () => {
    const bad = Array.from({ length: 30 }, (_, n) => line(`B${n}`, { born: 'x' }));
    const { jobId } = await apply(line('A1'), ...bad);
    const first = await problems(jobId, { kind: 'ERROR' });
    expect(first.problems).toHaveLength(25);
    const second = await problems(jobId, { kind: 'ERROR', after: first.next ?? 0 });
    expect([second.problems.length, second.next]).toEqual([5, null]);
    await forgetUploadDetails(database.pipeline, new Date(clock.now().getTime() + 89 * 24 * HOUR));
    expect((await problems(jobId, { kind: 'ERROR' })).problems).toHaveLength(25);
    await forgetUploadDetails(database.pipeline, new Date(clock.now().getTime() + 91 * 24 * HOUR));
    expect((await problems(jobId, { kind: 'ERROR' })).problems).toEqual([]);
    expect(await jobOf(jobId)).toMatchObject({ totalErrorRows: 30 });
  });

  test('of a file without a usable row say what is most often wrong', async () => {
    const job = await apply(line('A1', { born: '11-7-2153' }), line('A2', { born: '11-7-2153' }));
    expect(job.fileError).toBe(
      'None of the rows could be used. Most frequent problem, in 2 rows: Date of Birth: Date is in the future. Use the date of birth as MM/DD/YYYY. The roster has not changed.',
    );
  });
});

describe('earlier uploads', () => {
  test('are listed page by page, newest first, with who and when', async () => {
    for (const id of ['A1', 'A2', 'A3']) await apply(line(id));
    await post('nothing');
    const params = { groupId: current.groupId };
    const page = (pageNumber: number) =>
      current.client.call('GET /api/rosters/:groupId/uploads', { params, query: { pageNumber, pageSize: 3 } });
    const [first, second] = [await page(1), await page(2)];
    expect([first.total, first.uploads.length, second.uploads.length]).toEqual([4, 3, 1]);
    expect(first.uploads[0]).toMatchObject({ status: 'FAILED', fileError: expect.stringMatching(/^Missing required/) });
    expect(first.uploads[1]).toMatchObject({ status: 'DONE', statistics: { created: 1, removed: 1 } });
  });
});

describe("a group's own headers", () => {
  const params = () => ({ groupId: current.groupId });
  const file = 'Kundennummer,Rufname,Nachname,Geb,Shoe size\nA1,Ama,Osei,3/14/1941,42\n';
  const sample = async (content: string) => {
    const form = new FormData();
    form.set('file', new Blob([content]), 'x.csv');
    const response = await current.client.fetch(`/api/rosters/${current.groupId}/sample`, {
      method: 'POST',
      body: form,
    });
    return (await response.json()) as { headers: { header: string; column: string | null; reading: string }[] };
  };
  const set = (headers: { header: string; column: 'memberId' | 'firstName' | 'lastName' | 'dateOfBirth' | null }[]) =>
    current.client.call('PUT /api/rosters/:groupId/headers', { params: params(), body: { headers } });

  test('are set once, and then read each of its files; the template has them', async () => {
    expect((await sample(file)).headers.map(({ reading }) => reading)).toEqual(
      Array.from({ length: 5 }, () => 'UNKNOWN'),
    );
    expect(await (await post(file)).json()).toMatchObject({ status: 'FAILED' });
    await set([
      { header: 'Kundennummer', column: 'memberId' },
      { header: 'Rufname', column: 'firstName' },
      { header: 'Nachname', column: 'lastName' },
      { header: 'Geb', column: 'dateOfBirth' },
      { header: 'Shoe size', column: null },
    ]);
    expect((await sample(file)).headers.map(({ column }) => column)).toEqual([
      'memberId',
      'firstName',
      'lastName',
      'dateOfBirth',
      null,
    ]);
    const { jobId } = (await (await post(file)).json()) as { jobId: string };
    await processUpload(database.pipeline, jobId, deps);
    expect(await jobOf(jobId)).toMatchObject({
      status: 'DONE',
      ignoredColumns: ['Shoe size'],
      statistics: { created: 1 },
    });
    const { teamId } = current.client;
    const path = `/api/rosters/template.csv?teamId=${teamId}&groupId=${current.groupId}`;
    const template = await (await current.client.fetch(path)).text();
    expect(template).toMatch(/^Kundennummer,Rufname,Middle Name,Nachname,Suffix,Geb,/);
    const reread = (await (await post(template)).json()) as { jobId: string; ignoredColumns: string[] };
    expect(reread.ignoredColumns).toEqual([]);
    await processUpload(database.pipeline, reread.jobId, deps);
    await current.client.call('DELETE /api/rosters/:groupId/headers', { params: params() });
    expect(await current.client.call('GET /api/rosters/:groupId/headers', { params: params() })).toEqual([]);
    expect(await (await current.client.fetch(path)).text()).toMatch(/^Member ID,/);
  });

  test('are refused twice in one call, without a letter, and beyond 200', async () => {
    expect(
      await errorKey(
        set([
          { header: 'Nr.', column: 'memberId' },
          { header: 'NR', column: null },
        ]),
      ),
    ).toBe('BAD_REQUEST');
    expect(await errorKey(set([{ header: '--', column: null }]))).toBe('BAD_REQUEST');
    const many = (from: number) => Array.from({ length: 150 }, (_, n) => ({ header: `h${from + n}`, column: null }));
    expect(await set(many(0))).toHaveLength(150);
    expect(await errorKey(set(many(150)))).toBe('BAD_REQUEST');
  });

  test('each change is in the audit log', async () => {
    await set([{ header: 'Nr', column: 'memberId' }]);
    const { rows } = await database.owner.query(sql`
      select user_id, detail from audit_entries where action = 'roster.headers' and subject_id = ${current.groupId}`);
    expect(rows).toEqual([{ user_id: current.userId, detail: { headers: 1 } }]);
  });
});
