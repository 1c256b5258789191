/** Turns relative ranges into ranges of fixed days. Days are counted from 1970; ends are inclusive, null means open. */
import { DAY } from '#contract/durations.ts';
import type { DateField } from '#contract/facets.ts';
import type { RangeEnds } from '#contract/search.ts';

export interface Range {
  begin: number | null;
  end: number | null;
}

/** Returns YYYY-MM-DD as a number, or null if there is no such day. */
export function dayOf(text: string): number | null {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? time / DAY : null;
}

const numberOf = (end: string | null): number | null => (end === null ? null : Number(end));
const reversed = (from: number | null, to: number | null, day: (n: number) => number): Range => ({
  begin: to === null ? null : day(to),
  end: from === null ? null : day(from),
});

/** Returns the days of a range counted back from today: '0:7' is the last seven days and today. */
export const daysAgo = ({ begin, end }: RangeEnds, today: number): Range =>
  reversed(numberOf(begin), numberOf(end), (n) => today - n);

/** `daysAgo` without counting Saturdays and Sundays. */
export const weekdaysAgo = ({ begin, end }: RangeEnds, today: number): Range =>
  reversed(numberOf(begin), numberOf(end), (n) => weekdaysBefore(today, n));

/** 1 January 1970 was a Thursday. */
const isWeekday = (day: number): boolean => ((((day + 4) % 7) + 7) % 7) % 6 !== 0;

function weekdaysBefore(today: number, count: number): number {
  const step = count < 0 ? -1 : 1;
  let day = today;
  for (let left = Math.abs(count); left > 0; ) {
    day -= step;
    if (isWeekday(day)) left -= 1;
  }
  return day;
}

/** Returns the dates of birth of people whose age today is in the range. */
export function ages({ begin, end }: RangeEnds, today: number): Range {
  const [youngest, oldest] = [numberOf(begin), numberOf(end)];
  return {
    begin: oldest === null ? null : yearsBefore(today, oldest + 1) + 1,
    end: youngest === null ? null : yearsBefore(today, youngest),
  };
}

/** Returns the same day of an earlier year, or 28 February for 29 February: in other years, people born on that day turn a year older on 1 March. */
function yearsBefore(today: number, years: number): number {
  const date = new Date(today * DAY);
  const then = Date.UTC(date.getUTCFullYear() - years, date.getUTCMonth(), date.getUTCDate());
  const isOther = new Date(then).getUTCMonth() !== date.getUTCMonth();
  return then / DAY - (isOther ? 1 : 0);
}

/** Returns a range of event days in its unit, or undefined if an end is not a valid day. */
export function eventDays(field: DateField, ends: RangeEnds, today: number): Range | undefined {
  if (field === 'eventDaysAgo') return daysAgo(ends, today);
  if (field === 'eventWeekdaysAgo') return weekdaysAgo(ends, today);
  const [begin, end] = [ends.begin, ends.end].map((day) => (day === null ? null : dayOf(day)));
  if ((ends.begin !== null && begin === null) || (ends.end !== null && end === null)) return undefined;
  return { begin: begin ?? null, end: end ?? null };
}
