/** A visit as the rules see it: the care, place and time, without the person. The rules count visits, never messages. */
import type { Setting } from '#contract/event-codes.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import type { Diagnosis, Moment } from '#server/intake/hl7/adt-facts.ts';
import {
  isOpenStatus,
  type LeaveSpan,
  lastKnownOf,
  type VisitState,
  type VisitStatus,
} from '#server/record/fold/visit-state.ts';
import { mentionsCovid } from './covid.ts';
import { type Purpose, purposeOf } from './stay-purpose.ts';

/** Milliseconds since 1970. `to` is null if no return was reported. */
export interface Leave {
  from: number;
  to: number | null;
}

/** Instants are milliseconds since 1970. A day without a time is its midnight at the facility. */
export interface RuleVisit {
  id: string;
  facilityId: string;
  facilityType: FacilityType | null;
  groupType: GroupType;
  /** The facility's: its calendar days are those of the visit. */
  timeZone: string;
  /** The current one, or the last. */
  setting: Setting;
  status: VisitStatus;
  /** The arrival; null if unknown. */
  admittedAt: number | null;
  dischargedAt: number | null;
  /** Since when it is an inpatient stay, from its beginning or later; null if never or unknown. */
  inpatientFrom: number | null;
  /** It began in another class, and no message says since when it is an inpatient stay: its nights are unknown. */
  isInpatientUndated: boolean;
  /** Leaves of absence (A21 to A22), oldest first. */
  leaves: readonly Leave[];
  /** The death that was reported for this visit; null if none was. */
  diedAt: number | null;
  /** Its sender put that in doubt without a cancel, such as by PID-30 N. */
  isDeathDenied: boolean;
  /** Its sender only deleted the report (PID-30 ""). */
  isDeathWithdrawn: boolean;
  /** The visit passed through the ED and is in another setting now. */
  cameThroughEmergency: boolean;
  /** It began with an arrival in the ED of its own (PRESENTED), not only with PV1-14. */
  presentedHere: boolean;
  /** PV1-14. */
  admitSource: string | null;
  /** PV1-4. */
  admissionType: string | null;
  /** What the stay is for, where the sender says so in words. */
  purpose: Purpose | null;
  /** UB-04 patient discharge status (PV1-36). */
  disposition: string | null;
  /** Final before working before admitting, the principal one first. */
  diagnosisCodes: readonly string[];
  mentionsCovid: boolean;
}

/** The source of a rule visit: the folded state of an encounter, its facility, and three times from its events. */
export interface RuleVisitSource {
  id: string;
  state: Omit<
    VisitState,
    | 'location'
    | 'attending'
    | 'payers'
    | 'dischargedTo'
    | 'transferredTo'
    | 'expectedDischargeAt'
    | 'deceased'
    | 'deceasedAt'
  >;
  facility: { id: string; type: GroupType; facilityType: FacilityType | null; timeZone: string };
  /**
   * Milliseconds of the first PRESENTED, of the ADMIT or TRANSFER to INPATIENT since which the patient is an inpatient (a time under
   * observation in between ends it, and so does a discharge if the patient came back on a later day), and of the DECEASED; canceled events don't count.
   */
  presentedAt: number | null;
  inpatientFrom: number | null;
  diedAt: number | null;
}

/** Returns a visit as the rules see it. */
export function ruleVisit(source: RuleVisitSource): RuleVisit {
  const { id, state, facility, presentedAt, inpatientFrom, diedAt } = source;
  const { setting, status, admissionType, disposition, admitSource, leaves } = state;
  const isEmergency = setting === 'EMERGENCY';
  // PV1-44 is the admission for some senders and the arrival for others, so the earlier time is the arrival.
  const arrivedAt = earlier(instantOf(state.arrivedAt ?? null), isEmergency ? null : presentedAt);
  const admittedAt = earlier(instantOf(state.admittedAt), arrivedAt);
  return {
    id,
    facilityId: facility.id,
    facilityType: facility.facilityType,
    groupType: facility.type,
    timeZone: facility.timeZone,
    setting,
    status,
    admittedAt,
    dischargedAt: instantOf(lastKnownOf(state)),
    inpatientFrom,
    isInpatientUndated: state.isInpatientUndated === true,
    leaves: leaves?.map(leaveOf) ?? NO_LEAVES,
    diedAt,
    isDeathDenied: state.deathDenied === true,
    isDeathWithdrawn: state.deathWithdrawn === true,
    cameThroughEmergency: !isEmergency && (presentedAt !== null || isFromEmergency(admitSource, facility)),
    presentedHere: presentedAt !== null,
    admitSource,
    admissionType,
    purpose: purposeOf(state),
    disposition,
    diagnosisCodes: state.diagnoses.length === 0 ? NO_CODES : byRank(state.diagnoses).map(({ code }) => code),
    mentionsCovid: mentionsCovid(state),
  };
}

/** PV1-14, HL7 table 0023: emergency room. */
const EMERGENCY_SOURCE = '7';
/** Where a nursing facility says so, the patient came from the ED of a hospital, which counts there. */
const isFromEmergency = (admitSource: string | null, { type, facilityType }: RuleVisitSource['facility']): boolean =>
  admitSource === EMERGENCY_SOURCE && type === 'HOS' && (facilityType ?? 'HOS') === 'HOS';
const NO_CODES: readonly string[] = [];
const NO_LEAVES: readonly Leave[] = [];

const instantOf = (moment: Moment | null): number | null => (moment ? Date.parse(moment.instant) : null);
const leaveOf = ({ from, to }: LeaveSpan): Leave => ({ from: Date.parse(from.instant), to: instantOf(to) });
const earlier = (a: number | null, b: number | null): number | null =>
  a !== null && b !== null ? Math.min(a, b) : (a ?? b);

/** Returns the diagnoses in order: final before working before admitting (DG1-6), the principal one first (DG1-15). */
export const byRank = <T extends Diagnosis>(diagnoses: readonly T[]): readonly T[] =>
  diagnoses.every((each, n) => n === 0 || rank(diagnoses[n - 1] as T) <= rank(each))
    ? diagnoses
    : diagnoses.toSorted((a, b) => rank(a) - rank(b));

const UNRANKED = 50;
const rank = ({ type, priority }: Diagnosis): number =>
  (type === 'F' ? 0 : type === 'W' ? 100 : 200) + (priority ?? UNRANKED);

/** Settings in which a night counts as an inpatient night. The last setting counts: a patient who was changed to observation was not an inpatient. */
const INPATIENT_SETTINGS = new Set<Setting>(['INPATIENT', 'LTAC', 'REHAB']);
const POST_ACUTE_SETTINGS = new Set<Setting>(['SNF', 'LTAC', 'REHAB', 'HHA', 'HOSPICE']);
const HOSPITAL_TYPES = new Set<FacilityType | null>(['HOS', 'LTAC', 'REHAB_HOS']);
const ACUTE_SETTINGS = new Set<Setting>(['EMERGENCY', 'OBSERVATION', 'INPATIENT']);

export const isEmergencyVisit = (visit: RuleVisit): boolean =>
  visit.setting === 'EMERGENCY' || visit.cameThroughEmergency;
/** Long-term care and rehabilitation hospitals take part in Medicare as hospitals (42 CFR 412.23), so their nights count for the three-day rule. */
export const isAtHospital = ({ groupType, facilityType }: RuleVisit): boolean =>
  groupType === 'HOS' || HOSPITAL_TYPES.has(facilityType);
export const isInpatientStay = (visit: RuleVisit): boolean => INPATIENT_SETTINGS.has(visit.setting);
export const isPostAcute = (visit: RuleVisit): boolean => POST_ACUTE_SETTINGS.has(visit.setting);
/** An acute stay: neither long-term acute care nor rehabilitation. */
export const isAcuteInpatient = (visit: RuleVisit): boolean => visit.setting === 'INPATIENT';
/** Emergency, observation or inpatient at a hospital. */
export const isAcuteSetting = (setting: Setting): boolean => ACUTE_SETTINGS.has(setting);
export const isAcute = (visit: RuleVisit): boolean => isAcuteSetting(visit.setting) || visit.cameThroughEmergency;

/** Neither retracted nor only planned. */
export const hasHappened = ({ status }: RuleVisit): boolean => status !== 'CANCELLED' && status !== 'PLANNED';
export const isOngoing = ({ status }: Pick<RuleVisit, 'status'>): boolean => isOpenStatus(status);

/** When the visit began, and when it became an inpatient stay. */
export const startOf = (visit: RuleVisit): number | null => visit.admittedAt ?? visit.inpatientFrom;
export const admissionOf = (visit: RuleVisit): number | null => visit.inpatientFrom ?? visit.admittedAt;

/** Whether each sender that reported the death put it in doubt later. False if none reported one. */
export function isDeathInDoubt(visits: readonly RuleVisit[]): boolean {
  const reports = visits.filter((visit) => visit.diedAt !== null && hasHappened(visit));
  return reports.length > 0 && reports.every(({ isDeathDenied }) => isDeathDenied);
}

/** Whether none of the senders that put the death in doubt says that the patient lives. */
export const isDeathWithdrawn = (visits: readonly RuleVisit[]): boolean =>
  visits.every((visit) => visit.diedAt === null || !hasHappened(visit) || visit.isDeathWithdrawn);

/** When the person died, as the first of these visits says; null if none does. */
export function deathOf(visits: readonly RuleVisit[]): number | null {
  const deaths = visits.flatMap((visit) => (visit.diedAt !== null && hasHappened(visit) ? visit.diedAt : []));
  return deaths.length === 0 ? null : Math.min(...deaths);
}
