/**
 * Business days: Monday to Friday, except the federal holidays of 5 U.S.C. 6103, which an organization may add to or take from. Transitional care
 * management counts them like this, regardless of office hours (CPT 99495 and 99496, CMS MLN908628).
 */
import { DAY } from '#contract/durations.ts';

type Day = string;

const toDay = (time: number): Day => new Date(time).toISOString().slice(0, 10);
const toTime = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** What an organization's calendar has besides the federal holidays, as YYYY-MM-DD. */
export interface Holidays {
  /** Further days on which it is closed. */
  added: readonly Day[];
  /** Federal holidays on which it works. */
  removed: readonly Day[];
}
export const FEDERAL_HOLIDAYS: Holidays = { added: [], removed: [] };

/** Returns the last of `count` business days that follow `day` (YYYY-MM-DD). */
export function addBusinessDays(day: Day, count: number, holidays: Holidays = FEDERAL_HOLIDAYS): Day {
  let time = toTime(day);
  for (let left = count; left > 0; ) {
    time += DAY;
    if (isBusinessDay(toDay(time), holidays)) left -= 1;
  }
  return toDay(time);
}

export function isBusinessDay(day: Day, { added, removed }: Holidays = FEDERAL_HOLIDAYS): boolean {
  const weekday = new Date(toTime(day)).getUTCDay();
  if (weekday === 0 || weekday === 6 || added.includes(day)) return false;
  return removed.includes(day) || !federalHolidays(Number(day.slice(0, 4))).has(day);
}

/** Returns the day that many calendar days later. */
export const addDays = (day: Day, count: number): Day => toDay(toTime(day) + count * DAY);

const holidays = new Map<number, Set<Day>>();

/**
 * Returns the days of a year on which the eleven holidays of 5 U.S.C. 6103(a) are observed: a holiday on a Saturday is observed
 * on the Friday before (section 6103(b)), and one on a Sunday on the Monday after (Executive Order 11582).
 */
export function federalHolidays(year: number): Set<Day> {
  const known = holidays.get(year);
  if (known) return known;
  // New Year's Day of the next year may be observed on December 31 of this year.
  const fixed = [
    `${year}-01-01`,
    `${year + 1}-01-01`,
    `${year}-06-19`,
    `${year}-07-04`,
    `${year}-11-11`,
    `${year}-12-25`,
  ].map(observed);
  const floating = [
    nthWeekday(year, 0, 1, 3),
    nthWeekday(year, 1, 1, 3),
    lastMonday(year, 4),
    nthWeekday(year, 8, 1, 1),
    nthWeekday(year, 9, 1, 2),
    nthWeekday(year, 10, 4, 4),
  ];
  const days = new Set([...fixed, ...floating].filter((day) => day.startsWith(String(year))));
  holidays.set(year, days);
  return days;
}

/** Returns the weekday on which a holiday is observed. */
function observed(day: Day): Day {
  const weekday = new Date(toTime(day)).getUTCDay();
  return toDay(toTime(day) + (weekday === 6 ? -DAY : weekday === 0 ? DAY : 0));
}

function nthWeekday(year: number, month: number, weekday: number, n: number): Day {
  const first = Date.UTC(year, month, 1);
  const offset = (weekday - new Date(first).getUTCDay() + 7) % 7;
  return toDay(first + (offset + 7 * (n - 1)) * DAY);
}

function lastMonday(year: number, month: number): Day {
  const last = Date.UTC(year, month + 1, 0);
  return toDay(last - ((new Date(last).getUTCDay() + 6) % 7) * DAY);
}
