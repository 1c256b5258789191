/** The flags of one visit, computed from the person's other visits. */
import type { InpatientStays, Readmission } from './readmissions.ts';
import { DAY, type RuleClock } from './rule-clock.ts';
import { admissionOf, hasHappened, isAcuteInpatient, isOngoing, type RuleVisit, startOf } from './rule-visit.ts';
import { daysIn, isSentOn } from './transfers.ts';

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
  /** The discharge, or the end of services; null while the resident is on leave. */
  triggerDate: number | null;
  /** When it stops being recent; null while the resident is on leave. */
  endValidityDate: number | null;
}

export interface VisitFlags {
  /** In the ED or under observation now, after an inpatient admission in the 30 days before. */
  readonly readmissionRisk: boolean;
  /** The stay because of which it is; null without that risk. */
  readonly readmissionRiskAfter: RecentInpatientStay | null;
  /** An acute inpatient now, after another such admission in the 30 days before; not transferred from it. */
  readonly recentInpatientStay: RecentInpatientStay | null;
  /** At a hospital now, after leaving skilled nursing in the last 30 days, or on leave from it. */
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
  readmissionRiskAfter: null,
  recentInpatientStay: null,
  recentSnfStay: null,
  encounterTags: NO_TAGS,
  readmission: null,
};

/** What the flags of a visit depend on besides the visit. */
export interface PersonContext {
  /** All of the person's, including the one asked about. */
  visits: readonly RuleVisit[];
  stays: InpatientStays;
  timeZone: string;
  isDead: boolean;
}

export function visitFlags(visit: RuleVisit, person: PersonContext, clock: RuleClock): VisitFlags {
  if (!hasHappened(visit)) return NO_VISIT_FLAGS;
  const readmission = person.stays.readmissions.get(visit.id) ?? null;
  const isNow = isOngoing(visit) && !person.isDead;
  if (!isNow && !visit.mentionsCovid && !readmission) return NO_VISIT_FLAGS;
  const stay = isNow ? earlierAdmission(visit, person) : null;
  const isShort = visit.setting === 'EMERGENCY' || visit.setting === 'OBSERVATION';
  return {
    readmissionRisk: isShort && stay !== null,
    readmissionRiskAfter: isShort ? stay : null,
    recentInpatientStay: isAcuteInpatient(visit) ? stay : null,
    recentSnfStay: isNow && isAtHospital(visit) ? snfStayBefore(person.visits, clock) : null,
    encounterTags: visit.mentionsCovid ? COVID_TAG : NO_TAGS,
    readmission,
  };
}

const isAtHospital = ({ groupType, facilityType }: RuleVisit): boolean => groupType === 'HOS' || facilityType === 'HOS';

/**
 * Returns the latest other acute inpatient admission in the 30 days before this visit, or before it became an inpatient stay. A transfer
 * continues a stay, so the stay that the patient was transferred from does not count; a bed that a stay announced is no admission.
 */
function earlierAdmission(visit: RuleVisit, { visits, stays, timeZone }: PersonContext): RecentInpatientStay | null {
  const isInpatient = isAcuteInpatient(visit);
  const at = isInpatient ? admissionOf(visit) : startOf(visit);
  if (at === null || stays.isStepDown(visit.id) || (isInpatient && stays.isTransferIn(visit.id))) return null;
  const days = daysIn(timeZone);
  let found: RuleVisit | null = null;
  let foundAt = Number.NEGATIVE_INFINITY;
  for (const other of visits) {
    if (other === visit || !hasHappened(other) || !isAcuteInpatient(other)) continue;
    // Of two stays at the same time, one has a late or missing discharge.
    if (isOngoing(other) || (other.dischargedAt !== null && other.dischargedAt > at)) continue;
    if (stays.isStepDown(other.id) || stays.isOneStay(other.id, visit.id) || isSentOn(other, visit, days)) continue;
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

/** Returns the SNF stay that the resident is on leave from, or else the latest one that ended in the last 30 days. */
function snfStayBefore(visits: readonly RuleVisit[], clock: RuleClock): RecentSnfStay | null {
  const [left] = visits.filter(({ setting, status }) => setting === 'SNF' && status === 'ON_LEAVE').sort(latestFirst);
  if (left) {
    const { id: triggerEncounterId, facilityId: triggerFacilityId } = left;
    return { triggerEncounterId, triggerFacilityId, triggerDate: null, endValidityDate: null };
  }
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

const latestFirst = (a: RuleVisit, b: RuleVisit): number =>
  (startOf(b) ?? 0) - (startOf(a) ?? 0) || (a.id < b.id ? -1 : 1);
