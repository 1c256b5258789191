import { DAY } from '#contract/durations.ts';
import { type CALENDAR_PERIODS, LONGEST_PERIOD, OLDEST_PERIOD, type SpotlightName } from '#contract/spotlights.ts';
import { addDays } from '#server/platform/calendar/business-days.ts';
import { badField } from '#server/platform/http/api-error.ts';

/** Days as YYYY-MM-DD, both of the period. */
export interface Period {
  from: string;
  to: string;
}

/** Returns how many days the period has. */
export const daysOf = ({ from, to }: Period): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;

export const isIn = (day: string, { from, to }: Period): boolean => from <= day && day <= to;

const MONTHS = { MONTH: 1, QUARTER: 3 } as const;

/** Returns the calendar period before it, as far as this one has run; without a calendar period, as many days before it. */
export function before(period: Period, calendar?: (typeof CALENDAR_PERIODS)[number]): Period {
  const last = addDays(period.from, -1);
  if (calendar === undefined) return { from: addDays(period.from, -daysOf(period)), to: last };
  const from = firstOfMonth(period.from, -MONTHS[calendar]);
  const isWhole = period.to >= addDays(firstOfMonth(period.from, MONTHS[calendar]), -1);
  const asFar = addDays(from, daysOf(period) - 1);
  return { from, to: isWhole || asFar > last ? last : asFar };
}

/** Returns the calendar quarter before that of the day. */
export function quarterBefore(day: string): Period {
  const month = Number(day.slice(5, 7)) - 1;
  const next = firstOfMonth(day, -(month % MONTHS.QUARTER));
  return { from: firstOfMonth(next, -MONTHS.QUARTER), to: addDays(next, -1) };
}

/** Throws BAD_REQUEST for a period that ends before it begins, is too long, or begins too early or after today. */
export function checkPeriod(period: Period, today: string): void {
  if (period.to < period.from) throw badField('to', 'Choose a date on or after the first one.');
  if (daysOf(period) > LONGEST_PERIOD) throw badField('to', `Choose at most ${LONGEST_PERIOD} days.`);
  if (period.from > today) throw badField('from', "Choose a date that isn't in the future.");
  if (period.from < addDays(today, -OLDEST_PERIOD)) throw badField('from', 'Choose a date in the last two years.');
}

/** Returns the calendar months of the period, the first and the last cut to it. */
export function monthsOf({ from, to }: Period): Period[] {
  const months: Period[] = [];
  for (let first = from; first <= to; first = firstOfMonth(first, 1)) {
    const last = addDays(firstOfMonth(first, 1), -1);
    months.push({ from: first, to: last < to ? last : to });
  }
  return months;
}

/** Returns the first day of the month that is so many later than the day's. */
const firstOfMonth = (day: string, later: number): string =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + later, 1)).toISOString().slice(0, 10);

/** For so many days before today, cases or their outcome may still be missing: a readmission can follow for 30 days, and a contact for two business days. */
const SETTLES_AFTER: Record<SpotlightName, number> = {
  readmissions: 30,
  'plan-readmissions': 30,
  'admissions-and-ed-use': 1,
  'length-of-stay': 1,
  'follow-up': 6,
  'alert-load': 1,
  'time-to-resolve': 1,
  'feed-timeliness': 1,
};

export const isIncomplete = (name: SpotlightName, { to }: Period, today: string): boolean =>
  to > addDays(today, -SETTLES_AFTER[name]);
