/** What an arrival (A01, A04, A06) does to the visit under construction. Each function returns the fact's outcome (`outcomes.ts`). */
import type { EventCode, Setting } from '#contract/event-codes.ts';
import { noteAdmission, repeatAdmission } from './admission-time.ts';
import { HANGING_AFTER, isBefore, isBelieved, isCoarser, isSameMinute } from './event-time.ts';
import { correctClass, isOfEndedStay, isSameArrival } from './late-classes.ts';
import { isPreadmission, planVisit, updateVisit } from './movements.ts';
import { created, joinOutcomes, noNewEvent } from './outcomes.ts';
import { noteContact } from './series.ts';
import type { TimelineEntry } from './timeline.ts';
import {
  addSource,
  clearEnd,
  emitEvent,
  isOpenStay,
  isStartProvisional,
  type PreviousState,
  priorSetting,
  undoAutoClose,
  type VisitDraft,
} from './visit-draft.ts';
import { arrivalCode, settingOf } from './visit-state.ts';

/** A01, A04: an arrival. The setting decides which event it is. */
export function arrive(visit: VisitDraft, entry: TimelineEntry, previous: PreviousState): string {
  const { adt } = entry.fact;
  const setting = settingOf(entry.fact, visit.facility);
  if (adt.trigger === 'A04' && isPreadmission(entry) && visit.phase === 'none') return planVisit(visit);
  const contact = noteContact(visit, entry, previous);
  if (contact) return contact;
  const code = arrivalCode(adt.trigger, setting, visit.facility);
  if (code === null) return register(visit, entry, previous, setting);
  return beginVisit(visit, entry, previous, code, setting ?? previous.setting);
}

/** A06: an outpatient or ED patient becomes an inpatient in the same visit. Its PV1-2 may be stale, so the trigger decides. */
export function becomeInpatient(visit: VisitDraft, entry: TimelineEntry, previous: PreviousState): string {
  const reported = settingOf(entry.fact, visit.facility);
  const isStale = reported === undefined || reported === 'EMERGENCY' || reported === 'OUTPATIENT';
  const setting = isStale ? 'INPATIENT' : reported;
  return beginVisit(visit, entry, previous, arrivalCode('A01', setting, visit.facility) ?? 'ADMIT', setting);
}

/** A registration without an event. An outpatient's visit is over at once; one of unknown class may still become a stay. */
function register(
  visit: VisitDraft,
  entry: TimelineEntry,
  previous: PreviousState,
  setting: Setting | undefined,
): string {
  if (setting && isReturn(visit, entry, 'VISIT')) endUnreported(visit);
  const isAgain = visit.phase === 'ended' && setting !== undefined && isOnLaterDay(visit, entry);
  if (isOpenStay(visit) || (visit.phase === 'ended' && !isAgain)) return updateOpenStay(visit, entry, previous);
  if (isAgain) registerAgain(visit, entry);
  if (setting) visit.state.setting = setting;
  admitAt(visit, entry);
  noteAdmission(visit, entry, previous, null, visit.phase !== 'single');
  visit.phase = setting ? 'single' : 'open';
  return noNewEvent(
    setting ? 'outpatient registrations create none at this facility' : 'registration with an unknown patient class',
  );
}

/** An outpatient's registration under the number of a stay says nothing about when the stay began. */
function updateOpenStay(visit: VisitDraft, entry: TimelineEntry, previous: PreviousState): string {
  visit.state.admittedAt = previous.admittedAt ?? visit.state.admittedAt;
  return updateVisit(visit, entry, previous);
}

/** Begins a stay, or continues one in another setting (ED to inpatient). A repeated arrival changes nothing. */
export function beginVisit(
  visit: VisitDraft,
  entry: TimelineEntry,
  previous: PreviousState,
  code: EventCode,
  setting: Setting,
): string {
  const { state, start } = visit;
  const isStay = code !== 'VISIT';
  if (isReturn(visit, entry, code)) endUnreported(visit);
  if (!isStay && visit.phase === 'open') return updateOpenStay(visit, entry, previous);
  if (isRepeat(visit, entry, previous, code, setting)) {
    return joinOutcomes([repeatAdmission(visit, entry, previous), noNewEvent('repeats a known arrival')]);
  }
  if (isSameArrival(visit, entry, code) || isOfEndedStay(visit, entry, previous)) {
    const corrected = correctClass(visit, entry, previous, setting);
    if (corrected) return corrected;
  }
  undoAutoClose(visit, entry);
  const continues = isOpenStay(visit) || visit.isAdmittedHere;
  const isFirst = !continues && visit.phase !== 'single';
  const isAgain = visit.phase === 'ended' && isOnLaterDay(visit, entry);
  if (isAgain) beginAgain(visit, entry);
  if (visit.phase === 'ended') reopen(visit);
  const isOutpatientAdmitted = isStay && visit.phase === 'single';
  // The end of an outpatient visit isn't that of the stay under its number.
  if (isOutpatientAdmitted) clearEnd(visit);
  visit.end = null;
  state.setting = setting;
  admitAt(visit, entry);
  if (isOutpatientAdmitted) admitAfterRegistration(visit, entry, previous);
  const details = { priorSetting: continues ? priorSetting(visit, previous) : null, admitSource: state.admitSource };
  if (start && isStartProvisional(visit) && start.code === code && !isAgain) {
    const { at, orderedAt } = entry;
    const pointOfCare = state.location?.pointOfCare ?? null;
    Object.assign(start, { at, orderedAt, setting, pointOfCare, inferred: false, ...details });
    addSource(start, entry);
    visit.admission = { ...visit.admission, event: null, reported: null };
    noteAdmission(visit, entry, previous, start, true);
  } else {
    visit.start = emitEvent(visit, entry, code, details);
    noteAdmission(visit, entry, previous, visit.start, isFirst);
    visit.arrivals = isFirst ? [visit.start] : [...visit.arrivals, visit.start];
  }
  visit.startAdmittedAt = entry.fact.adt.visit?.admittedAt ?? null;
  visit.startedBy = entry;
  visit.conversion = null;
  visit.phase = isStay ? 'open' : 'single';
  return created(code);
}

/** PV1-44 has the time of admission. Without it, or if it isn't credible or names only the day, the time of the arrival counts. */
function admitAt({ state }: VisitDraft, { at, fact }: TimelineEntry): void {
  // The planned admission no longer holds if the arrival came earlier and its own PV1-44 is not credible.
  const isPlanOnly = !isBelieved(fact, 'admitted') && state.admittedAt !== null && isBefore(at, state.admittedAt);
  if (state.admittedAt === null || isPlanOnly || isCoarser(state.admittedAt, at)) state.admittedAt = at;
}

/**
 * An outpatient is admitted at the time of the arrival, or at a PV1-44 that came with it and isn't that of the registration: nights as an inpatient
 * count from the formal admission (42 CFR 409.30).
 */
function admitAfterRegistration(
  visit: VisitDraft,
  { at }: TimelineEntry,
  { admittedAt: registered }: PreviousState,
): void {
  const { state } = visit;
  if (!registered || !isBefore(registered, at)) return;
  visit.registeredAt = registered;
  if (!state.admittedAt || isSameMinute(state.admittedAt, registered)) state.admittedAt = at;
}

/**
 * Whether an arrival is another visit, although no message said that the one before was over: to the ED or of an outpatient, so long after an arrival in the
 * ED that the visit there would have been closed, or to urgent care on a later day. An arrival that repeats the PV1-44 of the first is sent again.
 */
function isReturn({ start, startAdmittedAt }: VisitDraft, { at, fact }: TimelineEntry, code: EventCode): boolean {
  if (!start || (code !== 'PRESENTED' && code !== 'VISIT')) return false;
  if (isSameMinute(startAdmittedAt, fact.adt.visit?.admittedAt ?? null)) return false;
  if (start.code === 'PRESENTED') return Date.parse(at.instant) - Date.parse(start.at.instant) > HANGING_AFTER;
  return code === start.code && start.setting === 'URGENT_CARE' && start.at.localDate < at.localDate;
}

/** Ends a visit without a discharge, or with an admission, because the patient came again. If a job has closed it, that is its end. */
function endUnreported(visit: VisitDraft): void {
  if (visit.phase === 'ended' && !visit.autoClose && !visit.isAdmittedHere) return;
  visit.end = visit.autoClose ?? visit.start;
  visit.autoClose = null;
  visit.isAdmittedHere = false;
  visit.phase = 'ended';
}

/** Whether the patient was discharged on an earlier day. */
const isOnLaterDay = ({ end, isAdmittedHere }: VisitDraft, { at }: TimelineEntry): boolean =>
  end !== null && !isAdmittedHere && end.at.localDate < at.localDate;

/**
 * A second stay under the number of the first is counted from its own beginning: the nights at home belong to neither. It is a visit of its own
 * (`separate-stays.ts`), unless the first is said to have ended in death: then it contradicts that.
 */
function beginAgain(visit: VisitDraft, entry: TimelineEntry): void {
  const { state, end } = visit;
  visit.earlierEnd = end?.at ?? null;
  if (end && !state.deceased) visit.furtherStays.push({ arrival: entry, earlierEnd: end.at });
  const isOfFirst = state.admittedAt && visit.earlierEnd && isBefore(state.admittedAt, visit.earlierEnd);
  if (isOfFirst) state.admittedAt = entry.at;
}

/** Begins an outpatient's visit under the number of a stay that was over. */
function registerAgain(visit: VisitDraft, entry: TimelineEntry): void {
  beginAgain(visit, entry);
  reopen(visit);
  Object.assign(visit, {
    phase: 'none',
    start: null,
    startAdmittedAt: null,
    end: null,
    arrivals: [],
    contacts: [entry.at],
  });
}

/** A second stay under the same visit number, or a stay that goes on. */
function reopen(visit: VisitDraft): void {
  visit.isAdmittedHere = false;
  clearEnd(visit);
  if (visit.state.deceased) visit.flags.add('DEATH_CONTRADICTED');
  visit.death = null;
}

function isRepeat(
  visit: VisitDraft,
  entry: TimelineEntry,
  previous: PreviousState,
  code: EventCode,
  setting: Setting,
): boolean {
  const { start } = visit;
  if (!start || isStartProvisional(visit) || start.code !== code || previous.setting !== setting) return false;
  const isOngoing = (visit.phase === 'open' && !visit.autoClose) || visit.phase === 'single';
  return isOngoing || isSameMinute(visit.startAdmittedAt, entry.fact.adt.visit?.admittedAt ?? null);
}
