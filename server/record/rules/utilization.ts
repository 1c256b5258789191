/**
 * How much a person uses hospitals. The thresholds are ours, based on the literature. Those of high use are defined only here; those of
 * rising risk are the organization's. Visits to any hospital count, by their time of arrival.
 */
import { DAY } from '#contract/durations.ts';
import { MULTI_VISIT_DAYS, type RisingRiskRule } from '#contract/rising-risk-words.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { type RuleClock } from './rule-clock.ts';

/** Four ED visits in a year is the common definition in the literature (PMC5072329, PMC5424308); three in 60 days is used in practice. */
const HIGH_USE = [
  { visits: 4, within: 365 * DAY },
  { visits: 3, within: 60 * DAY },
] as const;
const YEAR = 365 * DAY;
/** 180 days, as for multi-visit patients, so that the count shown beside the flag explains it. */
export const SIX_MONTHS = MULTI_VISIT_DAYS * DAY;
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

/** `arrivals` of unplanned acute visits, none later than now. */
export function isMultiVisit(
  arrivals: readonly number[],
  timeZone: string,
  clock: RuleClock,
  { multiVisits, multiMonths }: RisingRiskRule,
): boolean {
  const recent = arrivals.filter((at) => clock.isWithin(at, SIX_MONTHS));
  if (recent.length < multiVisits) return false;
  return new Set(recent.map((at) => localDateOf(at, timeZone).slice(0, 7))).size >= multiMonths;
}

/** How often someone came lately, and how often that is usual for them in a span as long. */
export interface RecentUse {
  recent: number;
  usual: number;
}

/** `arrivals` of unplanned acute visits, none later than now. The rest of the year before the rule's days says what is usual. */
export function recentUse(arrivals: readonly number[], clock: RuleClock, { days }: RisingRiskRule): RecentUse {
  const within = days * DAY;
  let recent = 0;
  let before = 0;
  for (const at of arrivals) {
    if (clock.isWithin(at, within)) recent += 1;
    else if (clock.isWithin(at, YEAR)) before += 1;
  }
  return { recent, usual: (before * within) / (YEAR - within) };
}

/** Doesn't apply to multi-visit patients. */
export const isRising = ({ recent, usual }: RecentUse, { visits, factor }: RisingRiskRule): boolean =>
  recent >= visits && recent >= factor * usual;
