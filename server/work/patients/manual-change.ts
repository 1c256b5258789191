/**
 * Corrects and deletes what staff of a facility without a feed entered by hand. A change is a later entry that names what it replaces or
 * retracts, so nothing is updated in place, and whoever was notified sees the correction (docs/decisions/0058).
 */
import { startsVisit } from '#contract/event-codes.ts';
import type { EventChange, PatientChange } from '#contract/manual-entries.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import type { Transaction } from '#server/platform/database/pool.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { changedPatient, checkOrder, correctingEntry, eventEntry, momentOf, retractingEntry } from './entry-facts.ts';
import { checkAge, checkApproved, checkKind } from './manual-entry.ts';
import {
  factsOfVisit,
  isBeingCorrected,
  lastCorrection,
  type ManualVisit,
  manualPatient,
  manualVisit,
  type NamedFact,
  type VisitEvent,
} from './manual-visit.ts';
import { refuseGuesses } from './refuse-guesses.ts';
import { type EntryDeps, type Stored, storeEntry } from './store-entry.ts';

const EDITOR = 'canEditPatientsAndEvents';
const FROM_FEED = 'This came from a live feed, so it can be corrected only at its source.';

/**
 * Corrects a patient whom staff entered. Errors: NOT_FOUND, BAD_REQUEST, FACILITY_NEEDS_OPERATOR, NOT_PERMITTED for a patient without an event in
 * the last 30 days, CHANGED_BY_OTHER if they were corrected since the caller read them, and IDENTITY_GUESSES for a correction that looks like a guess of someone's details.
 */
export async function changePatient(
  deps: EntryDeps,
  call: ActorCall,
  patientId: string,
  { version, ...change }: PatientChange,
): Promise<Stored> {
  const { actor, now } = call;
  const before = await asActor(deps.db, actor, EDITOR, async (tx) => {
    const found = await manualPatient(tx, patientId);
    const present = String(found.corrections);
    if (version !== undefined && version !== present)
      throw new ApiError('CHANGED_BY_OTHER', {
        standing: { version: present, last: await lastCorrection(tx, found) },
      });
    return found;
  });
  checkApproved(before);
  if (before.isFed || before.describedBy.length === 0) throw new ApiError('BAD_REQUEST', { message: FROM_FEED });
  if (before.lastDay !== null) checkAge(actor, before, { localDate: before.lastDay }, now);
  const { groupId, timeZone, recordNumber, describedBy: of, corrections: earlier } = before;
  const patient = changedPatient(recordNumber, before.demographics, change, now);
  await refuseGuesses(deps, call, groupId, patient);
  const entry = correctingEntry({ groupId, userId: actor.userId, patient, of, earlier, now, timeZone });
  const encounterId = patientId.split('_')[1] ?? '0';
  const check = async (tx: Transaction) => {
    if (await isBeingCorrected(tx, before))
      throw new ApiError('CHANGED_BY_OTHER', { standing: { version: String(earlier), last: null } });
  };
  return storeEntry(deps, call, { entry, action: 'patient.change', encounterId, check });
}

/** Which event of which patient. */
interface EventIds {
  patientId: string;
  eventId: string;
}

/**
 * Corrects an event that staff entered. Errors: NOT_FOUND, BAD_REQUEST, FACILITY_NEEDS_OPERATOR, NOT_PERMITTED if the event is old or becomes old.
 */
export async function changeEvent(
  deps: EntryDeps,
  call: ActorCall,
  ids: EventIds,
  change: EventChange,
): Promise<Stored> {
  const { actor, now } = call;
  const { visit, event, facts } = await loadEvent(deps, call, ids);
  const { groupId, timeZone, recordNumber } = visit;
  const code = change.status ?? event.code;
  if (startsVisit(code) !== startsVisit(event.code))
    throw badField(
      'status',
      startsVisit(code) ? "Choose an event that doesn't start a visit." : 'Choose an event that starts a visit.',
    );
  if (change.status !== undefined && change.status !== event.code) checkKind(visit, code);
  const at = change.eventDate === undefined ? event.at : momentOf(change.eventDate, timeZone, now);
  checkAge(actor, visit, at, now);
  const others = visit.events.filter(({ id }) => id !== event.id);
  checkOrder({ code, at }, others);
  const entry = eventEntry({
    groupId,
    userId: actor.userId,
    patient: { recordNumber, identifiers: [] },
    visitNumber: visitNumberOf(visit, facts),
    event: { status: code, dischargedTo: change.dischargedTo === undefined ? event.dischargedTo : change.dischargedTo },
    at,
    replaces: { retracts: facts.map(({ controlId }) => controlId), now, timeZone },
  });
  return storeEntry(deps, call, { entry, action: 'patient.change-event' });
}

/**
 * Deletes an event that staff entered: it becomes canceled, and so does a visit without any other. Errors: as of `changeEvent`; BAD_REQUEST for the
 * beginning of a visit that has other events.
 */
export async function deleteEvent(deps: EntryDeps, call: ActorCall, ids: EventIds): Promise<Stored> {
  const { visit, event, facts } = await loadEvent(deps, call, ids);
  const others = visit.events.filter(({ id }) => id !== event.id);
  if (startsVisit(event.code) && others.length > 0 && !others.some(({ code }) => startsVisit(code))) {
    const message =
      'Other events of this visit follow this one. Delete them first, or delete the visit. Nothing was changed.';
    throw new ApiError('BAD_REQUEST', { message });
  }
  return retract(deps, call, visit, facts, 'patient.delete-event');
}

/**
 * Deletes a visit that staff entered, with its events. A patient without any other visit at the facility leaves its list. Errors: NOT_FOUND,
 * BAD_REQUEST for a visit that a feed reported too, FACILITY_NEEDS_OPERATOR, NOT_PERMITTED if an event is old.
 */
export async function deleteEncounter(
  deps: EntryDeps,
  call: ActorCall,
  ids: { patientId: string; encounterId: string },
): Promise<Stored> {
  const { actor, now } = call;
  const { visit, facts } = await asActor(deps.db, actor, EDITOR, async (tx) => {
    const found = await manualVisit(tx, ids.patientId, ids.encounterId);
    return { visit: found, facts: await factsOfVisit(tx, found.encounterId) };
  });
  checkApproved(visit);
  if (visit.status === 'CANCELLED') throw new ApiError('NOT_FOUND');
  if (!facts.every(isEntered)) throw new ApiError('BAD_REQUEST', { message: FROM_FEED });
  for (const { at } of visit.events) checkAge(actor, visit, at, now);
  return retract(deps, call, visit, facts, 'patient.delete-encounter');
}

const isEntered = ({ trigger }: NamedFact): boolean =>
  trigger === 'MANUAL' || trigger === 'CLOSE' || trigger === 'RETRACT' || trigger === 'LINK';

/** Returns an event with the entries that it follows from. */
async function loadEvent(
  deps: EntryDeps,
  { actor, now }: ActorCall,
  { patientId, eventId }: EventIds,
): Promise<{ visit: ManualVisit; event: VisitEvent; facts: NamedFact[] }> {
  const { visit, facts } = await asActor(deps.db, actor, EDITOR, async (tx) => {
    const found = await manualVisit(tx, patientId);
    return { visit: found, facts: await factsOfVisit(tx, found.encounterId) };
  });
  const event = visit.events.find(({ id }) => id === eventId);
  if (!event) throw new ApiError('NOT_FOUND');
  checkApproved(visit);
  const own = facts.filter(({ id }) => event.factIds.includes(id));
  if (!event.isManual || own.length === 0 || !own.every(({ trigger }) => trigger === 'MANUAL'))
    throw new ApiError('BAD_REQUEST', { message: FROM_FEED });
  checkAge(actor, visit, event.at, now);
  return { visit, event, facts: own };
}

function retract(
  deps: EntryDeps,
  call: ActorCall,
  visit: ManualVisit,
  facts: readonly NamedFact[],
  action: 'patient.delete-event' | 'patient.delete-encounter',
): Promise<Stored> {
  const { groupId, timeZone, recordNumber } = visit;
  const entry = retractingEntry({
    groupId,
    userId: call.actor.userId,
    patient: { recordNumber, identifiers: [] },
    visitNumber: visitNumberOf(visit, facts),
    retracts: facts.map(({ controlId }) => controlId),
    now: call.now,
    timeZone,
  });
  return storeEntry(deps, call, { entry, action });
}

/** Entries have a visit number, which joins the change to the same visit. */
const visitNumberOf = ({ visitNumber }: ManualVisit, facts: readonly NamedFact[]): string =>
  facts.find((fact) => fact.visitNumber !== null)?.visitNumber ?? visitNumber ?? '';
