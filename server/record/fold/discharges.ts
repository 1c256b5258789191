/**
 * What discharges, deaths and automatic closes do to the visit under construction. Each function returns the fact's outcome
 * (`outcomes.ts`).
 */
import { isDeathDisposition } from '#contract/dispositions.ts';
import type { EventCode } from '#contract/event-codes.ts';
import { isBefore, isBelieved, isSameMinute, minuteOf } from './event-time.ts';
import { created, NO_NEW_EVENT, noNewEvent, updated } from './outcomes.ts';
import type { TimelineEntry } from './timeline.ts';
import { addSource, type EventDraft, emitEvent, undoAutoClose, type VisitDraft } from './visit-draft.ts';
import { isOutpatient, STILL_PATIENT, settingOf } from './visit-state.ts';

/** A03, and the same entered by staff. A second discharge without a cancel in between corrects the first. */
export function endVisit(visit: VisitDraft, entry: TimelineEntry, code: EventCode): string {
  const { state } = visit;
  const { visit: reported, patient } = entry.fact.adt;
  if (reported?.disposition === STILL_PATIENT) {
    visit.flags.add('DISCHARGE_WITH_STILL_PATIENT');
    return 'Not discharged: PV1-36 is 30, still a patient';
  }
  undoAutoClose(visit, entry);
  const setting = settingOf(entry.fact, visit.facility);
  if (setting) state.setting = setting;
  const isDead =
    code === 'DECEASED' ||
    patient.deceased === true ||
    isDeathDisposition(reported?.disposition) ||
    (visit.death !== null && visit.end === null);
  state.dischargedAt = entry.at;
  if (reported?.disposition !== undefined) state.disposition = reported.disposition;
  if (reported?.dischargedTo !== undefined) state.dischargedTo = reported.dischargedTo;
  const isOutpatientVisit = isOutpatient(state) && (visit.phase === 'single' || visit.phase === 'none');
  if (isOutpatientVisit && !isDead && !entry.fact.manualCode) {
    visit.phase = 'single';
    return noNewEvent('end of an outpatient visit');
  }
  const known = visit.end ?? (isDead ? visit.death : null);
  const before = known && detailsOf(known);
  const event = known ?? emitEvent(visit, entry, code === 'DECEASED' && !visit.reportsDeath ? 'DISCHARGE' : code);
  if (known) addSource(event, entry);
  if (visit.end) Object.assign(event, { at: entry.at, orderedAt: entry.orderedAt });
  Object.assign(event, { disposition: state.disposition, dischargedTo: state.dischargedTo });
  visit.end = event;
  visit.phase = 'ended';
  if (isDead) markDeath(visit, event);
  if (!known) return created(event.code);
  return detailsOf(event) === before ? noNewEvent('repeats a known discharge') : updated(event.code);
}

const detailsOf = ({ code, at, disposition, dischargedTo }: EventDraft): string =>
  JSON.stringify([code, minuteOf(at), disposition, dischargedTo]);

/** Turns the event that ended the stay into a death, unless the death is an event already. */
function markDeath(visit: VisitDraft, event: EventDraft): void {
  visit.state.deceased = true;
  if (!visit.reportsDeath || (visit.death && visit.death !== event)) return;
  event.code = 'DECEASED';
  visit.death = event;
}

/** An update after the discharge may correct its time, disposition and destination; only a cancel retracts it. */
export function correctEnd(visit: VisitDraft, entry: TimelineEntry): string {
  const { state, end } = visit;
  const reported = entry.fact.adt.visit;
  if (!end || !reported) return NO_NEW_EVENT;
  if (reported.disposition === STILL_PATIENT) {
    visit.flags.add('DISCHARGE_WITH_STILL_PATIENT');
    return noNewEvent('PV1-36 is 30, still a patient, after the discharge');
  }
  const { disposition = state.disposition, dischargedTo = state.dischargedTo } = reported;
  const reportedAt = isBelieved(entry.fact, 'discharged') ? reported.dischargedAt : null;
  const isMoved = reportedAt && !isSameMinute(reportedAt, state.dischargedAt);
  const at = isMoved ? reportedAt : end.at;
  if (!isMoved && disposition === state.disposition && dischargedTo === state.dischargedTo) return NO_NEW_EVENT;
  Object.assign(state, { disposition, dischargedTo, dischargedAt: isMoved ? at : state.dischargedAt });
  Object.assign(end, { disposition, dischargedTo });
  if (isMoved && end.code !== 'DECEASED') Object.assign(end, { at, orderedAt: Date.parse(at.instant) });
  if (isDeathDisposition(disposition)) markDeath(visit, end);
  addSource(end, entry);
  return updated(end.code);
}

/** CLOSE: an ED visit that was left open ends with an unknown outcome. */
export function closeVisit(visit: VisitDraft, entry: TimelineEntry): string {
  if (visit.phase !== 'open' || (visit.state.setting !== 'EMERGENCY' && !entry.fact.manualCode)) {
    return noNewEvent('the ED visit is no longer open');
  }
  visit.phase = 'ended';
  if (visit.death && !entry.fact.manualCode) return noNewEvent('the patient has died');
  visit.autoClose = emitEvent(visit, entry, 'CLOSED');
  return created('CLOSED');
}

/** PID-30. A patient's death is one event (`death.ts`); a message that takes it back only sets a flag. Returns null if nothing is new. */
export function noteDeath(visit: VisitDraft, entry: TimelineEntry): string | null {
  const { state } = visit;
  const { deceased, deceasedAt } = entry.fact.adt.patient;
  if (deceased === undefined) return null;
  if (deceased !== true) {
    if (state.deceased) visit.flags.add('DEATH_CONTRADICTED');
    return null;
  }
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
