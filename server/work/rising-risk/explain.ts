/** Why people are on the list of rising risk, from the visits that the groups with the permission may read. */
import { DAY } from '#contract/durations.ts';
import type { CountedVisit, RiskExplanation, RiskReason } from '#contract/rising-risk.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import type { AcuteVisit } from '#server/record/rules/acute-care.ts';
import { listedSince, personRisks } from '#server/record/rules/rising-risk.ts';
import { dateOf } from '#server/work/patients/encounter.ts';
import { type LoadedPatient, loadRows } from '#server/work/patients/load.ts';

/** How far back "since" looks, in days. */
const LOOKS_BACK = 60;
const TREND_STEPS = 12;
const TREND_STEP = 30 * DAY;
/** The trend's oldest window may reach a year and half a year back, and its "usual" is not asked. */
const READS_BACK = (TREND_STEPS - 1) * TREND_STEP + 180 * DAY + 30 * DAY;
const ROUND = 100;

/** Returns an explanation by person, of those who are on the list now. `tx`: as an actor with canViewRiskingRisk. */
export async function explainRisks(
  tx: ActorTransaction,
  personIds: readonly string[],
  now: Date,
): Promise<Map<string, RiskExplanation>> {
  const keys = [...new Set(personIds)].map((personId) => ({ personId, encounterId: null }));
  const loaded = await loadRows(tx, keys, now, new Date(now.getTime() - READS_BACK));
  return new Map(
    loaded.flatMap((one) => {
      const explanation = explanationOf(one, now.getTime());
      return explanation ? [[one.personId, explanation]] : [];
    }),
  );
}

function explanationOf(loaded: LoadedPatient, now: number): RiskExplanation | null {
  const { counted, timeZone, riskRule: rule } = loaded;
  const risks = personRisks(counted, now, timeZone);
  const reasons = risks.at(now, rule);
  if (reasons.length === 0) return null;
  const since = listedSince(risks, now, rule, LOOKS_BACK);
  const { recent, usual } = risks.useAt(now, rule);
  const explain = (reason: RiskReason) => ({
    reason,
    visits: risks.behind(reason, now, rule).map((one) => visitOf(one, loaded)),
  });
  return {
    reasons: reasons.map(explain),
    recent,
    usual: Math.round(usual * ROUND) / ROUND,
    trend: Array.from({ length: TREND_STEPS }, (_, step) => {
      const at = now - (TREND_STEPS - 1 - step) * TREND_STEP;
      return risks.useAt(at, rule).recent;
    }),
    since: since === null ? null : new Date(since).toISOString(),
  };
}

function visitOf({ at, visits: parts }: AcuteVisit, { visits, facilities }: LoadedPatient): CountedVisit {
  const first = visits.find(({ id }) => id === parts[0]?.id);
  const facility = first && facilities.get(first.groupId);
  if (!first || !facility) throw new Error('A counted visit is none of the loaded ones');
  const settings = new Set(parts.map(({ setting }) => setting));
  const setting = (['INPATIENT', 'OBSERVATION'] as const).find((one) => settings.has(one)) ?? 'EMERGENCY';
  const { arrivedAt, admittedAt } = first.state;
  const moment = arrivedAt ?? admittedAt;
  return {
    encounterId: first.id,
    setting,
    facilityName: facility.name,
    isPart2: facility.isPart2Facility,
    arrivedAt: moment?.precision === 'day' ? (dateOf(moment) as string) : new Date(at).toISOString(),
  };
}
