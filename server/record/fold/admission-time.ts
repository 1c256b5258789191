/**
 * PV1-44 and the events that it dates. An update (A08, A31) with another PV1-44 corrects the arrival that the former one dated: the event
 * moves, and its ping with it.
 */
import type { AdtFacts, Moment } from '#server/intake/hl7/adt-facts.ts';
import { isBefore, isBelieved, isCoarser, isSameMinute } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import { updated } from './outcomes.ts';
import { isOfLaterContact } from './series.ts';
import { placeOf, precedence, type TimelineEntry } from './timeline.ts';
import { addSource, type EventDraft, type PreviousState, type VisitDraft } from './visit-draft.ts';
import { isBeforeAdmission } from './visit-state.ts';
import { isSnapshot, provesVisit } from './visit-triggers.ts';

/**
 * Some senders write into PV1-44 when the patient came to the unit, and repeat it in what follows. Remembers the PV1-44 of a move within a stay that
 * has begun if it is the time of that move. In the ED or under observation, it may be the admission.
 */
export function noteMove({ movedAt, start, state }: VisitDraft, { fact, at }: TimelineEntry): void {
  const admitted = fact.adt.visit?.admittedAt;
  if (fact.adt.trigger !== 'A02' || !admitted || start === null || isBeforeAdmission(state.setting)) return;
  const isOwn = isSameMinute(admitted, at) || isSameMinute(admitted, fact.adt.occurredAt);
  if (isOwn && isBefore(start.at, admitted) && !isSameMinute(admitted, state.admittedAt)) movedAt.push(admitted);
}

/**
 * Whether a fact's PV1-44 can be the admission of this visit: not in the future (except of a planned visit), not that of a stay elsewhere or
 * of an earlier one under the same visit number, not that of the outpatient registration before, not that of a move, not after the discharge, and
 * not a mere day where the time is known.
 */
export function isCredibleAdmission(visit: VisitDraft, fact: Fact): boolean {
  const admitted = fact.adt.visit?.admittedAt;
  if (!admitted) return true;
  const isPlanned = visit.phase === 'planned' && !provesVisit(fact.adt.trigger);
  if ((!isPlanned && !isBelieved(fact, 'admitted')) || hasAdmissionElsewhere(visit, fact.adt)) return false;
  // Of a visit without an end, the beginning is the latest that is known.
  if (visit.earlierEnd && !isBefore(visit.earlierEnd, admitted)) return false;
  if (isSameMinute(admitted, visit.registeredAt) || isOfLaterContact(visit, fact, admitted)) return false;
  if (visit.movedAt.some((moved) => isSameMinute(admitted, moved))) return false;
  const isAfterEnd = isSnapshot(fact.adt.trigger) && visit.end !== null && isBefore(visit.end.at, admitted);
  return !isAfterEnd && !isCoarser(admitted, visit.state.admittedAt);
}

/** Whether the message's PV1-44 is still that of the stay at the facility that the patient came from. */
const hasAdmissionElsewhere = ({ transferredInAt }: VisitDraft, { visit }: AdtFacts): boolean =>
  Boolean(transferredInAt && visit?.admittedAt && isBefore(visit.admittedAt, transferredInAt));

/**
 * Remembers what the PV1-44 of an arrival dates: `event`, or still the arrival before it, such as that in the ED. `isFirst`: no arrival of
 * this stay is known yet.
 */
export function noteAdmission(
  visit: VisitDraft,
  entry: TimelineEntry,
  previous: PreviousState,
  event: EventDraft | null,
  isFirst: boolean,
): void {
  const { adt } = entry.fact;
  const reported = isCredibleAdmission(visit, entry.fact) ? (adt.visit?.admittedAt ?? null) : null;
  if (!isFirst && isSameMinute(reported, previous.admittedAt)) return;
  // The PV1-44 of an A06 is often that of an arrival which no message has reported.
  const isEarlier = adt.trigger === 'A06' && reported !== null && !isSameMinute(reported, entry.at);
  const isArrival = adt.trigger === 'A01' || adt.trigger === 'A04';
  const hasOwnTime = !isArrival || isSameMinute(adt.occurredAt, entry.at);
  visit.admission = { event: isFirst && isEarlier ? null : event, reported, hasOwnTime };
}

/** Moves the arrival that PV1-44 dates to another PV1-44. Returns the outcome; null if nothing moves. */
export function correctAdmission(visit: VisitDraft, entry: TimelineEntry): string | null {
  const { fact } = entry;
  const reported = fact.adt.visit?.admittedAt;
  const { event, reported: before, hasOwnTime } = visit.admission;
  if (!reported || !event || !isCredibleAdmission(visit, fact)) return null;
  if (isSameMinute(reported, before) || isCoarser(reported, event.at)) return null;
  const moved = arrivalMeant(visit, event, reported);
  visit.admission = { event: moved, reported, hasOwnTime: false };
  const isFirstMention = before === null && hasOwnTime;
  if (isFirstMention || isSameMinute(moved.at, reported) || !keepsOrder(visit, moved, reported)) return null;
  Object.assign(moved, { at: reported, orderedAt: placeOf(fact, reported, 'start') });
  if (moved === visit.start) visit.startAdmittedAt = reported;
  addSource(moved, entry);
  return updated(moved.code);
}

/** An arrival that is sent again, with another PV1-44: the one that was written later is right. */
export function repeatAdmission(visit: VisitDraft, entry: TimelineEntry, previous: PreviousState): string | null {
  const isCorrection = visit.startedBy !== null && precedence(visit.startedBy, entry) !== null;
  if (isCorrection) return correctAdmission(visit, entry);
  visit.state.admittedAt = previous.admittedAt;
  return null;
}

/** Senders may replace the time of arrival in the ED by that of the admission: of two arrivals, the nearer one is meant. */
function arrivalMeant({ arrivals }: VisitDraft, event: EventDraft, reported: Moment): EventDraft {
  const distance = ({ at }: EventDraft) => Math.abs(Date.parse(at.instant) - Date.parse(reported.instant));
  return arrivals.reduce((best, other) => (distance(other) < distance(best) ? other : best), event);
}

function keepsOrder({ arrivals, end }: VisitDraft, moved: EventDraft, reported: Moment): boolean {
  const index = arrivals.indexOf(moved);
  const [before, after] = [arrivals[index - 1], arrivals[index + 1] ?? end];
  return !(before && isBefore(reported, before.at)) && !(after && isBefore(after.at, reported));
}
