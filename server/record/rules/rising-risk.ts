/** Who is listed as rising risk, why, and since when. Pure. */
import { DAY } from '#contract/durations.ts';
import { READMISSION_DAYS, type RisingRiskRule, type RiskReason } from '#contract/rising-risk-words.ts';
import { type AcuteVisit, acuteCare } from './acute-care.ts';
import { inpatientStays } from './readmissions.ts';
import { RuleClock } from './rule-clock.ts';
import { deathOf, hasHappened, type RuleVisit, startOf } from './rule-visit.ts';
import { emergencyVisits } from './transfers.ts';
import { isMultiVisit, isRising, recentUse, SIX_MONTHS } from './utilization.ts';

/** How long a readmission raises the risk. */
const RECENT_READMISSION = READMISSION_DAYS * DAY;

/** What the risks of a person follow from. */
export interface RiskHistory {
  /** By their beginning. */
  readonly acute: readonly AcuteVisit[];
  /** When readmissions began. */
  readonly readmissions: readonly number[];
  readonly timeZone: string;
}

/** Returns the reasons for which the person is listed at the clock's time. What began later doesn't count. */
export function risksAt(
  { acute, readmissions, timeZone }: RiskHistory,
  clock: RuleClock,
  rule: RisingRiskRule,
): RiskReason[] {
  const risks: RiskReason[] = [];
  const arrivals = unplanned(acute);
  if (isMultiVisit(arrivals, timeZone, clock, rule)) risks.push('MULTI_VISIT');
  else if (isRising(recentUse(arrivals, clock, rule), rule)) risks.push('RISING');
  if (readmissions.some((at) => clock.isWithin(at, RECENT_READMISSION))) risks.push('READMISSION');
  return risks;
}

const unplanned = (acute: readonly AcuteVisit[]): number[] =>
  acute.flatMap(({ at, isUnplanned }) => (isUnplanned ? at : []));

/** A person's risks at any time, as they are known now. */
export interface PersonRisks {
  /** When the first acute visit began; null without one. */
  readonly firstAt: number | null;
  /** Returns the reasons for which the person was listed then; none from the death on. */
  at(time: number, rule: RisingRiskRule): RiskReason[];
  /** Returns how many unplanned acute visits there were in the rule's days until then, and how many are usual. */
  useAt(time: number, rule: RisingRiskRule): { recent: number; usual: number };
  /** Returns the acute visits behind a reason, the newest first. */
  behind(reason: RiskReason, time: number, rule: RisingRiskRule): AcuteVisit[];
}

/** `visits`, `timeZone`: as for `patientFlags`. */
export function personRisks(visits: readonly RuleVisit[], now: number, timeZone: string): PersonRisks {
  const begun = visits.filter((visit) => hasHappened(visit) && (startOf(visit) ?? now) <= now);
  const stays = inpatientStays(visits);
  const { all: acute } = acuteCare(begun, stays, emergencyVisits(begun));
  const readmissionOf = new Map([...stays.readmissions].map(([id, { at }]) => [id, at]));
  const history = { acute, readmissions: [...readmissionOf.values()], timeZone };
  const diedAt = deathOf(visits);
  // A death that a sender's clock puts after now ends the risks of today, as in `patientFlags`.
  const isDeadAt = (time: number) => diedAt !== null && time >= Math.min(diedAt, now);
  return {
    firstAt: acute[0]?.at ?? null,
    at: (time, rule) => (isDeadAt(time) ? [] : risksAt(history, new RuleClock(time), rule)),
    useAt: (time, rule) => recentUse(unplanned(acute), new RuleClock(time), rule),
    behind: (reason, time, rule) => {
      const clock = new RuleClock(time);
      const isBehind = {
        RISING: ({ at, isUnplanned }: AcuteVisit) => isUnplanned && clock.isWithin(at, rule.days * DAY),
        MULTI_VISIT: ({ at, isUnplanned }: AcuteVisit) => isUnplanned && clock.isWithin(at, SIX_MONTHS),
        READMISSION: (one: AcuteVisit) =>
          one.visits.some(({ id }) => clock.isWithin(readmissionOf.get(id) ?? Number.NaN, RECENT_READMISSION)),
      }[reason];
      return acute.filter(isBehind).reverse();
    },
  };
}

/** Returns since when the person has been listed at every look, a day apart; null if longer than `days`, or if not now. */
export function listedSince(risks: PersonRisks, now: number, rule: RisingRiskRule, days: number): number | null {
  for (let past = 0; past <= days; past += 1)
    if (risks.at(now - past * DAY, rule).length === 0) return past === 0 ? null : now - (past - 1) * DAY;
  return null;
}
