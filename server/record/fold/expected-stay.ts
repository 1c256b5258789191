/** The expected length of a stay, counted like its actual length: in midnights at the facility. */
import { DAY } from '#contract/durations.ts';
import type { VisitState } from './visit-state.ts';

/** Senders write "unknown" as a date far away, such as 9999-12-31. */
const LONGEST_IN_DAYS = 3650;

type Expectation = Pick<VisitState, 'admittedAt' | 'expectedDischargeAt' | 'estimatedDays'>;

/** Returns the day at the facility, YYYY-MM-DD: PV2-9, else the admission plus the days of PV2-10; null if neither is known. */
export function expectedDischargeDay({ admittedAt, expectedDischargeAt, estimatedDays }: Expectation): string | null {
  if (expectedDischargeAt) return expectedDischargeAt.localDate;
  // Visits stored before PV2-10 was read lack the field.
  if (!admittedAt || estimatedDays == null) return null;
  return new Date(Date.parse(admittedAt.localDate) + estimatedDays * DAY).toISOString().slice(0, 10);
}

/** Returns the whole days from admission to expected discharge; null if either is unknown or the result is implausible. */
export function expectedDays(state: Expectation): number | null {
  const day = expectedDischargeDay(state);
  if (day === null || !state.admittedAt) return null;
  const days = Math.round((Date.parse(day) - Date.parse(state.admittedAt.localDate)) / DAY);
  return days >= 0 && days <= LONGEST_IN_DAYS ? days : null;
}

/** Compares a stay's length in days with the expected length. A discharge on the expected day is WITHIN. */
export const againstExpected = (days: number, expected: number | null): 'OVER' | 'WITHIN' | 'NO_BENCHMARK' =>
  expected === null ? 'NO_BENCHMARK' : days > expected ? 'OVER' : 'WITHIN';
