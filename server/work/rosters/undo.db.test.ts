/** An applied upload can be undone for a day: the list from before counts again, and pings keep their history. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RosterChangeKind } from '#contract/rosters.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Subject } from '#server/record/matching/subjects.ts';
import { sendOpenVisits } from '#server/record/pings/notify.ts';
import { ATTESTED, dyingAfter, errorKey, fileOf, line, lineOf, startRosterApp } from '#server/testing/rosters.ts';
import { identify } from '#server/testing/subjects.ts';
import { unfinishedUploads } from './job.ts';
import { processUpload } from './process.ts';

const { database, deps, make, current, post, jobOf, apply, active, clock } = await startRosterApp();
const HOUR = 3_600_000;

const undo = (jobId: string) => current.client.call('POST /api/rosters/uploads/:jobId/undo', { params: { jobId } });

async function undone(jobId: string) {
  const { jobId: id } = await undo(jobId);
  await processUpload(database.pipeline, id, deps);
  return jobOf(id);
}

type Listing = Record<string, unknown> & { member_id: string };

/** Returns everything that the list says, except who a person is found to be, by member id. */
async function list(): Promise<Map<string, Listing>> {
  const { rows } = await database.owner.query<{ row: Listing }>(sql`
    select to_jsonb(r) - 'person_id' as row from roster_patients r where group_id = ${current.groupId} and left_at is null`);
  return new Map(rows.map(({ row }) => [row.member_id, row]));
}

describe('an undo', () => {
  test('brings back who left, takes away who came, and restores what changed, with its attestation', async () => {
    await apply(line('A1'), line('A2'), line('A3'));
    const before = await list();
    const changed = await apply(
      line('A1'),
      line('A2', { street: '99 Other Street', first: 'Bo', last: 'Mensah' }),
      line('A4'),
    );
    expect(changed.undoUntil).not.toBeNull();
    const done = await undone(changed.jobId);
    expect(done).toMatchObject({
      status: 'DONE',
      undoes: changed.jobId,
      listedBefore: 3,
      undoUntil: null,
      statistics: { created: 1, updated: 1, removed: 1, unchanged: 1 },
    });
    expect(await list()).toEqual(before);
    expect(await jobOf(changed.jobId)).toMatchObject({ undoneBy: done.jobId, undoUntil: null });
  });

  test('takes its attestation back too: an upload that states none goes on with the one before', async () => {
    const uploaded = async (query: string, ...lines: string[]) => {
      const { jobId } = (await (await post(fileOf(...lines), { query })).json()) as { jobId: string };
      await processUpload(database.pipeline, jobId, deps);
      return jobOf(jobId);
    };
    await uploaded('?relationship=COVERAGE&attested=true', line('A1'));
    const mistaken = await uploaded('?relationship=TREATMENT&attested=true', line('A1'), line('A2'));
    await undone(mistaken.jobId);
    expect(await uploaded('', line('A1'), line('A3'))).toMatchObject({ status: 'DONE', relationship: 'COVERAGE' });
  });

  test('is possible once, for the latest upload, within a day, and not for another undo', async () => {
    const first = await apply(line('A1'));
    const second = await apply(line('A1'), line('A2'));
    expect(await errorKey(undo(first.jobId))).toBe('ROSTER_NO_UNDO');
    const { jobId } = await undone(second.jobId);
    expect(await errorKey(undo(second.jobId))).toBe('ROSTER_NO_UNDO');
    expect(await errorKey(undo(jobId))).toBe('ROSTER_NO_UNDO');
    const third = await apply(line('A3'));
    await database.owner.query(sql`
      update roster_uploads set applied_at = ${new Date(clock.now().getTime() - 24 * HOUR)} where id = ${third.jobId}`);
    expect(await errorKey(undo(third.jobId))).toBe('ROSTER_NO_UNDO');
    expect(await active()).toEqual(['A3']);
  });

  test('of a canceled or failed upload is refused', async () => {
    const { jobId } = (await (await post('nothing')).json()) as { jobId: string };
    expect(await errorKey(undo(jobId))).toBe('ROSTER_NO_UNDO');
  });

  test('is one of the uploads of which only one runs at a time', async () => {
    const { jobId } = await apply(line('A1'));
    const outcomes = await Promise.allSettled([undo(jobId), undo(jobId)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await post(fileOf(line('A2')))).status).toBe(409);
    await Promise.all(
      (await unfinishedUploads(database.pipeline)).map((id) => processUpload(database.pipeline, id, deps)),
    );
    expect(await active()).toEqual([]);
    const next = await apply(line('A2'));
    expect((await post(fileOf(line('A3')), { query: `${ATTESTED}&preview=true` })).status).toBe(202);
    expect(await errorKey(undo(next.jobId))).toBe('ROSTER_UPLOAD_RUNNING');
  });

  test('is not done for someone who lost the permission', async () => {
    const { jobId } = await apply(line('A1'));
    const started = await undo(jobId);
    await database.owner.query(sql`update grants set removed = '{canUploadRoster}' where user_id = ${current.userId}`);
    await processUpload(database.pipeline, started.jobId, deps);
    await database.owner.query(sql`update grants set removed = '{}' where user_id = ${current.userId}`);
    expect(await jobOf(started.jobId)).toMatchObject({
      status: 'FAILED',
      fileError: expect.stringMatching(/who undid/),
    });
    expect(await active()).toEqual(['A1']);
    // It did not happen, so it can be asked for again.
    await undone(jobId);
    expect(await active()).toEqual([]);
  });

  test('is in the audit log with who asked for it', async () => {
    const { jobId } = await apply(line('A1'));
    await undone(jobId);
    const { rows } = await database.owner.query(sql`
      select user_id from audit_entries where action = 'roster.undo' and subject_id = ${jobId}`);
    expect(rows).toEqual([{ user_id: current.userId }]);
  });

  test('hides no guess: details that it takes back are remembered as those that another file replaces', async () => {
    const born = ['1/1/1941', '2/1/1941', '3/1/1941', '4/1/1941', '5/1/1941', '6/1/1941'];
    await apply(line('A1', { born: born[0] ?? '' }));
    const held: number[] = [];
    for (const next of born.slice(1)) {
      const job = await apply(line('A1', { born: next }));
      held.push(job.totalErrorRows);
      if (job.undoUntil !== null) await undone(job.jobId);
    }
    expect(held.slice(0, 2)).toEqual([0, 0]);
    expect(held.at(-1)).toBe(1);
  });

  test('continues after being killed at any point, with the same result', async () => {
    const people = Array.from({ length: 1100 }, (_, n) => lineOf(`K${n}`, n));
    await apply(...people);
    const before = await list();
    const { jobId } = await apply(...people.slice(0, 60).map((text) => text.replace('Heron', 'Kestrel')), line('NEW'));
    const confirmed = await current.client.call('POST /api/rosters/uploads/:jobId/confirm', { params: { jobId } });
    await processUpload(database.pipeline, confirmed.jobId, deps);
    expect((await list()).size).toBe(61);
    const started = await undo(jobId);
    let kills = 0;
    for (let survive = 0; (await jobOf(started.jobId)).status !== 'DONE' && survive < 60; survive++) {
      const dying = dyingAfter(database.pipeline, survive * 3);
      await processUpload(dying, started.jobId, deps).catch(() => {
        kills++;
      });
    }
    expect(kills).toBeGreaterThan(5);
    expect(await jobOf(started.jobId)).toMatchObject({
      status: 'DONE',
      statistics: { created: 1040, updated: 60, removed: 1, unchanged: 0 },
      matchedRows: 1100,
    });
    expect(await list()).toEqual(before);
  });
});

describe('an upload without numbers, of twins', () => {
  const FIELDS = 'Member ID,First Name,Middle Name,Last Name,Date of Birth,Address 1,ZIP,Gender';
  const twins = [
    ['T1', 'Daniel', 'Kwame', '0485'],
    ['T2', 'Daniela', '', '6730'],
  ] as const;
  const fileOfTwins = (ssn: boolean): string =>
    [
      FIELDS + (ssn ? ',SSN Last 4' : ''),
      ...twins.map(([id, first, middle, last4]) =>
        [id, first, middle, 'Copestead,6/20/1970,2499 Sawmill Road,49989,M', ...(ssn ? [last4] : [])].join(','),
      ),
    ].join('\n');
  const send = async (ssn: boolean): Promise<string> => {
    const { jobId } = (await (await post(fileOfTwins(ssn))).json()) as { jobId: string };
    await processUpload(database.pipeline, jobId, deps);
    return jobId;
  };

  /** The other organization's rows, and one of the twins in the hospital. */
  async function elsewhere(): Promise<{ groupId: string; encounterId: string }> {
    const { id: groupId } = await make.group();
    const now = clock.now();
    const subjects: Subject[] = [];
    for (const [, first_name, middle_name, ssn_last4] of twins) {
      const more = { address1: '2499 Sawmill Road', zip: '49989', gender: 'Male', date_of_birth: '1970-06-20' };
      const names = { first_name, middle_name: middle_name || null, last_name: 'Copestead', ssn_last4 };
      const { id } = await make.rosterPatient({ groupId, ...names, ...more, content_hash: Buffer.from(first_name) });
      subjects.push({ kind: 'ROSTER_PATIENT', id });
    }
    const { id: encounterId, sourcePatientId } = await make.encounter();
    const demographics = {
      name: { family: 'COPESTEAD', given: 'DANIEL', middle: 'KWAME', suffix: null },
      birthDate: '1970-06-20',
      sex: 'Male',
      address: { line1: '2499 Sawmill Road', line2: null, city: null, state: null, zip: '49989' },
      ssnLast4: '0485',
    };
    await database.owner.query(
      sql`update source_patients set demographics = ${JSON.stringify(demographics)} where id = ${sourcePatientId}`,
    );
    await make.event({ encounterId });
    subjects.push({ kind: 'SOURCE_PATIENT', id: sourcePatientId });
    await database.pipeline.transaction(async (tx) => {
      for (const subject of subjects) await identify(tx, subject, { now });
      await sendOpenVisits(
        tx,
        subjects.slice(0, 2).map(({ id }) => id),
        now,
      );
    });
    return { groupId, encounterId };
  }

  test('takes no ping from another organization, and its own are back with the undo', async () => {
    const { groupId, encounterId } = await elsewhere();
    await send(true);
    /** Of the other organization, and of the uploader. */
    const pings = async (): Promise<string[]> => {
      const { rows } = await database.owner.query<{ groupId: string; state: string; status: string }>(sql`
        select group_id as "groupId", state, management_status as status from pings where encounter_id = ${encounterId}`);
      const of = (id: string) =>
        rows
          .filter((row) => row.groupId === id)
          .map(({ state, status }) => `${state} ${status}`)
          .join();
      return [of(groupId), of(current.groupId)];
    };
    expect(await pings()).toEqual(['ACTIVE NEW', 'ACTIVE NEW']);
    const thin = await send(false);

    expect(await pings()).toEqual(['ACTIVE NEW', 'CANCELLED NEW']);
    await undone(thin);
    expect(await pings()).toEqual(['ACTIVE NEW', 'ACTIVE NEW']);
  });
});

/** Rows of a file: for each of eight member ids nothing, one of three people's details, or a row with an error. */
const file = fc.array(fc.constantFrom('absent', 'first', 'moved', 'other', 'wrong'), { minLength: 8, maxLength: 8 });
const lineFor = (kind: string, n: number): string[] => {
  if (kind === 'absent') return [];
  if (kind === 'other') return [lineOf(`M${n}`, n + 50)];
  const own = lineOf(`M${n}`, n);
  if (kind === 'wrong') return [own.replace(/\d+\/\d+\/\d{4}/, '13/45/1950')];
  return [kind === 'moved' ? own.replace('Heron', 'Kestrel') : own];
};
const linesOf = (kinds: readonly string[]) => [lineOf('STAYS', 99), ...kinds.flatMap(lineFor)];

test('applying does what the preview says, and an undo restores the list exactly', async () => {
  const changes = async (jobId: string, kind: RosterChangeKind) =>
    (
      await current.client.call('GET /api/rosters/uploads/:jobId/changes', {
        params: { jobId },
        query: { kind, pageSize: 100 },
      })
    ).changes;
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 2, maxLength: 3 }), async (files) => {
      for (const kinds of files) {
        const before = await list();
        const { jobId } = (await (
          await post(fileOf(...linesOf(kinds)), { query: `${ATTESTED}&preview=true` })
        ).json()) as { jobId: string };
        await processUpload(database.pipeline, jobId, deps);
        const waiting = await jobOf(jobId);
        const said = {
          added: (await changes(jobId, 'ADDED')).map(({ memberId }) => memberId).sort(),
          changed: (await changes(jobId, 'CHANGED')).map(({ memberId }) => memberId).sort(),
          removed: (await changes(jobId, 'REMOVED')).map(({ memberId }) => memberId).sort(),
        };
        await current.client.call('POST /api/rosters/uploads/:jobId/confirm', { params: { jobId } });
        await processUpload(database.pipeline, jobId, deps);
        const after = await list();
        expect(said).toEqual({
          added: [...after.keys()].filter((id) => !before.has(id)).sort(),
          changed: [...after.keys()]
            .filter((id) => before.has(id) && before.get(id)?.content_hash !== after.get(id)?.content_hash)
            .sort(),
          removed: [...before.keys()].filter((id) => !after.has(id)).sort(),
        });
        const applied = await jobOf(jobId);
        expect(applied.statistics).toEqual(waiting.statistics);
        const undoing = await undone(jobId);
        expect(await list()).toEqual(before);
        expect(undoing.statistics).toMatchObject({
          created: said.removed.length,
          updated: said.changed.length,
          removed: said.added.length,
        });
        // The next file meets a list that has changed.
        await apply(...linesOf(kinds));
      }
    }),
    { numRuns: 8 },
  );
});
