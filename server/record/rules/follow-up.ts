/** When a discharge has to be followed up (docs/domain.md, "Follow-up after discharge"). */
import type { Setting } from '#contract/event-codes.ts';
import { addBusinessDays } from '#server/platform/calendar/business-days.ts';
import { DAY } from './rule-clock.ts';
import { deathOf, hasHappened, type RuleVisit } from './rule-visit.ts';

/** Discharges from these settings start the two business days of transitional care management (CPT 99495, 99496). */
const SETTINGS = new Set<Setting>(['INPATIENT', 'OBSERVATION', 'SNF', 'LTAC', 'REHAB']);
/**
 * UB-04 discharge status: home, home health, custodial care, each with a planned readmission too; left against medical advice, because who
 * leaves so goes home and needs the call most; null where the sender says nothing.
 */
const COMMUNITY = new Set([null, '01', '04', '06', '07', '81', '84', '86']);
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
 * long ago, or the person has been readmitted or has died. A later discharge starts its own clock. `visits`: all of the person's.
 */
export function followUpDue(discharge: Discharge, visits: readonly RuleVisit[], now: number): string | null {
  const { setting, disposition, at, day, encounterId } = discharge;
  if (!SETTINGS.has(setting) || !COMMUNITY.has(disposition) || now - at > SHOWN_FOR) return null;
  if (deathOf(visits) !== null) return null;
  const isReadmitted = visits.some(
    (visit) =>
      visit.id !== encounterId &&
      hasHappened(visit) &&
      SETTINGS.has(visit.setting) &&
      visit.admittedAt !== null &&
      visit.admittedAt >= at,
  );
  return isReadmitted ? null : addBusinessDays(day, 2);
}
