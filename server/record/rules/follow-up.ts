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
