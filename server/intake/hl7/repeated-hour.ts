/**
 * The hour that comes twice in fall. Times without an offset are read as its first pass (`time.ts`), so a patient who came at 1:30 and left at 1:10, forty
 * minutes later, would leave before the arrival, and the visit stay open.
 */
import { HOUR } from '#contract/durations.ts';
import { isTwice } from '#server/platform/calendar/time-zone.ts';
import type { AdtFacts, Moment } from './adt-facts.ts';

/** Returns the facts with times that are before their own PV1-44 in the second pass of the hour, if that has PV1-44 too. */
export function inRepeatedHour(adt: AdtFacts, timeZone: string): AdtFacts {
  const { visit, patient, occurredAt, recordedAt, sentAt } = adt;
  const admitted = visit?.admittedAt;
  if (!admitted || admitted.precision === 'day' || !isTwice(Date.parse(admitted.instant), timeZone)) return adt;
  const later = <M extends Moment | null | undefined>(moment: M): M | Moment =>
    moment && isBeforeInHour(moment, admitted, timeZone) ? anHourLater(moment) : moment;
  return {
    ...adt,
    occurredAt: later(occurredAt),
    recordedAt: later(recordedAt),
    sentAt: later(sentAt),
    visit: { ...visit, ...(visit.dischargedAt && { dischargedAt: later(visit.dischargedAt) }) },
    patient: { ...patient, ...(patient.deceasedAt && { deceasedAt: later(patient.deceasedAt) }) },
  };
}

function isBeforeInHour(moment: Moment, admitted: Moment, timeZone: string): boolean {
  if (moment.precision === 'day' || moment.instant >= admitted.instant) return false;
  const second = Date.parse(moment.instant) + HOUR;
  return isTwice(second - HOUR, timeZone) && isTwice(second, timeZone);
}

const anHourLater = (moment: Moment): Moment => ({
  ...moment,
  instant: `${new Date(Date.parse(moment.instant) + HOUR).toISOString().slice(0, 19)}Z`,
});
