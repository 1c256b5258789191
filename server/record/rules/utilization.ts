/**
 * How much a person uses hospitals. The thresholds are ours, based on the literature, and are defined only here. Visits to any hospital
 * count, by their time of arrival.
 */
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { DAY, type RuleClock } from './rule-clock.ts';

/** Four ED visits in a year is the common definition in the literature (PMC5072329, PMC5424308); three in 60 days is used in practice. */
const HIGH_USE = [
  { visits: 4, within: 365 * DAY },
  { visits: 3, within: 60 * DAY },
] as const;
/** Six acute visits in 180 days, in at least three separate months. */
const MULTI_VISIT = { visits: 6, months: 3 } as const;
/** At least two acute visits in 60 days, and twice the person's average per 60 days in the 305 days before. */
const RISING = { visits: 2, factor: 2, within: 60 * DAY } as const;
const YEAR = 365 * DAY;
/** 180 days, as for multi-visit patients, so that the count shown beside the flag explains it. */
export const SIX_MONTHS = 180 * DAY;
export const TWELVE_MONTHS = YEAR;

/** Returns VALID for high use now, EXPIRED for high use at any earlier time. `arrivals`: ascending, none later than now. */
export function hospitalUse(arrivals: readonly number[], clock: RuleClock): 'VALID' | 'EXPIRED' | null {
  let once: 'EXPIRED' | null = null;
  for (const { visits, within } of HIGH_USE) {
    for (let last = visits - 1; last < arrivals.length; last += 1) {
      const first = arrivals[last - visits + 1] as number;
      if ((arrivals[last] as number) - first >= within) continue;
      if (clock.isWithin(first, within)) return 'VALID';
      once = 'EXPIRED';
    }
  }
  return once;
}

/** `arrivals` of acute visits, none later than now. */
export function isMultiVisit(arrivals: readonly number[], timeZone: string, clock: RuleClock): boolean {
  const recent = arrivals.filter((at) => clock.isWithin(at, SIX_MONTHS));
  if (recent.length < MULTI_VISIT.visits) return false;
  return new Set(recent.map((at) => localDateOf(at, timeZone).slice(0, 7))).size >= MULTI_VISIT.months;
}

/** `arrivals` of acute visits, none later than now. Doesn't apply to multi-visit patients. */
export function isRising(arrivals: readonly number[], clock: RuleClock): boolean {
  let recent = 0;
  let before = 0;
  for (const at of arrivals) {
    if (clock.isWithin(at, RISING.within)) recent += 1;
    else if (clock.isWithin(at, YEAR)) before += 1;
  }
  const usual = (before * RISING.within) / (YEAR - RISING.within);
  return recent >= RISING.visits && recent >= RISING.factor * usual;
}
