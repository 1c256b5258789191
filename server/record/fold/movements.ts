/**
 * What updates, plans, moves and leaves do to the visit under construction. Each function returns the fact's outcome
 * (`outcomes.ts`).
 */
import type { EventCode, Setting } from '#contract/event-codes.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { correctAdmission } from './admission-time.ts';
import { correctEnd, endByUpdate, endsByUpdate, isUpstairs, unusedEnd } from './discharges.ts';
import { isBefore, isBelieved, isCoarse } from './event-time.ts';
import type { FoldFacility } from './fold-input.ts';
import { created, createdByInference, joinOutcomes, NO_NEW_EVENT, noNewEvent, notDatedBy } from './outcomes.ts';
import { placeOf, type TimelineEntry } from './timeline.ts';
import {
  admitFromEmergency,
  admitOutpatient,
  type EventDraft,
  emitEvent,
  inferStart,
  type PreviousState,
  priorSetting,
  undoAutoClose,
  type VisitDraft,
} from './visit-draft.ts';
import { isOtherUnit, isOutpatient, settingOf } from './visit-state.ts';
import { isSnapshot } from './visit-triggers.ts';

/** PV1-2 is P (preadmit): nobody has arrived yet. */
export const isPreadmission = ({ fact }: TimelineEntry): boolean => fact.adt.visit?.classCode?.toUpperCase() === 'P';

/** A05, A14. */
export function planVisit(visit: VisitDraft): string {
  if (visit.phase !== 'none') return NO_NEW_EVENT;
  visit.phase = 'planned';
  return noNewEvent('planned visit');
}

/**
 * A08, A31 and other updates. They create no event unless the setting changes, a discharge is reported without an A03, or something is
 * corrected.
 */
export function updateVisit(visit: VisitDraft, entry: TimelineEntry, previous: PreviousState): string {
  if (visit.phase === 'none' && isPreadmission(entry)) return planVisit(visit);
  if (isStepFromEmergency(visit, entry, previous)) return stepFromEmergency(visit, entry, previous);
  const moved = isSnapshot(entry.fact.adt.trigger) ? correctAdmission(visit, entry) : null;
  return joinOutcomes([moved, updateStay(visit, entry, previous)]);
}

const AFTER_EMERGENCY = new Set<Setting | undefined>(['OBSERVATION', 'INPATIENT']);

/** Whether an update gives an ED visit another class with a PV1-44 after the arrival: it dates that step, and not the arrival. */
function isStepFromEmergency(
  { phase, start }: VisitDraft,
  { fact, at }: TimelineEntry,
  previous: PreviousState,
): boolean {
  const own = fact.adt.visit?.admittedAt;
  if (phase !== 'open' || previous.setting !== 'EMERGENCY' || start?.code !== 'PRESENTED' || !own) return false;
  if (!isSnapshot(fact.adt.trigger) || !AFTER_EMERGENCY.has(fact.adt.visit?.setting)) return false;
  return isBelieved(fact, 'admitted') && !isCoarse(own) && isBefore(start.at, own) && !isBefore(at, own);
}

function stepFromEmergency(visit: VisitDraft, entry: TimelineEntry, previous: PreviousState): string {
  const own = entry.fact.adt.visit?.admittedAt as Moment;
  const known = new Set(visit.events);
  const outcome = updateStay(visit, entry, previous);
  const step = visit.events.find((event) => isStep(event) && !known.has(event));
  if (!step) return outcome;
  Object.assign(step, { at: own, orderedAt: placeOf(entry.fact, own, 'start'), admitSource: visit.state.admitSource });
  if (!visit.arrivals.includes(step)) visit.arrivals = [...visit.arrivals, step];
  visit.admission = { event: step, reported: own, hasOwnTime: false };
  return outcome;
}

const isStep = ({ code }: EventDraft): boolean => code === 'TRANSFER' || code === 'ADMIT';

function updateStay(visit: VisitDraft, entry: TimelineEntry, previous: PreviousState): string {
  const canceledEnd = visit.canceledEnds.get(entry);
  // A message without PV1 says nothing about the setting, not even at a facility that has only one.
  const setting = entry.fact.adt.visit ? settingOf(entry.fact, visit.facility) : undefined;
  if (!canceledEnd && endsByUpdate(visit, entry)) return endByUpdate(visit, entry);
  if (visit.phase === 'planned') return unusedEnd(visit, entry) ?? NO_NEW_EVENT;
  if (goesOnHere(visit, entry) && setting === 'INPATIENT') continueStay(visit);
  if (visit.phase === 'ended' && canceledEnd !== 'retracted') return correctEnd(visit, entry);
  const outcome = visit.phase === 'ended' ? null : changeSetting(visit, entry, previous, setting);
  return (
    outcome ?? (canceledEnd ? noNewEvent('its discharge was canceled') : (unusedEnd(visit, entry) ?? NO_NEW_EVENT))
  );
}

/** Whether an entry may be of the stay to which the patient was admitted: not if that has another number. */
const goesOnHere = (visit: VisitDraft, { at }: TimelineEntry): boolean =>
  visit.isAdmittedHere && !isUpstairs(visit, at);

/** The patient was admitted from the ED to this facility, and stays under the same visit number. */
function continueStay(visit: VisitDraft): void {
  visit.isAdmittedHere = false;
  visit.phase = 'open';
  Object.assign(visit.state, { disposition: null, dischargedTo: null });
}

/** Applies the setting, if known. Returns the outcome, or null if no event followed. */
function changeSetting(
  visit: VisitDraft,
  entry: TimelineEntry,
  previous: PreviousState,
  setting: Setting | undefined,
): string | null {
  if (setting) visit.state.setting = setting;
  const isStay = !isOutpatient(visit.state);
  if (visit.phase === 'none') visit.phase = isStay ? 'open' : 'single';
  if (visit.phase === 'single') {
    if (!isStay || previous.setting === visit.state.setting) return null;
    visit.phase = 'open';
    if (visit.start?.code === 'VISIT') visit.start = null;
    const admission = admitOutpatient(visit, entry, previous);
    if (admission) return created(admission.code);
  }
  // A message without PV1 proves no stay, and may be a death reported outside this visit.
  const start = entry.fact.adt.visit && inferStart(visit, entry);
  if (start) return createdByInference(start.code);
  if (priorSetting(visit, previous) === null) return null;
  const admission = admitFromEmergency(visit, entry, previous);
  if (admission) return created(admission.code);
  emitEvent(visit, entry, 'TRANSFER', { priorSetting: previous.setting });
  return created('TRANSFER');
}

/** A02, A07. It is a transfer if unit, setting or facility change; a move from bed to bed is not. */
export function moveWithinVisit(visit: VisitDraft, entry: TimelineEntry, previous: PreviousState): string {
  const { adt, manualCode } = entry.fact;
  const reported = settingOf(entry.fact, visit.facility);
  const isStale = adt.trigger === 'A07' && (reported === undefined || reported === 'INPATIENT');
  const setting = isStale ? 'OUTPATIENT' : reported;
  const refusal = refuseAfterDischarge(visit, entry);
  if (refusal) return refusal;
  if (visit.phase === 'planned') visit.phase = 'open';
  const origin = previous.location ?? adt.visit?.priorLocation;
  const outcome = changeSetting(visit, entry, previous, setting);
  if (outcome === created('TRANSFER') || outcome === created('ADMIT') || visit.phase === 'single')
    return outcome ?? NO_NEW_EVENT;
  const isMoved = isOtherUnit(origin, adt.visit?.location) || manualCode === 'TRANSFER';
  if (!isMoved) return outcome ?? noNewEvent('move within the unit, or prior unit unknown');
  emitEvent(visit, entry, 'TRANSFER');
  return created('TRANSFER');
}

/** Movements after a discharge don't undo it; after an automatic close they do. */
function refuseAfterDischarge(visit: VisitDraft, entry: TimelineEntry): string | null {
  undoAutoClose(visit, entry);
  if (goesOnHere(visit, entry)) continueStay(visit);
  if (visit.phase !== 'ended' || entry.fact.manualCode) return null;
  visit.flags.add('ACTIVITY_AFTER_DISCHARGE');
  return noNewEvent('dated after the discharge');
}

const WITH_LEAVE_EVENTS = new Set<FoldFacility['facilityType']>(['SNF', 'ALF', 'LTAC', 'REHAB_HOS']);

/** Leaves are events where people live for weeks; in a hospital a leave is an afternoon. */
const hasLeaveEvents = ({ groupType, facilityType }: FoldFacility): boolean =>
  groupType === 'SNF' || WITH_LEAVE_EVENTS.has(facilityType);

/** A21 and A22, and the same entered by staff: leave of absence and return. */
export function leaveOrReturn(
  visit: VisitDraft,
  entry: TimelineEntry,
  previous: PreviousState,
  code: EventCode,
): string {
  const refusal = refuseAfterDischarge(visit, entry);
  if (refusal) return refusal;
  const phase = code === 'MEDICAL_LEAVE_OF_ABSENCE' ? 'on-leave' : 'open';
  if (visit.phase === 'none' || visit.phase === 'planned') visit.phase = 'open';
  const outcome = changeSetting(visit, entry, previous, settingOf(entry.fact, visit.facility));
  if (phase === 'on-leave' && visit.phase === 'on-leave') return noNewEvent('repeats a known leave');
  if (phase === 'open' && visit.phase === 'open' && hasReturned(visit)) return noNewEvent('repeats a known return');
  visit.phase = phase;
  if (!hasLeaveEvents(visit.facility) && !entry.fact.manualCode) {
    return outcome ?? withDoubt(noNewEvent('leaves create none at this facility'), visit, entry);
  }
  emitEvent(visit, entry, code);
  return withDoubt(created(code), visit, entry);
}

/** Adds to an outcome that the leave is said to have begun or ended before the stay, which isn't believed (`event-time.ts`). */
function withDoubt(outcome: string, { state }: VisitDraft, { fact, at }: TimelineEntry): string {
  const { occurredAt } = fact.adt;
  const isDoubted =
    occurredAt && state.admittedAt && isBefore(occurredAt, at) && isBefore(occurredAt, state.admittedAt);
  return isDoubted ? notDatedBy(outcome, 'EVN-6, which is before the admission') : outcome;
}

const hasReturned = (visit: VisitDraft): boolean => visit.events.at(-1)?.code === 'RESUMED_SERVICES';
