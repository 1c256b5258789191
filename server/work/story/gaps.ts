import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { hasHappened, isOngoing, type RuleVisit, startOf } from '#server/record/rules/rule-visit.ts';

/** The first and the last whole month without a visit, YYYY-MM. */
export interface Gap {
  from: string;
  to: string;
}

const LEAST_MONTHS = 2;

/**
 * Returns by visit id the months without any visit just before it, where there are at least two whole ones. A visit without an end counts for the
 * month in which it began; one that is going on leaves no gap after it. Months are those of the time zone.
 */
export function gapsBefore(visits: readonly RuleVisit[], timeZone: string): Map<string, Gap> {
  const gaps = new Map<string, Gap>();
  let lastMonth: number | null = null;
  for (const { visit, from } of inOrder(visits)) {
    const month = monthOf(from, timeZone);
    if (lastMonth !== null && month - lastMonth - 1 >= LEAST_MONTHS)
      gaps.set(visit.id, { from: written(lastMonth + 1), to: written(month - 1) });
    const end = isOngoing(visit) ? Number.POSITIVE_INFINITY : monthOf(visit.dischargedAt ?? from, timeZone);
    lastMonth = Math.max(lastMonth ?? end, end);
  }
  return gaps;
}

const inOrder = (visits: readonly RuleVisit[]) =>
  visits
    .flatMap((visit) => {
      const from = startOf(visit);
      return from === null || !hasHappened(visit) ? [] : [{ visit, from }];
    })
    .sort((a, b) => a.from - b.from);

/** Months since the year 0. */
function monthOf(at: number, timeZone: string): number {
  const [year = 0, month = 1] = localDateOf(at, timeZone).split('-').map(Number);
  return year * 12 + month - 1;
}

const written = (month: number): string => `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
