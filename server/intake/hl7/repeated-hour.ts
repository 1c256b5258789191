/**
 * The hour that comes twice in fall. Times without an offset are read as its first pass (`time.ts`). A patient who came at 1:30 and left at 1:10, forty
 * minutes later, would leave before the arrival, and the visit would stay open.
 */
import { HOUR } from '#contract/durations.ts';
import { isTwice } from '#server/platform/calendar/time-zone.ts';
import type { AdtFacts, Moment } from './adt-facts.ts';

/** Returns the facts. If PV1-44 is in that hour, times of the hour that are before it, and have no offset, are moved to the second pass. */
export function inRepeatedHour(adt: AdtFacts, timeZone: string): AdtFacts {
  const { visit, patient, occurredAt, recordedAt, sentAt } = adt;
  const admitted = visit?.admittedAt;
  if (!admitted || admitted.precision === 'day' || !isTwice(Date.parse(admitted.instant), timeZone)) return adt;
  const later = <M extends Moment | null | undefined>(moment: M): M | Moment =>
    moment?.isFirstPass && moment.instant < admitted.instant ? anHourLater(moment) : moment;
  return {
    ...adt,
    occurredAt: later(occurredAt),
    recordedAt: later(recordedAt),
    sentAt: later(sentAt),
    visit: { ...visit, ...(visit.dischargedAt && { dischargedAt: later(visit.dischargedAt) }) },
    patient: { ...patient, ...(patient.deceasedAt && { deceasedAt: later(patient.deceasedAt) }) },
  };
}

const anHourLater = ({ isFirstPass: _, ...moment }: Moment): Moment => ({
  ...moment,
  instant: `${new Date(Date.parse(moment.instant) + HOUR).toISOString().slice(0, 19)}Z`,
});
