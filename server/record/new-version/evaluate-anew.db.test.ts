import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { createLog } from '#server/platform/http/log.ts';
import { closeReviews } from '#server/record/matching/open-reviews.ts';
import { relink } from '#server/record/matching/relink.ts';
import type { Subject } from '#server/record/matching/subjects.ts';
import { resendMoved } from '#server/record/pings/notify.ts';
import { undoDecidedLink } from '#server/record/reviews/joined-subjects.ts';
import { MATCHER_VERSION } from '#server/record/scoring/decide.ts';
import { freezeSnapshot } from '#server/record/site-numbers/freeze-snapshot.ts';
import type { TestPerson } from '#server/testing/hospital.ts';
import { newPerson, pipelineScene, type Region } from '#server/testing/pipeline-scene.ts';
import { startWorker } from '#server/worker.ts';
import { doubtfulLinks } from './doubtful-links.ts';
import { evaluateAnew, evaluateSoon, NEW_VERSION_TASK } from './evaluate-anew.ts';
import { beginRun } from './runs.ts';

const { database, now, clock, hosp, region, make } = await pipelineScene();
const db = database.pipeline;
const log = createLog('silent');

/** Lets everything that the matcher has concluded so far be version 3's. */
async function upgrade(): Promise<void> {
  await database.owner.query(
    `update person_links set evidence = evidence || '{"version": "3"}' where evidence ? 'version'`,
  );
  await database.owner.query(sql`
    insert into matcher_runs (version, step, started_at, finished_at) values ('3', 'LINKS', ${now}, ${now})`);
  expect(await beginRun(db, now)).toBe(true);
}

const evaluate = () => evaluateAnew(db, { clock, log });

const idOf = async (statement: ReturnType<typeof sql>): Promise<string> =>
  (await database.owner.query<{ id: string }>(statement)).rows[0]?.id ?? '';

const patientOf = async ({ facility }: Region, record = 'MR-1'): Promise<Subject> => ({
  kind: 'SOURCE_PATIENT',
  id: await idOf(sql`select id from source_patients where group_id = ${facility} and record_number = ${record}`),
});

const personOf = ({ kind, id }: Subject): Promise<string> =>
  idOf(
    kind === 'SOURCE_PATIENT'
      ? sql`select person_id as id from source_patients where id = ${id}`
      : sql`select person_id as id from roster_patients where id = ${id}`,
  );

/** Keys of a kind that no version has. */
const UNKNOWN_KIND = 15 * 2 ** 49;

/** An inpatient, perhaps of other facilities too, and a listing of the same person, which version 3 did not find because of its keys. */
async function missed(...others: Region[]): Promise<{ at: Region; patient: Subject; listing: Subject }> {
  const at = await region({ isListed: false });
  await hosp.send(at.message('A01', '202611200900'));
  for (const other of others) await hosp.send(other.message('A01', '202611200930', { person: at.person }));
  const patient = await patientOf(at);
  await database.owner.query(sql`
    with entry as (
      update blocking_entries e set keys = array(select ${UNKNOWN_KIND}::bigint + s.person_id * 1000000000 + k % 1000000000 from unnest(e.keys) k)
      from source_patients s where s.person_id = ${await personOf(patient)} and e.subject = -s.id
      returning e.*),
    past as (delete from blocking_keys where subject in (select subject from entry))
    insert into blocking_keys (key, subject) select unnest(keys), subject from entry`);
  const listing: Subject = { kind: 'ROSTER_PATIENT', id: await hosp.list(at.program, at.person) };
  expect(await hosp.pings(at.program)).toEqual([]);
  return { at, patient, listing };
}

/** Lets version 3 have asked whether the patient is the person. */
async function ask({ facility }: Region, patient: Subject, personId: string): Promise<void> {
  const evidence = { version: '3', ruleId: 'R07', probability: 1e-9, fields: {}, vetoes: [] };
  const candidates = JSON.stringify([{ personId, evidence }]);
  await database.owner.query(sql`
    update person_links set outcome = 'review', rule_id = 'R07' where subject = ${patient.kind} and subject_id = ${patient.id}`);
  await database.owner.query(sql`
    insert into match_reviews (subject, subject_id, group_id, candidates, likelihood, created_at)
    values (${patient.kind}, ${patient.id}, ${facility}, ${candidates}, 29.9, ${now})
    on conflict (subject, subject_id) do update set candidates = excluded.candidates`);
}

async function inReview(...others: Region[]) {
  const found = await missed(...others);
  await ask(found.at, found.patient, await personOf(found.listing));
  return found;
}

const reviewOf = async ({ kind, id }: Subject): Promise<{ isOpen: boolean }[]> =>
  (
    await db.query<{ isOpen: boolean }>(
      sql`select decided_at is null as "isOpen" from match_reviews where subject = ${kind} and subject_id = ${id}`,
    )
  ).rows;

/** An inpatient whom version 3 linked to the listing of someone else, whose program was pinged. */
async function wronglyLinked(person = newPerson(), like: Partial<TestPerson> = {}) {
  const at = await region({ isListed: false });
  await hosp.list(at.program, newPerson({ birthDate: person.birthDate, ...like }));
  await hosp.send(at.message('A01', '202611200900', { person }));
  const patient = await patientOf(at);
  const listed = await idOf(sql`select person_id as id from roster_patients where group_id = ${at.program}`);
  await link(patient, listed);
  expect(await hosp.pings(at.program)).toEqual(['ADMIT ACTIVE current']);
  return { at, patient, person, listed };
}

const link = (patient: Subject, personId: string) =>
  db.transaction(async (tx) => {
    const options = { decidedBy: null, now, outcome: 'matched', ruleId: 'R04', evidence: { version: '3' } } as const;
    await resendMoved(tx, await relink(tx, patient, personId, options), now);
    await closeReviews(tx, [{ subject: patient, personId }], now);
  });

/** All that identification and pings write, for comparison. */
async function everything(): Promise<unknown> {
  const tables = [
    'person_links',
    'match_reviews',
    'blocking_keys',
    'blocking_entries',
    'source_patients',
    'roster_patients',
    'encounters',
    'pings',
  ];
  const rows = await Promise.all(tables.map((table) => db.query(`select * from ${table} order by 1, 2`)));
  return rows.map((result) => result.rows);
}

const subjectsInDoubt = async (): Promise<string[]> => (await doubtfulLinks(db)).map(({ subjectId }) => subjectId);

test('a review that the new version decides is linked, and its ping arrives once', async () => {
  const { at, patient, listing } = await inReview();
  await upgrade();
  await evaluate();
  expect(await personOf(patient)).toBe(await personOf(listing));
  expect(await reviewOf(patient)).toEqual([{ isOpen: false }]);
  expect(await hosp.pings(at.program)).toEqual(['ADMIT ACTIVE current']);
  const { rows } = await db.query(sql`select key from blocking_keys where key >= ${UNKNOWN_KIND}`);
  expect(rows).toEqual([]);

  await evaluate();
  await upgrade();
  const before = await everything();
  await evaluate();
  expect(await everything()).toEqual(before);
});

test('a patient who was alone is linked, and the ping arrives once', async () => {
  const { at, patient, listing } = await missed();
  await upgrade();
  await evaluate();
  expect(await personOf(patient)).toBe(await personOf(listing));
  expect(await hosp.pings(at.program)).toEqual(['ADMIT ACTIVE current']);
});

test('a review about a patient whom another facility also knows is linked with both facilities’ visits', async () => {
  const elsewhere = await region({ isListed: false });
  const { at, patient, listing } = await inReview(elsewhere);
  expect(await personOf(await patientOf(elsewhere))).toBe(await personOf(patient));
  await upgrade();
  await evaluate();
  const subjects = [patient, await patientOf(elsewhere), listing];
  expect(new Set(await Promise.all(subjects.map(personOf))).size).toBe(1);
  expect(await reviewOf(patient)).toEqual([{ isOpen: false }]);
  expect(await hosp.pings(at.program)).toEqual(['ADMIT ACTIVE current', 'ADMIT ACTIVE current']);
});

test('two people who are alone and could be one are asked about once', async () => {
  const at = await region({ isListed: false });
  await hosp.send(at.message('A01', '202611200900'));
  const patient = await patientOf(at);
  await database.owner.query(sql`
    with entry as (delete from blocking_entries where subject = -${patient.id}::bigint returning subject)
    delete from blocking_keys where subject in (select subject from entry)`);
  const id = await hosp.list(at.program, { ...at.person, zip: '99999' });
  await upgrade();
  await evaluate();
  expect(await reviewOf(patient)).toEqual([{ isOpen: true }]);
  expect(await reviewOf({ kind: 'ROSTER_PATIENT', id })).toEqual([]);
});

test('what a person decided, undid or kept apart stays', async () => {
  const apart = await inReview();
  const undone = await inReview();
  const user = await make.user();
  const decide = (patient: Subject, outcome: string, previous: string | null, evidence: object) =>
    idOf(sql`
      update person_links set outcome = ${outcome}, decided_by = ${user.id}, previous_person_id = ${previous},
        evidence = ${JSON.stringify(evidence)}
      where subject = 'SOURCE_PATIENT' and subject_id = ${patient.id} returning id`);
  const decision = await decide(apart.patient, 'decided', null, { keptApart: true });
  await database.owner.query(sql`
    update match_reviews r set decided_at = ${now}, decided_by = ${user.id}, decision_person_id = l.person_id, link_id = l.id
    from person_links l where l.id = ${decision} and r.subject = l.subject and r.subject_id = l.subject_id`);
  await decide(undone.patient, 'undone', await personOf(undone.listing), { was: 'decided' });
  await upgrade();
  await evaluate();
  for (const { at, patient, listing } of [apart, undone]) {
    expect(await personOf(patient)).not.toBe(await personOf(listing));
    expect(await hosp.pings(at.program)).toEqual([]);
  }
  expect(await reviewOf(apart.patient)).toEqual([{ isOpen: false }]);
  expect(await reviewOf(undone.patient)).toEqual([{ isOpen: true }]);
});

test('a link that the new version would not make is listed with what it shows, and stays', async () => {
  const { at, patient, person, listed } = await wronglyLinked();
  await upgrade();
  await evaluate();
  expect(await personOf(patient)).toBe(listed);
  expect(await hosp.pings(at.program)).toEqual(['ADMIT ACTIVE current']);
  const doubts = (await doubtfulLinks(db)).filter(({ subjectId }) => subjectId === patient.id);
  expect(doubts).toMatchObject([
    {
      kind: 'SOURCE_PATIENT',
      groupId: at.facility,
      personId: listed,
      madeBy: '3',
      rule: 'R04',
      visits: 1,
      pings: 1,
      groups: 1,
    },
  ]);
  expect(doubts[0]?.evidence.fields).toMatchObject({ family: expect.any(String) });
  expect(JSON.stringify(doubts)).not.toContain(at.person.birthDate);

  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/matching-doubts.ts'], {
    env: { ...process.env, DATABASE_URL: database.adminUrl },
  });
  expect(stdout).toMatch(
    new RegExp(
      `^Link ${doubts[0]?.linkId}: Patient ${patient.id} of group ${at.facility} .* to person ${listed}$`,
      'm',
    ),
  );
  expect(stdout).toMatch(/^ {2}shown by it: visits 1, to groups 1, with pings 1$/m);
  expect(stdout).not.toContain(person.family);

  const { id: decidedBy } = await make.user();
  await db.transaction(async (tx) => {
    const moved = await undoDecidedLink(tx, patient, doubts[0]?.linkId ?? '', { decidedBy, now });
    await resendMoved(tx, moved, now);
  });
  expect(await subjectsInDoubt()).not.toContain(patient.id);
  expect(await hosp.pings(at.program)).toEqual(['ADMIT CANCELLED current']);
});

test('records that agree with each other alone do not support their link to someone else', async () => {
  const { patient, person, listed } = await wronglyLinked();
  const elsewhere = await region({ isListed: false });
  await hosp.send(elsewhere.message('A01', '202611200930', { person }));
  const second = await patientOf(elsewhere);
  expect(await personOf(second)).toBe(listed);
  await upgrade();
  await evaluate();
  expect(await subjectsInDoubt()).toEqual(expect.arrayContaining([patient.id, second.id]));
  expect([await personOf(patient), await personOf(second)]).toEqual([listed, listed]);
});

test('a link that the new version makes as well is not listed', async () => {
  const at = await region();
  await hosp.send(at.message('A01', '202611200900'));
  const patient = await patientOf(at);
  await upgrade();
  await evaluate();
  expect(await subjectsInDoubt()).not.toContain(patient.id);
  expect(await hosp.pings(at.program)).toEqual(['ADMIT ACTIVE current']);
});

test('a link in doubt is not undone when a neighbor is identified, during the run or later', async () => {
  const person = newPerson();
  const twin = (given: string) => ({ ...person, given });
  const [first, later] = [await region({ isListed: false }), await region({ isListed: false })];
  await hosp.send(first.message('A01', '202611200930', { person: twin('Quillon') }));
  const { at, patient, listed } = await wronglyLinked(person, { given: person.given });
  await ask(first, await patientOf(first), listed);
  await upgrade();
  await evaluate();
  expect(await hosp.pings(at.program)).toEqual(['ADMIT ACTIVE current']);
  await hosp.send(later.message('A01', '202611200930', { person: twin('Ottoline') }));
  expect(await personOf(patient)).toBe(listed);
  expect(await hosp.pings(at.program)).toEqual(['ADMIT ACTIVE current']);
  expect(await subjectsInDoubt()).toContain(patient.id);

  await hosp.send(at.message('A08', '202611200945', { person: newPerson({ birthDate: '1911-01-01' }) }));
  expect(await personOf(patient)).not.toBe(listed);
  expect(await hosp.pings(at.program)).toEqual(['ADMIT CANCELLED current']);
  expect(await subjectsInDoubt()).not.toContain(patient.id);
});

test('a run that was interrupted continues, and each ping arrives once', async () => {
  const scenes = [await inReview(), await missed(), await inReview()];
  const doubted = await wronglyLinked();
  await upgrade();
  let batches = 0;
  const failing = () => {
    batches += 1;
    if (batches % 2 === 0) throw new Error('The process ended');
    return now;
  };
  for (let start = 0; start < 50; start++) await evaluateAnew(db, { clock: failing, log }).catch(() => {});
  const stopped = new AbortController();
  stopped.abort();
  await upgrade();
  await expect(evaluateAnew(db, { clock, log, signal: stopped.signal })).rejects.toThrow('continue later');
  await evaluate();
  for (const { at, patient, listing } of scenes) {
    expect(await personOf(patient)).toBe(await personOf(listing));
    expect(await hosp.pings(at.program)).toEqual(['ADMIT ACTIVE current']);
  }
  expect(await subjectsInDoubt()).toContain(doubted.patient.id);
  expect(await beginRun(db, now)).toBe(false);
});

test('the worker evaluates anew when it starts with a new version', async () => {
  const { at } = await inReview();
  await upgrade();
  const config = { smtp: null, twilio: null, demo: true, publicUrl: 'http://tidings.test' };
  const runner = await startWorker({ database: db, app: database.app, store: hosp.store, clock, log, config });
  await expect.poll(() => beginRun(db, now), { timeout: 15_000 }).toBe(false);
  await runner.stop();
  expect(await hosp.pings(at.program)).toEqual(['ADMIT ACTIVE current']);
});

test('a database that has known one version only needs no run, and a return to an earlier version does', async () => {
  await database.owner.query('truncate matcher_runs');
  expect(await beginRun(db, now)).toBe(false);
  await database.owner.query(
    sql`insert into matcher_runs (version, step, started_at, finished_at) values ('0', 'LINKS', ${now}, ${now})`,
  );
  expect(await beginRun(db, now)).toBe(true);
  expect(await beginRun(db, now)).toBe(true);
  await evaluate();
  expect(await beginRun(db, now)).toBe(false);
});

test('a new snapshot of name shares is a new version: reviews are decided again, and the job is queued', async () => {
  await evaluate();
  const at = await region();
  await hosp.send(at.message('A01', '202611200900', { person: { ...at.person, zip: '10001' } }));
  const reviewed = (): Promise<string> =>
    idOf(sql`select candidates #>> '{0,evidence,version}' as id from match_reviews where group_id = ${at.facility}`);
  expect(await reviewed()).toBe(MATCHER_VERSION);
  const none = { people: 1, given: new Map(), family: new Map(), housemates: 2, changes: [], isNew: true };
  const number = await freezeSnapshot(db, none, now);
  await evaluateSoon(db, now);
  expect(await idOf(sql`select count(*) as id from graphile_worker.jobs where key = ${NEW_VERSION_TASK}`)).toBe('1');
  await evaluate();
  expect(await reviewed()).toBe(`${MATCHER_VERSION}.${number}`);
  expect(await beginRun(db, now)).toBe(false);
});
