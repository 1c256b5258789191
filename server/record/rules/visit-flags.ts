/** The flags of one visit, computed from the person's other visits. */
import type { Readmission } from './readmissions.ts';
import { DAY, type RuleClock } from './rule-clock.ts';
import { admissionOf, hasHappened, isInpatientStay, isOngoing, type RuleVisit, startOf } from './rule-visit.ts';

/** Instants are milliseconds since 1970. */
export interface RecentInpatientStay {
  triggerEncounterId: string;
  triggerFacilityId: string;
  /** The earlier admission. */
  triggerDate: number;
  dischargedAt: number | null;
}

export interface RecentSnfStay {
  triggerEncounterId: string;
  triggerFacilityId: string;
  /** The discharge, or the end of services. */
  triggerDate: number;
  /** When it stops being recent. */
  endValidityDate: number;
}

export interface VisitFlags {
  /** In the ED or under observation now, after an inpatient admission in the 30 days before. */
  readonly readmissionRisk: boolean;
  /** An inpatient now, after another inpatient admission in the 30 days before. */
  readonly recentInpatientStay: RecentInpatientStay | null;
  /** At a hospital now, after leaving skilled nursing in the last 30 days. */
  readonly recentSnfStay: RecentSnfStay | null;
  readonly encounterTags: readonly 'MENTIONS_COVID_19'[];
  readonly readmission: Readmission | null;
}

const RECENT_ADMISSION = 30 * DAY;
const RECENT_SNF_STAY = 30 * DAY;

const NO_TAGS: VisitFlags['encounterTags'] = [];
const COVID_TAG: VisitFlags['encounterTags'] = ['MENTIONS_COVID_19'];
/** Shared by all visits without flags. */
export const NO_VISIT_FLAGS: VisitFlags = {
  readmissionRisk: false,
  recentInpatientStay: null,
  recentSnfStay: null,
  encounterTags: NO_TAGS,
  readmission: null,
};

/** `visits`: all of the person's visits, including this one. */
export function visitFlags(
  visit: RuleVisit,
  visits: readonly RuleVisit[],
  readmission: Readmission | null,
  clock: RuleClock,
): VisitFlags {
  if (!hasHappened(visit)) return NO_VISIT_FLAGS;
  const isNow = isOngoing(visit);
  if (!isNow && !visit.mentionsCovid && !readmission) return NO_VISIT_FLAGS;
  const stay = isNow ? earlierAdmission(visit, visits) : null;
  const isShort = visit.setting === 'EMERGENCY' || visit.setting === 'OBSERVATION';
  return {
    readmissionRisk: isShort && stay !== null,
    recentInpatientStay: isInpatientStay(visit) ? stay : null,
    recentSnfStay: isNow && isAtHospital(visit) ? snfStayBefore(visits, clock) : null,
    encounterTags: visit.mentionsCovid ? COVID_TAG : NO_TAGS,
    readmission,
  };
}

const isAtHospital = ({ groupType, facilityType }: RuleVisit): boolean => groupType === 'HOS' || facilityType === 'HOS';

/** Returns the latest other inpatient admission in the 30 days before this visit, or before it became an inpatient stay. */
function earlierAdmission(visit: RuleVisit, visits: readonly RuleVisit[]): RecentInpatientStay | null {
  const at = isInpatientStay(visit) ? admissionOf(visit) : startOf(visit);
  if (at === null) return null;
  let found: RuleVisit | null = null;
  let foundAt = Number.NEGATIVE_INFINITY;
  for (const other of visits) {
    if (other === visit || !hasHappened(other) || !isInpatientStay(other)) continue;
    const admitted = admissionOf(other);
    if (admitted === null || admitted >= at || at - admitted > RECENT_ADMISSION) continue;
    if (admitted > foundAt || (admitted === foundAt && found && other.id < found.id)) {
      found = other;
      foundAt = admitted;
    }
  }
  if (!found) return null;
  const { id, facilityId, dischargedAt } = found;
  return { triggerEncounterId: id, triggerFacilityId: facilityId, triggerDate: foundAt, dischargedAt };
}

function snfStayBefore(visits: readonly RuleVisit[], clock: RuleClock): RecentSnfStay | null {
  let found: RuleVisit | null = null;
  let foundAt = Number.NEGATIVE_INFINITY;
  for (const visit of visits) {
    const { setting, status, dischargedAt: at } = visit;
    if (setting !== 'SNF' || status !== 'FINISHED' || at === null || !clock.isWithin(at, RECENT_SNF_STAY)) continue;
    if (at > foundAt || (at === foundAt && found && visit.id < found.id)) {
      found = visit;
      foundAt = at;
    }
  }
  if (!found) return null;
  return {
    triggerEncounterId: found.id,
    triggerFacilityId: found.facilityId,
    triggerDate: foundAt,
    endValidityDate: foundAt + RECENT_SNF_STAY,
  };
}
