/**
 * Arrivals that say again, and in another class, how a stay began that is known. Hospitals review stays after the discharge and turn observation into an
 * inpatient admission then: the A06 comes late, with the times of the stay.
 */
import type { EventCode, Setting } from '#contract/event-codes.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { dischargedIn, isBefore, isBelieved, isCoarse, isSameMinute } from './event-time.ts';
import { created, joinOutcomes, noNewEvent, updated } from './outcomes.ts';
import { isCorrectable, reclassify } from './reclassify.ts';
import { isWrittenBefore, placeOf, type TimelineEntry } from './timeline.ts';
import { addSource, type EventDraft, emitEvent, type PreviousState, type VisitDraft } from './visit-draft.ts';

/** Whether an A01 or A04 of an open stay repeats the minute of its admission: in another class it corrects that. */
export function isSameArrival({ phase, start, startedBy }: VisitDraft, entry: TimelineEntry, code: EventCode): boolean {
  const { trigger } = entry.fact.adt;
  return (
    (trigger === 'A01' || trigger === 'A04') &&
    phase === 'open' &&
    start?.code === code &&
    isSameMinute(start.at, entry.at) &&
    startedBy !== null &&
    isWrittenBefore(startedBy, entry)
  );
}

/**
 * Whether an arrival after the discharge is about the stay that has ended: it repeats its discharge (PV1-45), or comes on a later day with an admission (PV1-44)
 * of before that. An A06 may have the time of the change of class there; another arrival has to repeat the admission. A return has a PV1-44 of its own.
 */
export function isOfEndedStay(visit: VisitDraft, { fact, at }: TimelineEntry, previous: PreviousState): boolean {
  const { end, phase, isAdmittedHere } = visit;
  if (!end || phase !== 'ended' || isAdmittedHere || fact.manualCode) return false;
  const discharged = isBelieved(fact, 'discharged') ? dischargedIn(fact) : null;
  if (discharged && !isBefore(end.at, discharged)) return true;
  const admitted = admittedIn(fact);
  if (!admitted || end.at.localDate >= at.localDate) return false;
  return fact.adt.trigger === 'A06' ? !isBefore(end.at, admitted) : isSameMinute(admitted, previous.admittedAt);
}

const admittedIn = (fact: TimelineEntry['fact']): Moment | null =>
  (isBelieved(fact, 'admitted') && fact.adt.visit?.admittedAt) || null;

/**
 * Gives the stay the class from a PV1-44 within it, which then is the admission; else from its beginning. Returns the outcome; null where the stay is of a
 * class that no arrival corrects, such as that of the ED: its patient may have been admitted around midnight.
 */
export function correctClass(
  visit: VisitDraft,
  entry: TimelineEntry,
  previous: PreviousState,
  setting: Setting,
): string | null {
  const { state, start, end } = visit;
  if (!isCorrectable(state.setting, setting)) return null;
  const own = admittedIn(entry.fact);
  if (end && own && start && isBefore(start.at, own) && !isBefore(end.at, own) && !isCoarse(own))
    return admitWithin(visit, entry, own, end, setting);
  state.admittedAt = previous.admittedAt;
  const outcome = reclassify(visit, entry, setting, end);
  visit.startedBy = entry;
  return outcome ?? noNewEvent('repeats a known stay');
}

/** The patient was admitted during the stay, from another class: so is whatever followed. */
function admitWithin(visit: VisitDraft, entry: TimelineEntry, at: Moment, end: EventDraft, setting: Setting): string {
  const { state } = visit;
  const from = state.setting;
  const orderedAt = placeOf(entry.fact, at, 'start');
  const followed = visit.events.filter((event) => event.orderedAt > orderedAt && event.setting === from);
  state.setting = setting;
  const priorSetting = from === setting ? null : from;
  visit.start = emitEvent(visit, entry, 'ADMIT', { at, orderedAt, priorSetting, admitSource: state.admitSource });
  for (const event of followed) event.setting = setting;
  visit.arrivals = [...visit.arrivals, visit.start];
  Object.assign(visit, { startedBy: entry, startAdmittedAt: at, conversion: null });
  visit.admission = { event: visit.start, reported: at, hasOwnTime: false };
  if (priorSetting === null) return created('ADMIT');
  addSource(end, entry);
  return joinOutcomes([created('ADMIT'), updated(end.code)]);
}
