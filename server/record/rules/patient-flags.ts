/**
 * Everything that is computed about a person from their visits, for the search, the patient page and the reasons of pings. Pure: the
 * time is passed in, and the result says when time alone will change it.
 */
import { DAY } from '#contract/durations.ts';
import { DEFAULT_RISING_RISK_RULE, type RisingRiskRule, type RiskReason } from '#contract/rising-risk-words.ts';
import { type AcuteCare, acuteCare } from './acute-care.ts';
import { inpatientStays } from './readmissions.ts';
import { risksAt } from './rising-risk.ts';
import { RuleClock } from './rule-clock.ts';
import { deathOf, hasHappened, isOngoing, isPostAcute, type RuleVisit, startOf } from './rule-visit.ts';
import { emergencyVisits } from './transfers.ts';
import { hospitalUse, SIX_MONTHS, TWELVE_MONTHS } from './utilization.ts';
import { type VisitFlags, visitFlags } from './visit-flags.ts';

export type { RuleVisit } from './rule-visit.ts';
export type { VisitFlags } from './visit-flags.ts';

export interface PatientFlags {
  readonly hospitalUse: 'VALID' | 'EXPIRED' | null;
  /** ACTIVE: mentioned in a visit that is ongoing or ended in the last 14 days. EXPIRED: in an earlier one. */
  readonly covid19: 'ACTIVE' | 'EXPIRED' | null;
  readonly hhaServices: 'ONGOING' | null;
  readonly risingRisk: readonly RiskReason[];
  /** In the last 180 days. */
  readonly emergencyVisits6Months: number;
  readonly inpatientStays6Months: number;
  /** In the last twelve months. */
  readonly encounterCounts: { readonly emergency: number; readonly inpatient: number; readonly postAcute: number };
  readonly emergencyRoomVisitCount: number;
  /** How many different emergency departments those visits were to. */
  readonly emergencyRoomCount: number;
  readonly visits: ReadonlyMap<string, VisitFlags>;
  /** When time alone will change one of these, in milliseconds; null for never. */
  readonly changesAt: number | null;
}

const COVID_ACTIVE = 14 * DAY;

const NOTHING: PatientFlags = Object.freeze({
  hospitalUse: null,
  covid19: null,
  hhaServices: null,
  risingRisk: [],
  emergencyVisits6Months: 0,
  inpatientStays6Months: 0,
  encounterCounts: { emergency: 0, inpatient: 0, postAcute: 0 },
  emergencyRoomVisitCount: 0,
  emergencyRoomCount: 0,
  visits: new Map(),
  changesAt: null,
});

/**
 * Returns the flags of a person at `now` (milliseconds). `visits`: the visits that the reader may see, in any order; retracted and
 * planned ones don't count. `timeZone` (IANA) determines months; days are those of each facility. A death ends what is about now or what may come: risks, recent
 * stays and home health services. Counts and the history stay. `rule`: that of the reader's organization.
 */
export function patientFlags(
  visits: readonly RuleVisit[],
  now: number,
  timeZone: string,
  rule: RisingRiskRule = DEFAULT_RISING_RISK_RULE,
): PatientFlags {
  if (visits.length === 0) return NOTHING;
  const clock = new RuleClock(now);
  const begun = visits.filter((visit) => hasHappened(visit) && hasBegun(visit, clock));
  const stays = inpatientStays(visits);
  const isDead = deathOf(visits) !== null;
  const person = { visits, stays, isDead };
  const emergencyOf = emergencyVisits(begun);
  const emergencies = begun.filter(({ id }) => emergencyOf.get(id) === id);
  const acute = acuteCare(begun, stays, emergencyOf);
  const readmissions = [...stays.readmissions.values()].map(({ at }) => at);
  const risingRisk = isDead ? NOTHING.risingRisk : risksAt({ acute: acute.all, readmissions, timeZone }, clock, rule);
  return {
    covid19: covid19(begun, clock),
    hhaServices: !isDead && begun.some((visit) => visit.setting === 'HHA' && isOngoing(visit)) ? 'ONGOING' : null,
    hospitalUse: acute.arrivals.length === 0 ? null : hospitalUse(arrivals(emergencies), clock),
    risingRisk,
    ...countsOf(begun, { emergencyOf, acute }, clock),
    visits: new Map(visits.map((visit) => [visit.id, visitFlags(visit, person, clock)])),
    changesAt: clock.changesAt,
  };
}

/** A sender's clock may run ahead: a visit with a later time counts once that time has come. */
function hasBegun(visit: RuleVisit, clock: RuleClock): boolean {
  const at = startOf(visit);
  return at === null || clock.isPast(at);
}

function covid19(begun: readonly RuleVisit[], clock: RuleClock): PatientFlags['covid19'] {
  let flag: PatientFlags['covid19'] = null;
  for (const visit of begun) {
    if (!visit.mentionsCovid) continue;
    flag ??= 'EXPIRED';
    const at = visit.dischargedAt ?? startOf(visit);
    if (isOngoing(visit) || (at !== null && !clock.isPast(at + COVID_ACTIVE))) flag = 'ACTIVE';
  }
  return flag;
}

function arrivals(visits: readonly RuleVisit[]): number[] {
  const found: number[] = [];
  for (const visit of visits) {
    const at = startOf(visit);
    if (at !== null) found.push(at);
  }
  return found.sort((a, b) => a - b);
}

/** `emergencyOf`: as `emergencyVisits` returns it. A transfer from ED to ED is one visit to two departments, and a transfer or an announced bed goes on with one inpatient stay. */
function countsOf(
  begun: readonly RuleVisit[],
  { emergencyOf, acute }: { emergencyOf: ReadonlyMap<string, string>; acute: AcuteCare },
  clock: RuleClock,
) {
  const counts = { emergency: 0, inpatient: 0, postAcute: 0 };
  const departments = new Set<string>();
  let emergencyVisits6Months = 0;
  let inpatientStays6Months = 0;
  for (const visit of begun) {
    const at = startOf(visit);
    if (at === null || !clock.isWithin(at, TWELVE_MONTHS)) continue;
    const isRecent = clock.isWithin(at, SIX_MONTHS);
    const emergency = emergencyOf.get(visit.id);
    if (emergency !== undefined) departments.add(visit.facilityId);
    if (emergency === visit.id) {
      counts.emergency += 1;
      if (isRecent) emergencyVisits6Months += 1;
    }
    if (visit.setting === 'INPATIENT' && !acute.isContinued(visit.id)) {
      counts.inpatient += 1;
      if (isRecent) inpatientStays6Months += 1;
    }
    if (isPostAcute(visit)) counts.postAcute += 1;
  }
  return {
    emergencyVisits6Months,
    inpatientStays6Months,
    encounterCounts: counts,
    emergencyRoomVisitCount: counts.emergency,
    emergencyRoomCount: departments.size,
  };
}
