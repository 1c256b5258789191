/** When a discharge has to be followed up (docs/domain.md, "Follow-up after discharge"). */
import type { Setting } from '#contract/event-codes.ts';
import { addBusinessDays } from '#server/platform/calendar/business-days.ts';
import { DAY } from './rule-clock.ts';
import { deathOf, hasHappened, isOngoing, type RuleVisit, startOf } from './rule-visit.ts';

/** Discharges from these settings start the two business days of transitional care management (CPT 99495, 99496). */
const SETTINGS = new Set<Setting>(['INPATIENT', 'OBSERVATION', 'SNF', 'LTAC', 'REHAB']);
/**
 * UB-04 discharge status: home, home health, custodial care, each with a planned readmission too; left against medical advice, because who
 * leaves so goes home and needs the call most; null where the sender says nothing.
 */
const COMMUNITY = new Set([null, '01', '04', '06', '07', '81', '84', '86']);
export const isToCommunity = (disposition: string | null): boolean => COMMUNITY.has(disposition);
const SHOWN_FOR = 14 * DAY;

export interface Discharge {
  encounterId: string;
  setting: Setting;
  /** Milliseconds. */
  at: number;
  /** The calendar day at the facility. */
  day: string;
  disposition: string | null;
}

/**
 * Returns the day (YYYY-MM-DD) by which a discharge has to be followed up, or null if none is due: it was not to the community, it is
 * long ago, or the person is in a facility, was admitted to one since, or has died. A later discharge starts its own clock. `visits`: all of
 * the person's.
 */
export function followUpDue(discharge: Discharge, visits: readonly RuleVisit[], now: number): string | null {
  const { setting, disposition, at, day } = discharge;
  if (!SETTINGS.has(setting) || !isToCommunity(disposition) || now - at > SHOWN_FOR) return null;
  if (deathOf(visits) !== null || visits.some((visit) => isInFacility(visit, discharge, visits))) return null;
  return addBusinessDays(day, 2);
}

/** A team's attempt to reach a person. */
export interface Attempt {
  /** Milliseconds. */
  at: number;
  /** The calendar day where days are counted. */
  day: string;
  /** Whether the person or a caregiver was reached. */
  isContact: boolean;
}

/**
 * Returns what a team has done about a follow-up that is due: whether it has reached someone since the discharge, and how many separate
 * attempts it made by the day that it was due. A contact ends the follow-up, late or not; two timely attempts that reach nobody meet the
 * requirement, but the team has to go on trying (CMS MLN908628, "Interactive contact").
 */
export function contactSince(
  discharge: Pick<Discharge, 'at'>,
  due: string,
  attempts: readonly Attempt[],
): { isReached: boolean; timelyAttempts: number } {
  const since = attempts.filter(({ at }) => at >= discharge.at);
  return {
    isReached: since.some(({ isContact }) => isContact),
    // Separate: two entries for the same moment are one attempt.
    timelyAttempts: new Set(since.filter(({ day }) => day <= due).map(({ at }) => at)).size,
  };
}

/** Care outside the community. A resident stays one while on leave at a hospital, and "home" is then the facility. */
const IN_FACILITY = new Set<Setting>([...SETTINGS, 'HOSPICE']);
const AT_HOSPITAL = new Set<Setting>(['INPATIENT', 'OBSERVATION']);

/** Whether the visit is a stay in a facility that went on at the discharge, or began later. */
function isInFacility(visit: RuleVisit, { encounterId, at }: Discharge, visits: readonly RuleVisit[]): boolean {
  if (visit.id === encounterId || !hasHappened(visit) || !IN_FACILITY.has(visit.setting)) return false;
  const from = startOf(visit);
  if (from !== null && from >= at) return true;
  const wentOn = visit.dischargedAt === null ? isOngoing(visit) : visit.dischargedAt > at;
  if (!wentOn || !AT_HOSPITAL.has(visit.setting)) return wentOn;
  // Of two hospital stays at the same time, the one that began first has a late or missing discharge.
  const left = visits.find(({ id }) => id === encounterId);
  return from !== null && from > ((left && startOf(left)) ?? from);
}
