/**
 * The windows of HEDIS Transitions of Care (TRC). What Tidings knows about them is shown; the medical record decides. The windows are those of the
 * measurement years since 2020; NCQA revises them each year.
 */
import type { Setting } from '#contract/event-codes.ts';
import { addDays } from '#server/platform/calendar/business-days.ts';
import type { Attempt } from './follow-up.ts';
import { deathOf, hasHappened, isOngoing, type RuleVisit, startOf } from './rule-visit.ts';
import { daysBetween } from './transfers.ts';

/** Acute and nonacute inpatient stays. Observation doesn't count. */
const SETTINGS = new Set<Setting>(['INPATIENT', 'SNF', 'LTAC', 'REHAB']);
/** By UB-04 code, or in the sender's words. */
export const isToHospice = (disposition: string | null): boolean =>
  disposition !== null && (disposition === '50' || disposition === '51' || /hospice/iu.test(disposition));
const ADULT = 18;
/** The day itself and two more. */
const NOTICE_DAYS = 2;
const ENGAGEMENT_DAYS = 30;

export type TransitionRule =
  | 'TRC_ADMISSION_NOTICE'
  | 'TRC_DISCHARGE_INFORMATION'
  | 'TRC_ENGAGEMENT'
  | 'TRC_MEDICATIONS';

export interface Transition {
  setting: Setting;
  /** Days at the facility, YYYY-MM-DD; null if unknown. */
  admittedOn: string | null;
  dischargedOn: string;
  disposition: string | null;
  bornOn: string | null;
  /** The person was in hospice care in the year of the discharge. */
  wasInHospice: boolean;
  /** When the team got the notice of the admission (milliseconds), and the day; null if Tidings sent none. */
  admissionKnown: { at: number; day: string } | null;
  /** When the discharge summary arrived; null if none did, or the reader may not see any. */
  summaryKnown: { at: number; day: string } | null;
}

/** NOT_RECORDED: Tidings does not record it, so the medical record has to show it. */
export interface TransitionWindow {
  rule: TransitionRule;
  dueOn: string;
  metAt: number | null;
  state: 'MET' | 'MET_LATE' | 'DUE' | 'DUE_TODAY' | 'OVERDUE' | 'NOT_RECORDED';
}

/** A readmission or transfer within this time continues the stay: the first admission and the last discharge count. In days. */
const CONTINUES_WITHIN = 30;

const isCounted = (visit: RuleVisit): boolean => SETTINGS.has(visit.setting) && hasHappened(visit);

/** Returns the first of the stays that the measure takes together with this one: each begins within 30 days of the discharge before it. */
export function firstOfTransition(stay: RuleVisit, visits: readonly RuleVisit[]): RuleVisit {
  let first = stay;
  for (const visit of visits.filter(isCounted).toSorted((a, b) => (startOf(b) ?? 0) - (startOf(a) ?? 0))) {
    const [from, left] = [startOf(first), visit.dischargedAt];
    if (visit.id === first.id || from === null || left === null || left > from) continue;
    if (daysBetween(left, visit, from, first) <= CONTINUES_WITHIN) first = visit;
  }
  return first;
}

/**
 * Whether the measure doesn't end with this discharge: another stay that it counts begins within 30 calendar days, as readmissions count them, a
 * resident is back in the nursing facility whose stay went on, on leave (A21, A22) or not, or the person has died.
 */
export function goesOn(encounterId: string, at: number, visits: readonly RuleVisit[]): boolean {
  if (deathOf(visits) !== null) return true;
  const left = visits.find(({ id }) => id === encounterId);
  return visits.some((visit) => {
    const from = startOf(visit);
    if (!isCounted(visit) || visit.id === encounterId) return false;
    if (from !== null && from >= at) return daysBetween(at, left ?? visit, from, visit) <= CONTINUES_WITHIN;
    if (visit.setting === 'INPATIENT') return false;
    return visit.dischargedAt === null ? isOngoing(visit) : visit.dischargedAt > at;
  });
}

/** Whether the measure counts the stay: an adult's, discharged January 1 to December 1, without hospice care in that year. Not if the birth date is unknown. */
export function countsForTransitions({
  setting,
  dischargedOn,
  disposition,
  bornOn,
  wasInHospice,
}: Transition): boolean {
  if (!SETTINGS.has(setting) || wasInHospice || isToHospice(disposition)) return false;
  const year = Number(dischargedOn.slice(0, 4));
  if (dischargedOn > `${year}-12-01` || bornOn === null) return false;
  // Of age by the end of the measurement year.
  return year - Number(bornOn.slice(0, 4)) >= ADULT;
}

/** Returns the four windows of a stay that counts. `attempts`: the team's; a call or a visit that reached someone after the day of discharge is engagement. */
export function transitionWindows(
  stay: Transition,
  { attempts, today }: { attempts: readonly Attempt[]; today: string },
): TransitionWindow[] {
  const { admittedOn, dischargedOn, admissionKnown, summaryKnown } = stay;
  const notRecorded = (rule: TransitionRule, dueOn: string): TransitionWindow => ({
    rule,
    dueOn,
    metAt: null,
    state: 'NOT_RECORDED',
  });
  const engaged = attempts
    .filter(({ channel, outcome, day }) => isTalk(channel) && outcome === 'REACHED' && day > dischargedOn)
    .toSorted((a, b) => a.at - b.at)[0];
  return [
    ...(admittedOn ? [receipt('TRC_ADMISSION_NOTICE', addDays(admittedOn, NOTICE_DAYS), admissionKnown)] : []),
    // The measure asks for six elements, which the record has to show; what counts here is the date of receipt (HEDIS TRC, "Receipt of discharge information").
    receipt('TRC_DISCHARGE_INFORMATION', addDays(dischargedOn, NOTICE_DAYS), summaryKnown),
    {
      rule: 'TRC_ENGAGEMENT',
      dueOn: addDays(dischargedOn, ENGAGEMENT_DAYS),
      metAt: engaged?.at ?? null,
      state: stateOf(addDays(dischargedOn, ENGAGEMENT_DAYS), engaged?.day ?? null, today),
    },
    notRecorded('TRC_MEDICATIONS', addDays(dischargedOn, ENGAGEMENT_DAYS)),
  ];
}

const isTalk = (channel: Attempt['channel']): boolean => channel === 'CALL' || channel === 'VISIT';

/** Without a receipt in Tidings, the practice may have had one from elsewhere. */
const receipt = (rule: TransitionRule, dueOn: string, known: Transition['admissionKnown']): TransitionWindow => ({
  rule,
  dueOn,
  metAt: known?.at ?? null,
  state: known === null ? 'NOT_RECORDED' : known.day <= dueOn ? 'MET' : 'MET_LATE',
});

function stateOf(dueOn: string, doneOn: string | null, today: string): TransitionWindow['state'] {
  if (doneOn !== null) return doneOn <= dueOn ? 'MET' : 'MET_LATE';
  return dueOn < today ? 'OVERDUE' : dueOn === today ? 'DUE_TODAY' : 'DUE';
}
