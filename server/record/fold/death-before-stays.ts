/** Whether a date of death (PID-29) can be true where stays are known: senders write a wrong year, or 1/1/1900 for a date that they don't know. */
import { DAY } from '#contract/durations.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { deathIn, eventTime, isBefore } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import { isOutpatient, type VisitState } from './visit-state.ts';

/** Someone may be dead on arrival, but not for more than a day. */
export const isLongBefore = (died: Moment, began: Moment): boolean =>
  Date.parse(died.instant) < Date.parse(began.instant) - DAY;

/** What of a visit shows when someone lived. */
export type StayTimes = Pick<VisitState, 'status' | 'setting' | 'admittedAt' | 'dischargedAt'>;

/**
 * Returns when the patient died (PID-29), unless stays show that it is wrong: one began more than a day later, and before the message, and none went
 * on then. A stay that begins after the report contradicts the death, and not its date.
 */
export function deathBeforeStays(fact: Fact, visits: readonly StayTimes[]): Moment | null {
  const died = deathIn(fact);
  const reportedAt = died && eventTime(fact);
  if (!died || !reportedAt) return died;
  const stays = visits.filter(
    (visit) => visit.status !== 'CANCELLED' && visit.status !== 'PLANNED' && !isOutpatient(visit),
  );
  const isDuring = stays.some(
    ({ admittedAt, dischargedAt }) =>
      admittedAt && !isBefore(died, admittedAt) && (!dischargedAt || !isBefore(dischargedAt, died)),
  );
  const isRefuted = stays.some(
    ({ admittedAt }) => admittedAt && !isBefore(reportedAt, admittedAt) && isLongBefore(died, admittedAt),
  );
  return isRefuted && !isDuring ? null : died;
}
