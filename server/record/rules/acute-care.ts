/** Acute visits that are one: an arrival, the stay that follows it, and the transfers and beds that follow that. */
import { DAY } from '#contract/durations.ts';
import { isLaborOrBirth, isPlanned } from './planned-stays.ts';
import type { InpatientStays } from './readmissions.ts';
import { isAcute, type RuleVisit, startOf } from './rule-visit.ts';
import { compare, isSentOn, leadsTo, steppedDownFrom } from './transfers.ts';

/** Visits that are one. */
export interface AcuteVisit {
  /** When it began. */
  readonly at: number;
  /** The arrival first. */
  readonly visits: readonly RuleVisit[];
  /** Nobody had planned it, and it was not for a birth. */
  readonly isUnplanned: boolean;
}

export interface AcuteCare {
  /** By their beginning. */
  readonly all: readonly AcuteVisit[];
  /** When each began, ascending. */
  arrivals: readonly number[];
  /** Of those that nobody had planned, and that were not for a birth. */
  unplannedArrivals: readonly number[];
  /** Whether the visit goes on with an inpatient stay that has been counted. */
  isContinued(id: string): boolean;
}

/** Longer than any gap within one: a patient may wait in the ED for days. */
const LONGEST_GAP = 5 * DAY;

/** `begun`: the visits that count. `emergencyOf`: as `emergencyVisits` returns it. */
export function acuteCare(
  begun: readonly RuleVisit[],
  stays: InpatientStays,
  emergencyOf: ReadonlyMap<string, string>,
): AcuteCare {
  const acute = begun.flatMap((visit) => {
    const at = startOf(visit);
    return at !== null && isAcute(visit) ? [{ visit, at }] : [];
  });
  acute.sort((a, b) => a.at - b.at || compare(a.visit.id, b.visit.id));
  const found: { at: number; visits: RuleVisit[] }[] = [];
  const continued = new Set<string>();
  for (const { visit, at } of acute) {
    const isOne = (before: RuleVisit) => isSameCare(before, visit, { stays, emergencyOf });
    const known = found.findLast(({ visits }) => visits.some((before) => isNear(before, at) && isOne(before)));
    if (!known) {
      found.push({ at, visits: [visit] });
      continue;
    }
    if (known.visits.some(({ setting }) => setting === 'INPATIENT')) continued.add(visit.id);
    known.visits.push(visit);
  }
  const isUnplanned = ({ visits }: { visits: RuleVisit[] }) =>
    !isPlanned(visits[0] as RuleVisit) && !visits.some(isLaborOrBirth);
  const all = found.map((one) => ({ ...one, isUnplanned: isUnplanned(one) }));
  return {
    all,
    arrivals: found.map(({ at }) => at),
    unplannedArrivals: all.filter((one) => one.isUnplanned).map(({ at }) => at),
    isContinued: (id) => continued.has(id),
  };
}

const isNear = (before: RuleVisit, at: number): boolean =>
  at - (before.dischargedAt ?? startOf(before) ?? at) < LONGEST_GAP;

interface Context {
  stays: InpatientStays;
  emergencyOf: ReadonlyMap<string, string>;
}

function isSameCare(before: RuleVisit, visit: RuleVisit, { stays, emergencyOf }: Context): boolean {
  const emergency = emergencyOf.get(visit.id);
  if (emergency !== undefined && emergency === emergencyOf.get(before.id)) return true;
  if (stays.isOneStay(before.id, visit.id) || isSentOn(before, visit) || leadsTo(before, visit)) return true;
  return stays.isStepDown(visit.id) && steppedDownFrom(visit, [before]) !== null;
}
