/**
 * What discharges, deaths and automatic closes do to the visit under construction. Each function returns the fact's outcome
 * (`outcomes.ts`).
 */
import { isDeathDisposition, isDispositionCode, isLiveDisposition } from '#contract/dispositions.ts';
import type { EventCode, Setting } from '#contract/event-codes.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { credibleDeath } from './death-time.ts';
import { takeBackDeath } from './deaths-taken-back.ts';
import {
  deathIn,
  dischargedIn,
  isAtOrAfter,
  isBefore,
  isBelieved,
  isCoarser,
  isSameMinute,
  minuteOf,
  reportedEnd,
} from './event-time.ts';
import { created, joinOutcomes, NO_NEW_EVENT, noNewEvent, notDatedBy, updated } from './outcomes.ts';
import { isCorrectable, reclassify } from './reclassify.ts';
import { placeOf, precedence, type TimelineEntry } from './timeline.ts';
import {
  addSource,
  type EventDraft,
  emitEvent,
  isOpenStay,
  undoAutoClose,
  type VisitDraft,
  withdrawEvent,
} from './visit-draft.ts';
import { ADMITTED_HERE, endCode, isBeforeAdmission, isOutpatient, STILL_PATIENT, settingOf } from './visit-state.ts';
import { isSnapshot } from './visit-triggers.ts';

/**
 * A03, and the same entered by staff. A second discharge without a cancel in between corrects the first. `when`: the time of the discharge,
 * if it isn't that of the fact.
 */
export function endVisit(
  visit: VisitDraft,
  entry: TimelineEntry,
  code: EventCode,
  when: Pick<EventDraft, 'at' | 'orderedAt'> = entry,
): string {
  const { state } = visit;
  const { visit: reported, patient } = entry.fact.adt;
  if (reported?.disposition === STILL_PATIENT) {
    visit.flags.add('DISCHARGE_WITH_STILL_PATIENT');
    return 'Not discharged: PV1-36 is 30, still a patient';
  }
  const setting = settingOf(entry.fact, visit.facility);
  const isReported = code === 'DECEASED' || patient.deceased === true || isDeathDisposition(reported?.disposition);
  const isContradicted = !isReported && visit.death !== null && isLiveDisposition(reported?.disposition);
  if (isContradicted) visit.flags.add('DEATH_CONTRADICTED');
  const isDead = isReported || (visit.death !== null && visit.end === null && !isContradicted);
  const isEntered = entry.fact.manualCode !== undefined;
  if (!isDead && !isEntered && !visit.death && isAdmission(reported?.disposition, setting ?? state.setting)) {
    return becomeAdmitted(visit, entry);
  }
  const { at, orderedAt } = when;
  const isOfInpatient = !isDead || !visit.reportsDeath;
  if (isOfInpatient && !isEntered && !visit.death && isUpstairs(visit, at)) {
    const isKnown = visit.end !== null && !isUpstairs(visit, visit.end.at);
    if (isKnown) return noNewEvent('repeats a known discharge');
    return becomeAdmitted(visit, entry, 'the patient had been admitted under another number');
  }
  undoAutoClose(visit, entry);
  visit.isAdmittedHere = false;
  state.setting = classAtEnd(visit, entry) ?? state.setting;
  state.dischargedAt = at;
  state.disposition = dispositionAfter(state.disposition, reported?.disposition);
  if (reported?.dischargedTo !== undefined) state.dischargedTo = reported.dischargedTo;
  const isOutpatientVisit = isOutpatient(state) && (visit.phase === 'single' || visit.phase === 'none');
  if (isOutpatientVisit && !isDead && !isEntered) {
    visit.phase = 'single';
    return noNewEvent('end of an outpatient visit');
  }
  const known = visit.end ?? (isDead ? visit.death : null);
  const before = known && detailsOf(known);
  const eventCode = code === 'DECEASED' && !visit.reportsDeath ? 'DISCHARGE' : code;
  const event = known ?? emitEvent(visit, entry, eventCode, { at, orderedAt });
  if (known) addSource(event, entry);
  if (visit.end) {
    takeBackDeath(visit, event, entry, code);
    Object.assign(event, { at, orderedAt, setting: state.setting });
  }
  Object.assign(event, { disposition: state.disposition, dischargedTo: state.dischargedTo });
  visit.end = event;
  visit.phase = 'ended';
  if (isDead) markDeath(visit, event);
  if (!known)
    return isPastItsTime(entry)
      ? notDatedBy(created(event.code), 'PV1-45, which is before the admission')
      : created(event.code);
  return detailsOf(event) === before ? noNewEvent('repeats a known discharge') : updated(event.code);
}

/** Whether the patient had been admitted under another number by then. */
export const isUpstairs = ({ nextAdmission }: VisitDraft, at: Moment): boolean =>
  nextAdmission !== null && isAtOrAfter(at, nextAdmission);

/** Whether an A03 is dated by another field because its PV1-45 lies before the admission. */
function isPastItsTime({ fact, at }: TimelineEntry): boolean {
  const stated = dischargedIn(fact);
  return fact.adt.trigger === 'A03' && stated !== null && isBelieved(fact, 'discharged') && isBefore(stated, at);
}

/** A word that isn't known doesn't replace a UB-04 code: it may mean the same, and the follow-up depends on the code. */
function dispositionAfter(known: string | null, reported: string | null | undefined): string | null {
  const isUnknownWord = reported != null && !isDispositionCode(reported);
  return reported === undefined || (isUnknownWord && isDispositionCode(known ?? '')) ? known : reported;
}

const isAdmission = (disposition: string | null | undefined, setting: Setting): boolean =>
  disposition === ADMITTED_HERE && isBeforeAdmission(setting);

const ADMITTED = new Set<Setting>(['OBSERVATION', 'INPATIENT']);
const NOT_ADMITTED = new Set<Setting>(['EMERGENCY', 'OUTPATIENT']);

/**
 * Returns the class that a discharge reports. Undefined: none, or none that counts. A discharge takes no admission back: the class of the ED is only where the
 * visit began, and an outpatient's that of the bill. What was written before the arrival that gave the stay its class says less than that.
 */
function classAtEnd({ state, startedBy, facility }: VisitDraft, entry: TimelineEntry): Setting | undefined {
  const reported = settingOf(entry.fact, facility);
  if (reported === undefined || (NOT_ADMITTED.has(reported) && ADMITTED.has(state.setting))) return undefined;
  const isOlder = startedBy !== null && precedence(entry, startedBy) === 'time';
  return isOlder && isCorrectable(state.setting, reported) ? undefined : reported;
}

/** The account of the ED or observation ends, but the patient stays: nobody is discharged. */
function becomeAdmitted(
  visit: VisitDraft,
  entry: TimelineEntry,
  why = 'admitted as an inpatient (PV1-36 is 09)',
): string {
  const { state, end } = visit;
  const outcome = noNewEvent(why);
  const reported = settingOf(entry.fact, visit.facility) ?? state.setting;
  // The visit has become the inpatient stay already.
  const isInpatient = isOpenStay(visit) && state.setting !== reported && !isBeforeAdmission(state.setting);
  if (isInpatient) return outcome;
  undoAutoClose(visit, entry);
  if (end) withdrawEvent(visit, end, entry);
  const { dischargedTo } = entry.fact.adt.visit ?? {};
  const setting = classAtEnd(visit, entry) ?? state.setting;
  Object.assign(state, { setting, disposition: ADMITTED_HERE, dischargedTo: dischargedTo ?? null, dischargedAt: null });
  Object.assign(visit, { end: null, phase: 'ended', isAdmittedHere: true });
  return outcome;
}

/** Whether an update reports the discharge of a stay that has no end yet. */
export function endsByUpdate(visit: VisitDraft, { fact }: TimelineEntry): boolean {
  const at = reportedEnd(fact);
  return at !== null && visit.end === null && !isBeforeStay(visit, at);
}

/** A PV1-45 may still be that of an earlier stay. */
function isBeforeStay({ start, state }: VisitDraft, at: Moment): boolean {
  const began = start?.at ?? state.admittedAt;
  return began !== null && isBefore(at, began);
}

/** Says why the PV1-45 of an update ends nothing; null if it has none. */
export function unusedEnd(visit: VisitDraft, { fact }: TimelineEntry): string | null {
  const at = dischargedIn(fact);
  const { disposition } = fact.adt.visit ?? {};
  if (!at || !isSnapshot(fact.adt.trigger) || visit.end) return null;
  if (!isBelieved(fact, 'discharged')) return noNewEvent('PV1-45 is later than the message');
  if (disposition === STILL_PATIENT) return noNewEvent('PV1-36 is 30, still a patient');
  if (!disposition && fact.adt.patient.deceased !== true) return noNewEvent('PV1-45 without PV1-36 is no discharge');
  return noNewEvent('PV1-45 is before the stay');
}

/** A08 or A31 with a discharge (`reportedEnd`): some senders have no A03. */
export function endByUpdate(visit: VisitDraft, entry: TimelineEntry): string {
  const at = reportedEnd(entry.fact) ?? entry.at;
  return endVisit(visit, entry, endCode(visit.facility), { at, orderedAt: placeOf(entry.fact, at, 'end') });
}

const detailsOf = ({ code, at, setting, disposition, dischargedTo }: EventDraft): string =>
  JSON.stringify([code, minuteOf(at), setting, disposition, dischargedTo]);

/** Turns the event that ended the stay into a death, unless the death is an event already. */
function markDeath(visit: VisitDraft, event: EventDraft): void {
  visit.state.deceased = true;
  if (!visit.reportsDeath || (visit.death && visit.death !== event)) return;
  event.code = 'DECEASED';
  visit.death = event;
}

/** An update after the discharge may correct its time, disposition and destination, and the class; only a cancel retracts it. */
export function correctEnd(visit: VisitDraft, entry: TimelineEntry): string {
  const { state, end } = visit;
  const reported = entry.fact.adt.visit;
  if (!end || !reported) return NO_NEW_EVENT;
  if (reported.disposition === STILL_PATIENT) {
    visit.flags.add('DISCHARGE_WITH_STILL_PATIENT');
    return noNewEvent('PV1-36 is 30, still a patient, after the discharge');
  }
  const { dischargedTo = state.dischargedTo } = reported;
  const disposition = dispositionAfter(state.disposition, reported.disposition);
  if (disposition !== state.disposition && !isDeath(end) && isAdmission(disposition, state.setting)) {
    return becomeAdmitted(visit, entry);
  }
  const isUpdate = isSnapshot(entry.fact.adt.trigger);
  const reclassified = isUpdate ? reclassify(visit, entry, settingOf(entry.fact, visit.facility), end) : null;
  const at = correctedEnd(visit, entry);
  const isSame = !at && disposition === state.disposition && dischargedTo === state.dischargedTo;
  if (isSame) return reclassified ?? NO_NEW_EVENT;
  Object.assign(state, { disposition, dischargedTo, dischargedAt: at ?? state.dischargedAt });
  takeBackDeath(visit, end, entry, endCode(visit.facility));
  Object.assign(end, { disposition, dischargedTo });
  if (at && !isDeath(end)) Object.assign(end, { at, orderedAt: placeOf(entry.fact, at, 'end') });
  if (isDeathDisposition(disposition)) markDeath(visit, end);
  addSource(end, entry);
  return joinOutcomes([reclassified, updated(end.code)]);
}

const isDeath = ({ code }: EventDraft): boolean => code === 'DECEASED';

/** Returns the other time of discharge that an update reports; null if there is none. */
function correctedEnd(visit: VisitDraft, entry: TimelineEntry): Moment | null {
  const { fact } = entry;
  const at = isBelieved(fact, 'discharged') ? dischargedIn(fact) : null;
  const known = visit.state.dischargedAt;
  if (
    !at ||
    visit.canceledEnds.has(entry) ||
    isSameMinute(at, known) ||
    isCoarser(at, known) ||
    isBeforeStay(visit, at) ||
    (isUpstairs(visit, at) && visit.end?.code !== 'DECEASED')
  )
    return null;
  return at;
}

/** CLOSE: an ED visit that was left open ends with an unknown outcome. */
export function closeVisit(visit: VisitDraft, entry: TimelineEntry): string {
  const { setting } = visit.state;
  const isInEmergency = setting === 'EMERGENCY' || (setting === 'OUTPATIENT' && visit.start?.code === 'PRESENTED');
  if (visit.phase !== 'open' || !(isInEmergency || entry.fact.manualCode)) {
    return noNewEvent('the ED visit is no longer open');
  }
  if (visit.nextAdmission && !entry.fact.manualCode) return noNewEvent('the patient was admitted under another number');
  visit.phase = 'ended';
  if (visit.death && !entry.fact.manualCode) return noNewEvent('the patient has died');
  visit.autoClose = emitEvent(visit, entry, 'CLOSED');
  return created('CLOSED');
}

/** PID-30. A patient's death is one event (`death.ts`); a message that takes it back only sets a flag. Returns null if nothing is new. */
export function noteDeath(visit: VisitDraft, entry: TimelineEntry): string | null {
  const { state } = visit;
  const { deceased } = entry.fact.adt.patient;
  const deceasedAt = credibleDeath(visit, deathIn(entry.fact));
  if (deceased === undefined || visit.deathsTakenBack.has(entry.fact.adt.contentHash)) return null;
  if (deceased !== true) {
    if (state.deceased) visit.flags.add('DEATH_CONTRADICTED');
    return null;
  }
  visit.deathReports.push(entry.fact.adt.contentHash);
  if (deceasedAt) state.deceasedAt = deceasedAt;
  if (state.deceased) return null;
  state.deceased = true;
  if (!visit.reportsDeath) return noNewEvent('death already recorded on another visit');
  if (visit.end && deceasedAt && state.dischargedAt && !isBefore(state.dischargedAt, deceasedAt)) {
    markDeath(visit, visit.end);
    addSource(visit.end, entry);
  } else {
    const orderedAt = deceasedAt ? Date.parse(deceasedAt.instant) : entry.orderedAt;
    visit.death = emitEvent(visit, entry, 'DECEASED', { at: deceasedAt ?? entry.at, orderedAt });
  }
  return created('DECEASED');
}
