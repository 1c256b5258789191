/** Ranges that move with the day, as ranges of fixed days. Days are numbers since 1970; ends are included, null is open. */
import type { DateField } from '#contract/facets.ts';
import type { RangeEnds } from '#contract/search.ts';

const DAY = 86_400_000;

export interface Range {
  begin: number | null;
  end: number | null;
}

/** YYYY-MM-DD as a number; null where there is no such day. */
export function dayOf(text: string): number | null {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? time / DAY : null;
}

const numberOf = (end: string | null): number | null => (end === null ? null : Number(end));
const turned = (from: number | null, to: number | null, day: (n: number) => number): Range => ({
  begin: to === null ? null : day(to),
  end: from === null ? null : day(from),
});

/** '0:7' is the last seven days and today. */
export const daysAgo = ({ begin, end }: RangeEnds, today: number): Range =>
  turned(numberOf(begin), numberOf(end), (n) => today - n);

/** The same where Saturdays and Sundays are not counted. */
export const weekdaysAgo = ({ begin, end }: RangeEnds, today: number): Range =>
  turned(numberOf(begin), numberOf(end), (n) => weekdaysBefore(today, n));

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

/** Dates of birth of those who are so many years old today. */
export function ages({ begin, end }: RangeEnds, today: number): Range {
  const [youngest, oldest] = [numberOf(begin), numberOf(end)];
  return {
    begin: oldest === null ? null : yearsBefore(today, oldest + 1) + 1,
    end: youngest === null ? null : yearsBefore(today, youngest),
  };
}

/** The same day of an earlier year; of 29 February the day before where there is none: one is a year older on 1 March then. */
function yearsBefore(today: number, years: number): number {
  const date = new Date(today * DAY);
  const then = Date.UTC(date.getUTCFullYear() - years, date.getUTCMonth(), date.getUTCDate());
  const isOther = new Date(then).getUTCMonth() !== date.getUTCMonth();
  return then / DAY - (isOther ? 1 : 0);
}

/** A range of event days in its unit; undefined where an end is no day. */
export function eventDays(field: DateField, ends: RangeEnds, today: number): Range | undefined {
  if (field === 'eventDaysAgo') return daysAgo(ends, today);
  if (field === 'eventWeekdaysAgo') return weekdaysAgo(ends, today);
  const [begin, end] = [ends.begin, ends.end].map((day) => (day === null ? null : dayOf(day)));
  if ((ends.begin !== null && begin === null) || (ends.end !== null && end === null)) return undefined;
  return { begin: begin ?? null, end: end ?? null };
}
