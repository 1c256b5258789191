/** Which of a person's visits a row is about: the stay that goes on, or else the visit with the latest news. */
import type { Setting } from '#contract/event-codes.ts';
import { isOpenStatus, type VisitStatus } from '#server/record/fold/visit-state.ts';

/** A visit that was neither retracted nor only planned. */
export interface CandidateVisit {
  setting: Setting;
  status: VisitStatus;
  /** The beginning, in milliseconds; 0 if unknown. */
  begun: number;
  /** The newest event that has not been retracted, or else the beginning, in seconds. */
  newestAt: number;
}

type Stay = Pick<CandidateVisit, 'setting' | 'status'>;

/** Where people stay for weeks: such a stay goes on while they are at a hospital for some days. */
const RESIDENCES = new Set<Setting>(['SNF', 'ASSISTED_LIVING', 'LTAC', 'REHAB', 'HOSPICE']);
/** They last an hour and say nothing about where someone stays. */
const SINGLE_VISITS = new Set<Setting>(['OUTPATIENT', 'URGENT_CARE']);

/** Whether someone stays at the place of the visit, or is on leave from it. Home health coverage is no stay. */
const isOpenStay = ({ setting, status }: Stay): boolean =>
  isOpenStatus(status) && setting !== 'HHA' && !SINGLE_VISITS.has(setting);

export const isOpenResidence = (visit: Stay): boolean => isOpenStay(visit) && RESIDENCES.has(visit.setting);

/**
 * Returns the open stay with the newest event; without one, the visit with the newest event (of equals the last one). A resident whose hospital stay
 * ended is a resident again: nursing facilities hold the bed or readmit (42 CFR 483.15(d), (e)). An open hospital stay doesn't count if something that
 * began later has newer events: its discharge is missing or late. `hasDied`: no stay goes on, so the newest event decides.
 */
export function visitToShow<T extends CandidateVisit>(visits: readonly T[], hasDied: boolean): T | null {
  const isOutdated = (stay: T) =>
    visits.some(
      ({ setting, begun, newestAt }) => !SINGLE_VISITS.has(setting) && begun > stay.begun && newestAt > stay.newestAt,
    );
  const goesOn = (visit: T) => isOpenResidence(visit) || (isOpenStay(visit) && !isOutdated(visit));
  return newestOf(hasDied ? [] : visits.filter(goesOn)) ?? newestOf(visits);
}

const newestOf = <T extends CandidateVisit>(visits: readonly T[]): T | null =>
  visits.reduce<T | null>((newest, visit) => (newest && visit.newestAt < newest.newestAt ? newest : visit), null);
