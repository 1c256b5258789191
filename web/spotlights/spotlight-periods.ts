import type { CALENDAR_PERIODS, SPOTLIGHT_PERIODS } from '#contract/spotlights.ts';
import { idIn } from '../router/search-values.ts';

export type PeriodName = (typeof SPOTLIGHT_PERIODS)[number];

/** The periods that can be chosen. */
export const PERIODS: readonly (readonly [PeriodName, string])[] = [
  ['last-quarter', 'Last quarter'],
  ['this-quarter', 'This quarter'],
  ['last-month', 'Last month'],
  ['this-month', 'This month'],
  ['last-12-months', 'Last 12 months'],
];

export const DEFAULT_PERIOD: PeriodName = 'last-quarter';

const iso = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

interface Days {
  from: string;
  to: string;
  /** What it is compared as: with the month or quarter before. */
  calendar?: (typeof CALENDAR_PERIODS)[number];
}

/** Returns the days of a period. `today`: YYYY-MM-DD. */
export function daysOfPeriod(name: PeriodName, today: string): Days {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1];
  const quarter = month - (month % 3);
  switch (name) {
    case 'last-quarter':
      return { from: iso(year, quarter - 3, 1), to: iso(year, quarter, 0), calendar: 'QUARTER' };
    case 'this-quarter':
      return { from: iso(year, quarter, 1), to: today, calendar: 'QUARTER' };
    case 'last-month':
      return { from: iso(year, month - 1, 1), to: iso(year, month, 0), calendar: 'MONTH' };
    case 'this-month':
      return { from: iso(year, month, 1), to: today, calendar: 'MONTH' };
    case 'last-12-months':
      return { from: iso(year, month - 11, 1), to: today };
  }
}

/** What the page shows, in its URL. */
export interface SpotlightSearch {
  period?: PeriodName;
  groupId?: string;
  /** Only the people whom this saved filter finds. */
  filterId?: string;
  /** The kept spotlight that is shown. */
  kept?: string;
}

/** Returns the state that the query of a URL holds; invalid parts are dropped. */
export const spotlightSearch = (raw: Record<string, unknown>): SpotlightSearch => {
  const period = PERIODS.find(([name]) => name === raw['period'])?.[0];
  const [groupId, filterId, kept] = ['groupId', 'filterId', 'kept'].map((name) => idIn(raw[name]));
  return {
    ...(period && { period }),
    ...(groupId && { groupId }),
    ...(filterId && { filterId }),
    ...(kept && { kept }),
  };
};
