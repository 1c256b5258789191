/**
 * How much a person uses hospitals (domain rules, section 5). The thresholds are ours, after the literature; each is a name here and nowhere
 * else. Visits are counted, at any hospital, by their arrival.
 */
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { DAY, type Watch } from './windows.ts';

/** Four emergency visits in a year is the recurring definition of the literature (PMC5072329, PMC5424308), three in 60 days the field's. */
const HIGH_USE = [
  { visits: 4, within: 365 * DAY },
  { visits: 3, within: 60 * DAY },
] as const;
/** Six acute visits in 180 days, in at least three separate months. */
const MULTI_VISIT = { visits: 6, months: 3 } as const;
/** At least two acute visits in 60 days, and twice as many as the person has in 60 of the 305 days before. */
const RISING = { visits: 2, factor: 2, within: 60 * DAY } as const;
const YEAR = 365 * DAY;
/** Six months are 180 days, as for multi-visit patients: the number that is shown explains the flag beside it. */
export const SIX_MONTHS = 180 * DAY;
export const TWELVE_MONTHS = YEAR;

/** VALID: now. EXPIRED: at any earlier time of the visits that are known, no longer now. `arrivals` ascending, none later than now. */
export function hospitalUse(arrivals: readonly number[], watch: Watch): 'VALID' | 'EXPIRED' | null {
  let once: 'EXPIRED' | null = null;
  for (const { visits, within } of HIGH_USE) {
    for (let last = visits - 1; last < arrivals.length; last += 1) {
      const first = arrivals[last - visits + 1] as number;
      if ((arrivals[last] as number) - first >= within) continue;
      if (watch.isWithin(first, within)) return 'VALID';
      once = 'EXPIRED';
    }
  }
  return once;
}

/** `arrivals` of acute visits, none later than now. */
export function isMultiVisit(arrivals: readonly number[], timeZone: string, watch: Watch): boolean {
  const recent = arrivals.filter((at) => watch.isWithin(at, SIX_MONTHS));
  if (recent.length < MULTI_VISIT.visits) return false;
  return new Set(recent.map((at) => localDateOf(at, timeZone).slice(0, 7))).size >= MULTI_VISIT.months;
}

/** `arrivals` of acute visits, none later than now. Whoever is a multi-visit patient already is not rising. */
export function isRising(arrivals: readonly number[], watch: Watch): boolean {
  let recent = 0;
  let before = 0;
  for (const at of arrivals) {
    if (watch.isWithin(at, RISING.within)) recent += 1;
    else if (watch.isWithin(at, YEAR)) before += 1;
  }
  const usual = (before * RISING.within) / (YEAR - RISING.within);
  return recent >= RISING.visits && recent >= RISING.factor * usual;
}
