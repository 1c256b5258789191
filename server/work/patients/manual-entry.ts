/**
 * Manual entry for staff of a facility without a feed. An entry is processed like a message: stored, then folded into a visit, matched and
 * sent as pings by the pipeline. The caller waits until that is done. How entries are changed: `manual-change.ts`.
 */
import { isEnteredAt } from '#contract/entry-codes.ts';
import { EVENT_LABELS, type EventCode, startsVisit } from '#contract/event-codes.ts';
import type { NewEvent, NewPatient } from '#contract/manual-entries.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import type { Actor, ActorCall } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import { isBefore } from '#server/record/fold/event-time.ts';
import { checkOrder, eventEntry, momentOf, newNumber, patientOf } from './entry-facts.ts';
import { type Facility, type ManualVisit, manualVisit } from './manual-visit.ts';
import { mayEdit } from './may-edit.ts';
import { refuseGuesses } from './refuse-guesses.ts';
import { type EntryDeps, storeEntry } from './store-entry.ts';

/**
 * Enters an event of a patient's visit at the caller's facility. Errors: NOT_FOUND, BAD_REQUEST, FACILITY_NEEDS_OPERATOR, NOT_PERMITTED for an
 * old event.
 */
export async function enterEvent(
  deps: EntryDeps,
  call: ActorCall,
  patientId: string,
  event: NewEvent,
): Promise<{ patientId: string }> {
  const { actor, now } = call;
  const visit = await asActor(deps.db, actor, 'canEditPatientsAndEvents', (tx) => manualVisit(tx, patientId));
  checkApproved(visit);
  const { groupId, recordNumber } = visit;
  checkKind(visit, event.status);
  const at = momentOf(event.eventDate, visit.timeZone, now);
  checkAge(actor, visit, at, now);
  const isNewVisit = startsVisit(event.status) || !visit.visitNumber;
  checkLeave(visit, event.status, at);
  if (!isNewVisit) {
    if (visit.status === 'CANCELLED') throw badField('status', 'This visit was deleted. Start a new visit first.');
    checkOrder({ code: event.status, at }, visit.events);
  }
  const visitNumber = isNewVisit || !visit.visitNumber ? newNumber() : visit.visitNumber;
  const patient = { recordNumber, identifiers: [] };
  const entry = eventEntry({ groupId, userId: actor.userId, patient, visitNumber, event, at });
  const entered = await storeEntry(deps, call, { entry, action: 'patient.enter-event' });
  return { patientId: entered.patientId };
}

/** People who are being entered without a record number, until their entry is processed: facility, name and birth date. */
const beingEntered = new Set<string>();

/**
 * Enters a patient with a first event at a facility of the caller that has no feed. Errors: NOT_FOUND, BAD_REQUEST, FACILITY_NEEDS_OPERATOR,
 * NOT_PERMITTED for an old event, and IDENTITY_GUESSES for an entry that looks like a guess of someone's details.
 */
export async function enterPatient(
  deps: EntryDeps,
  call: ActorCall,
  groupId: string,
  given: NewPatient,
): Promise<{ patientId: string }> {
  const { actor, now } = call;
  const facility = await asActor(deps.db, actor, 'canEditPatientsAndEvents', async (tx) => {
    const { rows } = await tx.query<Facility>(sql`
      select id as "groupId", time_zone as "timeZone", approved_at is not null as "isApproved", type, facility_type as "facilityType" from groups
      where id = ${groupId} and id = any(${tx.groupIds}::bigint[]) and type <> 'PROGRAM' and not is_automated`);
    // Without a record number that tells two people of one name apart, it is the same person again.
    if (rows[0] && !given.recordNumber) await refuseListed(tx, groupId, given, now);
    return rows[0];
  });
  if (!facility) throw new ApiError('NOT_FOUND');
  checkApproved(facility);
  if (!startsVisit(given.status)) throw badField('status', 'Choose an event that starts a visit.');
  checkKind(facility, given.status);
  const at = momentOf(given.eventDate, facility.timeZone, now);
  checkAge(actor, facility, at, now);
  const patient = patientOf(given, now);
  await refuseGuesses(deps, call, facility.groupId, patient);
  const { relationship } = given;
  const visitNumber = newNumber();
  const parts = {
    groupId: facility.groupId,
    userId: actor.userId,
    patient,
    visitNumber,
    event: given,
    at,
    relationship,
  };
  const store = () => storeEntry(deps, call, { entry: eventEntry(parts), action: 'patient.enter' });
  const { patientId } = await (given.recordNumber ? store() : onlyOnce(nameKey(groupId, patient), store));
  return { patientId };
}

const nameKey = (groupId: string, { name, birthDate }: ReturnType<typeof patientOf>): string =>
  [groupId, sortKey(name?.given ?? ''), sortKey(name?.family ?? ''), birthDate].join('|');

/** Two of the same at once, such as a double click, both find nobody listed. */
async function onlyOnce<T>(key: string, fn: () => Promise<T>): Promise<T> {
  if (beingEntered.has(key)) throw badField('lastName', 'This patient is being added already.');
  beingEntered.add(key);
  try {
    return await fn();
  } finally {
    beingEntered.delete(key);
  }
}

async function refuseListed(tx: ActorTransaction, groupId: string, given: NewPatient, now: Date): Promise<void> {
  const { name, birthDate } = patientOf(given, now);
  const { rows } = await tx.query(sql`
    select from roster_patients where group_id = ${groupId} and left_at is null and date_of_birth = ${birthDate}::date
      and sort_first = ${sortKey(name?.given ?? '')} and sort_last = ${sortKey(name?.family ?? '')} limit 1`);
  if (rows.length > 0)
    throw badField(
      'lastName',
      'Your facility lists a person with this name and birth date. Open that patient and update the status, or enter the record number of this other person.',
    );
}

/** A stay from which the patient is on leave goes on, and only from a leave can services be resumed. */
function checkLeave({ status, events }: ManualVisit, code: EventCode, at: Moment): void {
  if (startsVisit(code) && status === 'ON_LEAVE')
    throw badField(
      'status',
      'The patient is on leave from this stay. Choose Resumed Services, or discharge the patient first.',
    );
  const isAfterLeave = events.some((event) => event.code === 'MEDICAL_LEAVE_OF_ABSENCE' && !isBefore(at, event.at));
  if (code === 'RESUMED_SERVICES' && !isAfterLeave)
    throw badField('status', 'No leave of absence was entered before this date, so no services were resumed.');
}

/** Nobody presents at the ED of a nursing facility, and the end of home health is not the end of a stay there. */
export function checkKind(facility: Facility, code: EventCode): void {
  if (isEnteredAt(code, facility)) return;
  throw badField('status', `"${EVENT_LABELS[code]}" doesn't fit this type of facility. Choose another status.`);
}

/** An event can list a patient again who had left, so it waits for the approval like a new patient. */
export function checkApproved({ isApproved }: Facility): void {
  if (!isApproved) throw new ApiError('FACILITY_NEEDS_OPERATOR');
}

const TOO_OLD =
  "This is more than 30 days ago. Your role on this team doesn't allow entries that old, so nothing was changed.";

/** Refuses what is more than 30 days ago unless the actor may enter and change that at the facility. */
export function checkAge(
  actor: Actor,
  { groupId, timeZone }: Facility,
  at: Pick<Moment, 'localDate'>,
  now: Date,
): void {
  const isAllowed = mayEdit(actor, { groupId, timeZone, day: at.localDate }, now);
  if (!isAllowed) throw new ApiError('NOT_PERMITTED', { message: TOO_OLD });
}
