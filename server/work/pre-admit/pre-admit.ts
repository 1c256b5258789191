/** Held patients: a facility names whom it expects, and sees what is known of them if the matcher is sure who it is (docs/decisions/0083). */
import { HOUR } from '#contract/durations.ts';
import { HELD_HOURS, type HeldLookUp, type HeldPatient, MOST_HELD, type NewHeldPatient } from '#contract/pre-admit.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { notePatients } from '#server/people/audit/audited-call.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import { demographicsOfHeld, logHeld } from '#server/record/listings/held.ts';
import { lookUpPerson } from '#server/record/matching/look-up-person.ts';
import { birthDateOf, newNumber } from '#server/work/patients/entry-facts.ts';
import { refuseGuesses } from '#server/work/patients/refuse-guesses.ts';
import { heldPatients, lookUpHeld, namesHeldAt } from './queries.ts';

const FLAG = 'canUsePreAdmit';
/** Visits that ended before are not shown, as a facility's own listing would not open them. In milliseconds. */
const LOOK_BACK = 365 * 24 * HOUR;

export interface PreAdmitDeps {
  /** Connected as the app role. */
  db: Database;
  /** Connected as the pipeline role: the matcher compares with everyone. */
  pipeline: Database;
}

/**
 * Holds a patient at a facility of the caller. Errors: NOT_FOUND, FACILITY_NEEDS_OPERATOR, BAD_REQUEST with the field, and IDENTITY_GUESSES if
 * the organization keeps entering somebody with other details.
 */
export async function holdPatient(deps: PreAdmitDeps, call: ActorCall, given: NewHeldPatient): Promise<HeldPatient> {
  const { actor, now } = call;
  const dob = birthDateOf(given.dob, now, 'dob');
  const ssn = given.ssn || null;
  const person = { ...given, dob, zip: given.zip || null, ssn };
  await asActor(deps.db, actor, FLAG, (tx) => checkFacility(tx, person, now), { readOnly: true });
  await refuseGuesses(deps, call, given.groupId, factsOf(person), FLAG);
  const id = await asActor(deps.db, actor, FLAG, async (tx) => {
    // Two of the same at once, such as a double click.
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK_SPACE}, hashint8(${given.groupId}))`);
    await checkFacility(tx, person, now);
    const { rows } = await tx.query<{ id: string }>(sql`
      insert into held_patients (group_id, first_name, last_name, gender, date_of_birth, zip, ssn_last4, created_at, created_by, expires_at)
      values (${person.groupId}, ${person.firstName}, ${person.lastName}, ${person.gender}, ${dob}, ${person.zip}, ${ssn}, ${now},
        ${actor.userId}, ${new Date(now.getTime() + HELD_HOURS * HOUR)})
      returning id`);
    return (rows[0] as { id: string }).id;
  });
  await matchHeld(deps.pipeline, { id, ...person }, now);
  return one(deps, call, id);
}

const LOCK_SPACE = 7_463_211;

type Person = NewHeldPatient & { dob: string; zip: string | null; ssn: string | null };

const factsOf = ({ firstName, lastName, gender, dob, zip, ssn }: Person) => ({
  recordNumber: newNumber(),
  identifiers: [],
  name: { family: lastName, given: firstName, middle: null, suffix: null },
  birthDate: dob,
  sex: gender,
  address: zip ? { line1: null, line2: null, city: null, state: null, zip } : undefined,
  ssnLast4: ssn ?? undefined,
});

/** Only an approved facility holds patients: others could list nobody either. */
async function checkFacility(tx: ActorTransaction, { groupId, dob, ...name }: Person, now: Date): Promise<void> {
  const { rows } = await tx.query<{ isApproved: boolean; timeZone: string }>(sql`
    select approved_at is not null as "isApproved", time_zone as "timeZone" from groups
    where id = ${groupId} and id = any (${tx.groupIds}::bigint[]) and type <> 'PROGRAM'`);
  if (!rows[0]) throw new ApiError('NOT_FOUND');
  if (!rows[0].isApproved) throw new ApiError('FACILITY_NEEDS_OPERATOR');
  if (dob > localDateOf(now.getTime(), rows[0].timeZone)) throw badField('dob', 'Date of birth is in the future.');
  const held = await namesHeldAt(tx, groupId, now);
  const keyOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
    `${sortKey(firstName)}|${sortKey(lastName)}`;
  if (held.some((each) => each.dob === dob && keyOf(each) === keyOf(name)))
    throw badField('lastName', 'Your facility already holds a patient with this name and birth date.');
  if (held.length >= MOST_HELD)
    throw badField('groupId', `A facility can hold ${MOST_HELD} patients. Delete one to hold another.`);
}

/** Asks the matcher who a held patient is, and keeps the answer. Only then do colleagues see the patient at once: with who lists them. */
export async function matchHeld(pipeline: Database, held: Person & { id: string }, now: Date): Promise<string | null> {
  return pipeline.transaction(async (tx) => {
    const personId = await lookUpPerson(tx, demographicsOfHeld(held));
    const { rows } = await tx.query<{ groupId: string; isNews: boolean }>(sql`
      update held_patients h set person_id = ${personId}, checked_at = ${now} from held_patients before
      where h.id = ${held.id} and h.admitted_at is null and before.id = h.id
      returning h.group_id as "groupId", before.checked_at is null or before.person_id is distinct from h.person_id as "isNews"`);
    await logHeld(
      tx,
      'matched',
      rows.flatMap(({ groupId, isNews }) => (isNews ? [groupId] : [])),
      now,
    );
    return personId;
  });
}

async function one({ db }: PreAdmitDeps, { actor, now }: ActorCall, id: string): Promise<HeldPatient> {
  const [held] = await asActor(db, actor, FLAG, (tx) => heldPatients(tx, now, id), { readOnly: true });
  if (held === undefined) throw new ApiError('NOT_FOUND');
  return held;
}

/** Deletes a held patient. Errors: NOT_FOUND. */
export async function deleteHeld({ db }: PreAdmitDeps, { actor, now }: ActorCall, id: string): Promise<void> {
  await asActor(db, actor, FLAG, async (tx) => {
    const { rows } = await tx.query<{ groupId: string }>(sql`
      delete from held_patients where id = ${id} and admitted_at is null and group_id = any (${tx.groupIds}::bigint[])
      returning group_id as "groupId"`);
    if (!rows[0]) throw new ApiError('NOT_FOUND');
    await logHeld(tx, 'deleted', [rows[0].groupId], now);
  });
}

const NOTHING: HeldLookUp = {
  isMatched: false,
  deceased: false,
  deceasedDate: null,
  isDeathInDoubt: false,
  programs: [],
  instructions: [],
  careTeam: [],
  visits: [],
};

/**
 * Returns what is known of a held patient. The matcher is asked again first, because links may have changed since: without an automatic match
 * there is nothing to see, and someone of whom nothing may be shown is answered like a stranger. Errors: NOT_FOUND.
 */
export async function lookUp(deps: PreAdmitDeps, call: ActorCall, id: string): Promise<HeldLookUp> {
  const { actor, now } = call;
  const held = await one(deps, call, id);
  const personId = await matchHeld(deps.pipeline, held, now);
  if (personId === null) return NOTHING;
  const since = new Date(now.getTime() - LOOK_BACK);
  const found = await asActor(deps.db, actor, FLAG, (tx) => lookUpHeld(tx, id, since), { readOnly: true });
  if (found === null) return NOTHING;
  const { listingIds, ...shown } = found;
  // Of someone whom only a 42 CFR Part 2 facility knows, even that they are known would say where they are treated.
  if (listingIds.length === 0 && shown.visits.length === 0) return NOTHING;
  // Whoever lists the person sees among the accesses that a facility looked them up.
  notePatients(listingIds);
  return { isMatched: true, ...shown };
}
