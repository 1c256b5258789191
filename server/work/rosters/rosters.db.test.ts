import { beforeEach, describe, expect, test } from 'vitest';
import { ROSTER_COLUMNS } from '#contract/rosters.ts';
import { sql } from '#server/platform/database/sql.ts';
import { endListings } from '#server/record/listings/end-listings.ts';
import { type FacilityPatient, listAtFacility } from '#server/record/listings/facility-listing.ts';
import { identify } from '#server/record/matching/identify.ts';
import { CallError, type Client, signIn, startApp } from '#server/testing/app.ts';
import { unfinishedUploads } from './job.ts';
import { processUpload } from './process.ts';

const app = await startApp();
const { make, clock, database } = app;
await database.pipeline.query("select ensure_partitions('2026-11-01', '2026-12-31')");
const deps = { clock: clock.now };
/** Interrupts the job after so many of its steps, as a process that ends does. */
const stopAfterSteps = (steps: number) => {
  let looks = 0;
  return {
    get aborted() {
      looks += 1;
      return looks > steps;
    },
  } as AbortSignal;
};

let client: Client;
let groupId = '';
let userId = '';

beforeEach(async () => {
  await database.owner.query('truncate persons, blocking_keys, person_links, match_reviews cascade');
  const team = await make.team();
  groupId = team.groupIds[0] ?? '';
  const user = await make.user({ team, role: 'administrator' });
  userId = user.id;
  client = await signIn(app, user.username);
  client.teamId = team.id;
});

const HEADER = 'Member ID,First Name,Last Name,Date of Birth,Address 1,ZIP,Gender';
const line = (
  id: string,
  over: Partial<Record<'first' | 'last' | 'born' | 'street' | 'zip' | 'sex', string>> = {},
): string => {
  const {
    first = 'Ama',
    last = `Osei${id}`,
    born = '3/14/1941',
    street = '12 Heron Lane',
    zip = '14601',
    sex = 'F',
  } = over;
  return [id, first, last, born, street, zip, sex].join(',');
};
const fileOf = (...lines: string[]): string => [HEADER, ...lines].join('\n');

async function post(content: string | Blob, { group = groupId, field = 'file', as = client } = {}): Promise<Response> {
  const form = new FormData();
  form.set(field, new Blob([content]), 'C:\\Users\\rosa\\March roster.csv');
  return as.fetch(`/api/rosters/${group}/uploads`, { method: 'POST', body: form });
}

async function upload(...lines: string[]): Promise<string> {
  const response = await post(fileOf(...lines));
  expect(response.status).toBe(202);
  return ((await response.json()) as { jobId: string }).jobId;
}

const jobOf = (jobId: string) => client.call('GET /api/rosters/uploads/:jobId', { params: { jobId } });

async function apply(...lines: string[]) {
  const jobId = await upload(...lines);
  await processUpload(database.pipeline, jobId, deps);
  return jobOf(jobId);
}

interface Listed {
  id: string;
  memberId: string;
  personId: string;
  lastName: string;
  leftAt: string | null;
}

async function roster(): Promise<Listed[]> {
  const { rows } = await database.owner.query<Listed>(sql`
    select id, member_id as "memberId", person_id as "personId", last_name as "lastName", left_at as "leftAt"
    from roster_patients where group_id = ${groupId} order by member_id`);
  return rows;
}

const active = async (): Promise<string[]> => (await roster()).filter((r) => r.leftAt === null).map((r) => r.memberId);

async function errorKey(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof CallError ? error.body.errorKey : 'no CallError';
}

describe('an upload', () => {
  test('creates, updates, removes and leaves alone; a row that leaves and returns is the same row', async () => {
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
      sql`select kind, change from change_log where group_id = ${groupId} and kind = 'group'`,
    );
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ kind: 'group', change: 'reload' })));
    const waiting = await database.owner.query(sql`select from roster_upload_rows where upload_id = ${third.jobId}`);
    expect(waiting.rowCount).toBe(0);
  });

  test('leaves a row with errors as it was, counts it by column and reports it without formulas', async () => {
    await apply(line('A1'), line('=A2'));
    const job = await apply(
      line('A1', { born: '13/45/1941', sex: 'Q' }),
      line('=A2', { zip: 'x' }),
      line('A3'),
      line('A3', { last: 'Twice' }),
      line(''),
    );
    expect(job).toMatchObject({
      status: 'DONE',
      totalRows: 5,
      totalErrorRows: 4,
      errorsByColumn: { 'Date of Birth': 1, Gender: 1, ZIP: 1, 'Member ID': 2 },
      statistics: { created: 1, updated: 0, removed: 0, unchanged: 0 },
    });
    expect(await active()).toEqual(['=A2', 'A1', 'A3']);
    expect((await roster()).find((r) => r.memberId === 'A3')?.lastName).toBe('OseiA3');
    const response = await client.fetch(`/api/rosters/uploads/${job.jobId}/errors.csv?teamId=${client.teamId}`);
    expect(response.headers.get('content-disposition')).toContain(`roster-${job.jobId}-errors.csv`);
    const text = await response.text();
    expect(text.split('\r\n').slice(0, 4)).toEqual([
      'Row,Member ID,Column,What is wrong',
      '2,A1,Date of Birth,is a day that does not exist',
      '2,A1,Gender,"is not M, F, Male, Female, Other or Unknown"',
      "3,'=A2,ZIP,is not a ZIP code of 5 or 9 digits",
    ]);
    expect(text).not.toContain('13/45');
  });

  test('whose file is wrong as a whole fails at once, names why and changes nothing', async () => {
    await apply(line('A1'));
    for (const [content, reason] of [
      ['Member ID,First Name,Last Name\nA1,Ama,Osei\n', 'The file lacks the column "Date of Birth".'],
      ['', 'The file is empty.'],
      [`${fileOf(line('A2'), line('A3'))}\nA4,"Ama`, /^Row 4 has a quotation mark/],
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
    const latest = await client.call('GET /api/rosters/:groupId/uploads/latest', { params: { groupId } });
    expect(latest?.status).toBe('FAILED');
  });

  test('in which no row can be read is not applied', async () => {
    await apply(line('100237000001'), line('100237000002'));
    const job = await apply(line('1.00237E+11'), line('1.00237E+11'));
    expect(job).toMatchObject({ status: 'FAILED', totalErrorRows: 2 });
    expect(await active()).toEqual(['100237000001', '100237000002']);
  });

  test('takes nobody off the roster who stands in a row that cannot be read, whatever is wrong with the row', async () => {
    await apply(line('100237000001', { first: 'José' }), line('100237000002'), line('A3'), line('A4'));
    const job = await apply(
      line('1.00237E+11', { first: 'JOSE', last: 'Osei100237000001', zip: 'x' }),
      line('A3'),
      line('A3', { last: 'Osei100237000002' }),
      line('B4', { last: 'OseiA4', sex: 'Q' }),
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

  test('waits where people would leave and a row names nobody, so that it may be one of them', async () => {
    await apply(line('A1'), line('A2'), line('A3'));
    const unplaced = line('1.00237E+11', { last: 'Nobody' });
    const job = await apply(line('A1'), unplaced, line('', { last: 'OseiA2' }));
    expect(job).toMatchObject({ status: 'AWAITING_CONFIRMATION', unplacedRows: 1, statistics: { removed: 1 } });
    expect(await active()).toEqual(['A1', 'A2', 'A3']);
    await client.call('POST /api/rosters/uploads/:jobId/confirm', { params: { jobId: job.jobId } });
    await processUpload(database.pipeline, job.jobId, deps);
    expect(await active()).toEqual(['A1', 'A2']);
    // Where nobody would leave there is nothing to ask.
    expect(await apply(line('A1'), line('A2'), unplaced)).toMatchObject({ status: 'DONE', unplacedRows: 1 });
  });

  test('says which headers it does not know', async () => {
    const response = await post(`${HEADER},Shoe size\n${line('A1')},42\n`);
    expect(await response.json()).toMatchObject({ status: 'RECEIVED', ignoredColumns: ['Shoe size'] });
  });

  test('without a file, or of another field, is refused', async () => {
    const response = await post(fileOf(line('A1')), { field: 'roster' });
    expect([response.status, await response.json()]).toMatchObject([400, { errorKey: 'ROSTER_FILE_MISSING' }]);
    const none = await client.fetch(`/api/rosters/${groupId}/uploads`, { method: 'POST' });
    expect(await none.json()).toMatchObject({ errorKey: 'ROSTER_FILE_MISSING' });
  });

  test('while another one runs is refused, also when both come at once', async () => {
    const answers = await Promise.all([post(fileOf(line('A1'))), post(fileOf(line('A2'))), post(fileOf(line('A3')))]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, 409, 409]);
    expect(await (await post(fileOf(line('A1')))).json()).toMatchObject({ errorKey: 'ROSTER_UPLOAD_RUNNING' });
  });

  test('that breaks off leaves nothing', async () => {
    const boundary = 'b';
    const start = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="r.csv"\r\n\r\n${fileOf(line('A1'))}`;
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(start));
        setTimeout(() => controller.error(new Error('gone')), 50);
      },
    });
    const init = {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    };
    await expect(client.fetch(`/api/rosters/${groupId}/uploads`, init as RequestInit)).rejects.toThrow();
    await expect.poll(async () => (await post(fileOf(line('A9')))).status).toBe(202);
    const { rows } = await database.owner.query(sql`select from roster_uploads where group_id = ${groupId}`);
    expect(rows).toHaveLength(1);
  });

  test('for a facility, another group or another team’s job is refused', async () => {
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
    expect(await errorKey(foreign.call('GET /api/rosters/:groupId/uploads/latest', { params: { groupId } }))).toBe(
      'NOT_FOUND',
    );
    expect((await foreign.fetch(`/api/rosters/uploads/${jobId}/errors.csv?teamId=${team.id}`)).status).toBe(404);
  });

  test('is audited', async () => {
    const { jobId } = await apply(line('A1'));
    const { rows } = await database.owner.query(
      sql`select action, user_id from audit_entries where subject = 'roster-upload' and subject_id = ${jobId}`,
    );
    expect(rows).toEqual([{ action: 'roster.upload', user_id: userId }]);
  });
});

describe('a file that removes more than half of a roster of over a hundred', () => {
  const many = Array.from({ length: 101 }, (_, i) =>
    line(`B${String(i).padStart(3, '0')}`, { born: `1/${(i % 28) + 1}/19${40 + (i % 50)}` }),
  );

  async function halve() {
    await apply(...many);
    const job = await apply(...many.slice(0, 50));
    expect(job).toMatchObject({
      status: 'AWAITING_CONFIRMATION',
      statistics: { created: 0, updated: 0, removed: 51, unchanged: 50 },
    });
    return job.jobId;
  }

  test('waits, and is applied once confirmed', async () => {
    const jobId = await halve();
    expect(await active()).toHaveLength(101);
    expect((await post(fileOf(line('A1')))).status).toBe(409);
    expect(await client.call('POST /api/rosters/uploads/:jobId/confirm', { params: { jobId } })).toMatchObject({
      status: 'APPLYING',
    });
    expect(await errorKey(client.call('POST /api/rosters/uploads/:jobId/confirm', { params: { jobId } }))).toBe(
      'ROSTER_NOT_WAITING',
    );
    await processUpload(database.pipeline, jobId, deps);
    expect(await jobOf(jobId)).toMatchObject({ status: 'DONE', statistics: { removed: 51, unchanged: 50 } });
    expect(await active()).toHaveLength(50);
  });

  test('changes nothing when cancelled, and keeps no rows', async () => {
    const jobId = await halve();
    expect(await client.call('POST /api/rosters/uploads/:jobId/cancel', { params: { jobId } })).toMatchObject({
      status: 'CANCELLED',
    });
    await processUpload(database.pipeline, jobId, deps);
    expect(await active()).toHaveLength(101);
    const { rows } = await database.owner.query(sql`select from roster_upload_rows where upload_id = ${jobId}`);
    expect(rows).toHaveLength(0);
    expect((await post(fileOf(line('A1')))).status).toBe(202);
  });

  test('is not applied where the uploader has lost the right meanwhile', async () => {
    const jobId = await halve();
    await client.call('POST /api/rosters/uploads/:jobId/confirm', { params: { jobId } });
    await database.owner.query(sql`update grants set removed = '{canUploadRoster}' where user_id = ${userId}`);
    await processUpload(database.pipeline, jobId, deps);
    await database.owner.query(sql`update grants set removed = '{}' where user_id = ${userId}`);
    expect((await jobOf(jobId)).status).toBe('FAILED');
    expect(await active()).toHaveLength(101);
  });
});

describe('the job', () => {
  const lines = Array.from({ length: 1200 }, (_, i) =>
    line(`C${i}`, {
      first: `Ama${i}`,
      last: `Osei${i}`,
      street: `${i} Heron Lane`,
      born: `${(i % 12) + 1}/${(i % 28) + 1}/${1930 + (i % 60)}`,
    }),
  );

  test('is enqueued with the upload', async () => {
    const jobId = await upload(line('A1'));
    const { rows } = await database.owner.query(
      `select task_identifier, key from graphile_worker.jobs where key = 'roster:${jobId}'`,
    );
    expect(rows).toEqual([{ task_identifier: 'process-roster', key: `roster:${jobId}` }]);
  });

  test('goes on where it was killed, at whatever point, and ends the same', async () => {
    class Killed extends Error {}
    const jobId = await upload(...lines);
    let kills = 0;
    for (let survive = 0; (await jobOf(jobId)).status !== 'DONE' && survive < 60; survive++) {
      let statements = 0;
      const dying = {
        ...database.pipeline,
        transaction: (fn, options) =>
          database.pipeline.transaction(
            (tx) =>
              fn({
                ...tx,
                query: ((...args: [string]) => {
                  if (++statements > survive * 4) throw Object.assign(new Killed('killed'), { code: '40001' });
                  return tx.query(...args);
                }) as typeof tx.query,
              }),
            { ...options, retries: 0 },
          ),
      } as typeof database.pipeline;
      await processUpload(dying, jobId, deps).catch((error: unknown) => {
        expect(error).toBeInstanceOf(Killed);
        kills++;
      });
      expect(await unfinishedUploads(database.pipeline).then((ids) => ids.includes(jobId))).toBe(
        (await jobOf(jobId)).status !== 'DONE',
      );
    }
    expect(kills).toBeGreaterThan(5);
    expect(await jobOf(jobId)).toMatchObject({
      status: 'DONE',
      totalErrorRows: 0,
      statistics: { created: 1200, removed: 0 },
    });
    expect(await active()).toHaveLength(1200);
    const { rows } = await database.owner.query(sql`
      select distinct l.subject_id from person_links l join roster_patients r on r.id = l.subject_id and l.subject = 'ROSTER_PATIENT' where r.group_id = ${groupId}`);
    expect(rows).toHaveLength(1200);
  });

  test('that is interrupted by the end of the process goes on when it is run again', async () => {
    const id = await upload(line('1'));
    const ended = AbortSignal.abort();
    await expect(processUpload(database.pipeline, id, { ...deps, signal: ended })).rejects.toThrow('interrupted');
    expect(await unfinishedUploads(database.pipeline)).toContain(id);
    await processUpload(database.pipeline, id, deps);
    expect(await unfinishedUploads(database.pipeline)).not.toContain(id);
  });

  test('of a large file lets PostgreSQL plan for its rows at once', async () => {
    const lines = Array.from({ length: 5001 }, (_, n) => {
      const born = `${1 + (n % 12)}/${1 + (n % 28)}/${1930 + (n % 61)}`;
      return line(`L${n}`, { first: `Ama${n % 97}`, born, street: `${n} Heron Lane`, zip: String(10_000 + n) });
    });
    await apply(...lines);
    const { rows } = await database.owner.query<{ table: string; counted: number }>(sql`
      select relname as table, reltuples::int as counted from pg_class
      where relnamespace = 'tidings'::regnamespace and relname in ('roster_patients', 'blocking_keys', 'persons')`);
    expect(rows).toHaveLength(3);
    // An estimate; of what was never counted it is -1.
    for (const { counted } of rows) expect(counted).toBeGreaterThan(4000);
  });

  test('run twice at once does its work once', async () => {
    const jobId = await upload(...lines);
    await Promise.all([processUpload(database.pipeline, jobId, deps), processUpload(database.pipeline, jobId, deps)]);
    expect(await jobOf(jobId)).toMatchObject({
      status: 'DONE',
      statistics: { created: 1200, updated: 0, removed: 0, unchanged: 0 },
    });
    expect(await active()).toHaveLength(1200);
  });

  test('that cannot be done has failed, with the roster as it was', async () => {
    await apply(line('A1'));
    const jobId = await upload(line('A2'));
    await database.owner.query(
      sql`update roster_upload_rows set cells = '{"dateOfBirth": "no day"}' where upload_id = ${jobId}`,
    );
    await expect(processUpload(database.pipeline, jobId, deps)).rejects.toThrow();
    expect(await jobOf(jobId)).toMatchObject({
      status: 'FAILED',
      fileError: expect.stringContaining('nothing was changed'),
    });
    expect(await active()).toEqual(['A1']);
  });
});

describe('pings', () => {
  const ama = { first: 'Ama', last: 'Osei', born: '3/14/1941' };
  const demographics = {
    name: { family: 'OSEI', given: 'AMA', middle: null, suffix: null },
    birthDate: '1941-03-14',
    sex: 'Female',
    address: { line1: '12 Heron Ln', line2: null, city: null, state: null, zip: '14601' },
  } as const;

  async function inHospital() {
    const encounter = await make.encounter();
    await database.owner.query(
      sql`update source_patients set demographics = ${JSON.stringify(demographics)} where id = ${encounter.sourcePatientId}`,
    );
    await make.event({ encounterId: encounter.id });
    await database.pipeline.transaction((tx) =>
      identify(tx, { kind: 'SOURCE_PATIENT', id: encounter.sourcePatientId }, { now: clock.now() }),
    );
    return encounter;
  }

  const pingsOf = async () =>
    (
      await database.owner.query<{ status: string; state: string; statusId: string | null }>(sql`
      select management_status as status, state, status_id as "statusId" from pings where group_id = ${groupId} order by id`)
    ).rows;

  test('who joins a roster while in hospital brings one for that visit; who leaves it has it resolved by the system', async () => {
    await inHospital();
    await apply(line('A1', ama), line('A2', { first: 'Kofi', last: 'Boateng', born: '1/2/1950', sex: 'M' }));
    expect(await pingsOf()).toMatchObject([{ status: 'NEW', state: 'ACTIVE' }]);
    await apply(line('A2', { first: 'Kofi', last: 'Boateng', born: '1/2/1950', sex: 'M' }));
    const [ping] = await pingsOf();
    expect(ping).toMatchObject({ status: 'RESOLVED', state: 'ACTIVE' });
    const { rows } = await database.owner.query(
      sql`select resolutions, user_id, username from management_statuses where id = ${ping?.statusId}`,
    );
    expect(rows).toEqual([{ resolutions: ['SYSTEM_RESOLVED'], user_id: null, username: 'System' }]);
  });

  test('told by a message that was at work while the roster was applied are resolved too', async () => {
    await processUpload(database.pipeline, await upload(line('1')), deps);
    const { rows } = await database.pipeline.query<{ id: string; personId: string }>(
      'select id, person_id as "personId" from roster_patients where group_id = $1',
      [groupId],
    );
    const { id: rosterPatientId = '', personId = '' } = rows[0] ?? {};
    const encounter = await make.encounter({ personId });
    const another = line('2', { first: 'Bela', last: 'Quarshie', born: '1/2/1950', street: '9 Elm Row', zip: '10001' });
    const uploadId = await upload(another);
    await expect(processUpload(database.pipeline, uploadId, { ...deps, signal: stopAfterSteps(3) })).rejects.toThrow(
      'interrupted',
    );
    const { id: ping } = await make.ping({ groupId, encounter, rosterPatientId });
    await processUpload(database.pipeline, uploadId, deps);
    const after = await database.pipeline.query('select management_status as status from pings where id = $1', [ping]);
    expect(after.rows).toEqual([{ status: 'RESOLVED' }]);
  });

  test('stay open where the group lists the person under another member id too', async () => {
    await inHospital();
    await apply(line('A1', ama), line('A9', ama));
    await apply(line('A9', ama));
    expect(await pingsOf()).toMatchObject([{ status: 'NEW' }]);
  });

  test('stay open where the same file lists the person under a new member id', async () => {
    await inHospital();
    await apply(line('A1', ama));
    await apply(line('B1', ama));
    expect(await pingsOf()).toMatchObject([{ status: 'NEW' }]);
  });

  test('that the system resolved are new again where who left by a mistake returns during the stay', async () => {
    await inHospital();
    const kofi = line('A2', { first: 'Kofi', last: 'Boateng', born: '1/2/1950', sex: 'M' });
    await apply(line('A1', ama), kofi);
    await apply(kofi);
    expect(await pingsOf()).toMatchObject([{ status: 'RESOLVED' }]);
    await apply(line('A1', ama), kofi);
    expect(await pingsOf()).toMatchObject([{ status: 'NEW' }]);
  });

  test('of a row that turns out to be somebody else are retracted', async () => {
    await inHospital();
    await apply(line('A1', ama));
    await apply(line('A1', { first: 'Kofi', last: 'Boateng', born: '1/2/1950', sex: 'M', street: '4 Quay Road' }));
    expect(await pingsOf()).toMatchObject([{ state: 'CANCELLED' }]);
  });

  test('a facility lists its patients until 90 days after the last discharge', async () => {
    const encounter = await inHospital();
    const list = (over: Partial<FacilityPatient>) =>
      database.pipeline.transaction((tx) =>
        listAtFacility(
          tx,
          [{ id: encounter.sourcePatientId, demographics, hasVisits: true, lastDischarge: null, ...over }],
          clock.now(),
        ),
      );
    const state = async () =>
      (
        await database.owner.query<{ lastName: string; leavesAt: string | null; leftAt: string | null }>(sql`
        select last_name as "lastName", leaves_at as "leavesAt", left_at as "leftAt" from roster_patients where group_id = ${encounter.groupId}`)
      ).rows;
    const joined = await list({});
    expect(joined).toHaveLength(1);
    expect(await state()).toEqual([{ lastName: 'OSEI', leavesAt: null, leftAt: null }]);
    expect(await list({ lastDischarge: '2026-11-20T10:00:00.000Z' })).toEqual([]);
    expect(await state()).toMatchObject([{ leavesAt: '2027-02-18T10:00:00.000Z', leftAt: null }]);
    expect(await database.pipeline.transaction((tx) => endListings(tx, new Date('2027-02-18T09:59:00Z')))).toBe(0);
    expect(await database.pipeline.transaction((tx) => endListings(tx, new Date('2027-02-18T10:00:00Z')))).toBe(1);
    expect(await list({})).toEqual(joined);
    expect(await state()).toMatchObject([{ leavesAt: null, leftAt: null }]);
    await list({ hasVisits: false });
    expect((await state())[0]?.leftAt).not.toBeNull();
    expect(await list({ lastDischarge: '2020-01-01T00:00:00.000Z' })).toEqual([]);
  });
});

test('the template has every column and an example that can be uploaded', async () => {
  const response = await client.fetch(`/api/rosters/template.csv?teamId=${client.teamId}`);
  const text = await response.text();
  expect(text.split('\r\n')[0]?.split(',')).toEqual(Object.values(ROSTER_COLUMNS).map(({ header }) => header));
  const jobId = ((await (await post(text)).json()) as { jobId: string }).jobId;
  await processUpload(database.pipeline, jobId, deps);
  expect(await jobOf(jobId)).toMatchObject({ status: 'DONE', totalRows: 1, totalErrorRows: 0, ignoredColumns: [] });
});
