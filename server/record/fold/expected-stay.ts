/** How long a stay was expected to last, in days counted as its length is: by midnights at the facility. */
import type { VisitState } from './visit-state.ts';

const DAY = 86_400_000;
/** What is further away is a sender's way to write "unknown", such as 9999-12-31. */
const LONGEST = 3650;

type Expectation = Pick<VisitState, 'admittedAt' | 'expectedDischargeAt' | 'estimatedDays'>;

/** YYYY-MM-DD at the facility: PV2-9, or, where nobody says that, the admission and the days of PV2-10. Null where neither is known. */
export function expectedDischargeDay({ admittedAt, expectedDischargeAt, estimatedDays }: Expectation): string | null {
  if (expectedDischargeAt) return expectedDischargeAt.localDate;
  // Visits that were folded before PV2-10 was read have no such field.
  if (!admittedAt || estimatedDays == null) return null;
  return new Date(Date.parse(admittedAt.localDate) + estimatedDays * DAY).toISOString().slice(0, 10);
}

/** Whole days from the admission to the day above; null where one of them is unknown, or where they cannot be meant. */
export function expectedDays(state: Expectation): number | null {
  const day = expectedDischargeDay(state);
  if (day === null || !state.admittedAt) return null;
  const days = Math.round((Date.parse(day) - Date.parse(state.admittedAt.localDate)) / DAY);
  return days >= 0 && days <= LONGEST ? days : null;
}

/** How a stay of so many days compares with what was expected of it; on the expected day itself it is within. */
export const againstExpected = (days: number, expected: number | null): 'OVER' | 'WITHIN' | 'NO_BENCHMARK' =>
  expected === null ? 'NO_BENCHMARK' : days > expected ? 'OVER' : 'WITHIN';
