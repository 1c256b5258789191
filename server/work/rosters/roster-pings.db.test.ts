import { describe, expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { endListings } from '#server/record/listings/end-listings.ts';
import { type FacilityPatient, listAtFacility } from '#server/record/listings/facility-listing.ts';
import { line, startRosterApp } from '#server/testing/rosters.ts';
import { identify } from '#server/testing/subjects.ts';
import { processUpload } from './process.ts';

const { make, clock, database, deps, current, upload, apply } = await startRosterApp();

/** A signal that aborts the job after this many steps, like a process that shuts down. */
const stopAfterSteps = (steps: number) => {
  let checks = 0;
  return {
    get aborted() {
      checks += 1;
      return checks > steps;
    },
  } as AbortSignal;
};

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
      select management_status as status, state, status_id as "statusId" from pings where group_id = ${current.groupId} order by id`)
    ).rows;

  test('are sent for a patient who joins during a stay, and resolved by the system when the patient leaves', async () => {
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

  test('sent by a message that was processed while the roster was applied are resolved too', async () => {
    await processUpload(database.pipeline, await upload(line('1')), deps);
    const { rows } = await database.pipeline.query<{ id: string; personId: string }>(
      'select id, person_id as "personId" from roster_patients where group_id = $1',
      [current.groupId],
    );
    const { id: rosterPatientId = '', personId = '' } = rows[0] ?? {};
    const encounter = await make.encounter({ personId });
    const another = line('2', { first: 'Bela', last: 'Quarshie', born: '1/2/1950', street: '9 Elm Row', zip: '10001' });
    const uploadId = await upload(another);
    await expect(processUpload(database.pipeline, uploadId, { ...deps, signal: stopAfterSteps(3) })).rejects.toThrow(
      'interrupted',
    );
    const { id: ping } = await make.ping({ groupId: current.groupId, encounter, rosterPatientId });
    await processUpload(database.pipeline, uploadId, deps);
    const after = await database.pipeline.query('select management_status as status from pings where id = $1', [ping]);
    expect(after.rows).toEqual([{ status: 'RESOLVED' }]);
  });

  test('stay open if the group also lists the person under another member id', async () => {
    await inHospital();
    await apply(line('A1', ama), line('A9', ama));
    await apply(line('A9', ama));
    expect(await pingsOf()).toMatchObject([{ status: 'NEW' }]);
  });

  test('stay open if the same file lists the person under a new member id', async () => {
    await inHospital();
    await apply(line('A1', ama));
    await apply(line('B1', ama));
    expect(await pingsOf()).toMatchObject([{ status: 'NEW' }]);
  });

  test('that the system resolved are new again if a patient removed by mistake returns during the stay', async () => {
    await inHospital();
    const kofi = line('A2', { first: 'Kofi', last: 'Boateng', born: '1/2/1950', sex: 'M' });
    await apply(line('A1', ama), kofi);
    await apply(kofi);
    expect(await pingsOf()).toMatchObject([{ status: 'RESOLVED' }]);
    await apply(line('A1', ama), kofi);
    expect(await pingsOf()).toMatchObject([{ status: 'NEW' }]);
  });

  test('stay with their history when an upload is undone: they are resolved by the system and open again', async () => {
    await inHospital();
    const kofi = line('A2', { first: 'Kofi', last: 'Boateng', born: '1/2/1950', sex: 'M' });
    const undo = async (jobId: string) => {
      const undoing = await current.client.call('POST /api/rosters/uploads/:jobId/undo', { params: { jobId } });
      await processUpload(database.pipeline, undoing.jobId, deps);
    };
    const history = async () => {
      const { rows } = await database.owner.query<{ text: string }>(sql`
        select s.status || ' ' || s.username as text from management_statuses s
        where exists (select from pings p where p.id = any (s.ping_ids) and p.group_id = ${current.groupId}) order by s.id`);
      return rows.map(({ text }) => text);
    };
    await apply(kofi);
    await undo((await apply(kofi, line('A1', ama))).jobId);
    expect(await pingsOf()).toMatchObject([{ status: 'RESOLVED', state: 'ACTIVE' }]);
    await apply(kofi, line('A1', ama));
    expect(await pingsOf()).toMatchObject([{ status: 'NEW', state: 'ACTIVE' }]);
    await undo((await apply(kofi)).jobId);
    expect(await pingsOf()).toMatchObject([{ status: 'NEW', state: 'ACTIVE' }]);
    expect(await history()).toEqual(['RESOLVED System', 'NEW System', 'RESOLVED System', 'NEW System']);
    const another = line('A1', { first: 'Bela', last: 'Quarshie', born: '7/8/1950', sex: 'M', street: '4 Quay Road' });
    await undo((await apply(kofi, another)).jobId);
    expect(await pingsOf()).toContainEqual(expect.objectContaining({ status: 'NEW', state: 'ACTIVE' }));
  });

  test('of a row that turns out to be another person are retracted', async () => {
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
