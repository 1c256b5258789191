/** The flags of one visit, computed from the person's other visits. */
import { DAY } from '#contract/durations.ts';
import { type InpatientStays, type Readmission, stayBefore } from './readmissions.ts';
import { type RuleClock } from './rule-clock.ts';
import {
  admissionOf,
  hasHappened,
  isAcuteInpatient,
  isAcuteSetting,
  isAtHospital,
  isOngoing,
  type RuleVisit,
  startOf,
} from './rule-visit.ts';

/** Instants are milliseconds since 1970. */
export interface RecentInpatientStay {
  triggerEncounterId: string;
  triggerFacilityId: string;
  /** The earlier admission. */
  triggerDate: number;
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
  /** In the ED or under observation now, after an acute inpatient stay that ended in the 30 days before (`stayBefore`). */
  readonly readmissionRisk: boolean;
  /** The stay because of which it is; null without that risk. */
  readonly readmissionRiskAfter: RecentInpatientStay | null;
  /** An acute inpatient now, after another such stay that ended in the 30 days before (`stayBefore`). */
  readonly recentInpatientStay: RecentInpatientStay | null;
  /** At a hospital now, after leaving skilled nursing in the last 30 days, or from a stay there that goes on. */
  readonly recentSnfStay: RecentSnfStay | null;
  readonly encounterTags: readonly 'MENTIONS_COVID_19'[];
  readonly readmission: Readmission | null;
}

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
  isDead: boolean;
}

/** Returns the flags of one visit among all of the person's. */
export function visitFlags(visit: RuleVisit, person: PersonContext, clock: RuleClock): VisitFlags {
  if (!hasHappened(visit)) return NO_VISIT_FLAGS;
  const readmission = person.stays.readmissions.get(visit.id) ?? null;
  const isNow = isOngoing(visit) && !person.isDead;
  if (!isNow && !visit.mentionsCovid && !readmission) return NO_VISIT_FLAGS;
  const stay = isNow ? earlierStay(visit, person) : null;
  const isShort = visit.setting === 'EMERGENCY' || visit.setting === 'OBSERVATION';
  return {
    readmissionRisk: isShort && stay !== null,
    readmissionRiskAfter: isShort ? stay : null,
    recentInpatientStay: isAcuteInpatient(visit) ? stay : null,
    recentSnfStay: isNow && isAtHospital(visit) ? snfStayBefore(visit, person.visits, clock) : null,
    encounterTags: visit.mentionsCovid ? COVID_TAG : NO_TAGS,
    readmission,
  };
}

/** Returns the stay that `stayBefore` finds, unless the visit is neither in a hospital's emergency department nor a stay there. */
function earlierStay(visit: RuleVisit, { visits }: PersonContext): RecentInpatientStay | null {
  const stay = isAcuteSetting(visit.setting) ? stayBefore(visit, visits) : null;
  if (!stay) return null;
  const { id, facilityId, dischargedAt } = stay;
  return {
    triggerEncounterId: id,
    triggerFacilityId: facilityId,
    triggerDate: admissionOf(stay) ?? startOf(stay) ?? dischargedAt ?? 0,
  };
}

/**
 * Returns the SNF stay that the resident came from and that goes on, on leave or not (many facilities report no leave), or else the latest one
 * that ended in the last 30 days.
 */
function snfStayBefore(now: RuleVisit, visits: readonly RuleVisit[], clock: RuleClock): RecentSnfStay | null {
  const cameFrom = (stay: RuleVisit): boolean =>
    stay.setting === 'SNF' &&
    (stay.status === 'ON_LEAVE' || (isOngoing(stay) && (startOf(stay) ?? 0) < (startOf(now) ?? 0)));
  const [left] = visits.filter(cameFrom).sort(latestFirst);
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
