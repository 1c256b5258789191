/** A visit as the rules see it: what was done, where and when, without who. Visits are counted, never messages (domain rules, section 5). */
import type { Setting } from '#contract/event-codes.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import type { Diagnosis, Moment } from '#server/intake/hl7/adt-facts.ts';
import type { VisitState, VisitStatus } from '#server/record/fold/visit-state.ts';
import { mentionsCovid } from './covid.ts';

/** Instants are milliseconds since 1970; those of a day without a time are its midnight at the facility. */
export interface RuleVisit {
  id: string;
  facilityId: string;
  facilityType: FacilityType | null;
  groupType: GroupType;
  /** The present one, or the last. */
  setting: Setting;
  status: VisitStatus;
  /** The arrival; null where unknown. */
  admittedAt: number | null;
  dischargedAt: number | null;
  /** When it became an inpatient stay, at its beginning or later; null where it never did, or nobody knows. */
  inpatientFrom: number | null;
  /** The present setting is another than EMERGENCY, and the visit passed through it. */
  cameThroughEmergency: boolean;
  /** PV1-4. */
  admissionType: string | null;
  /** UB-04 patient discharge status (PV1-36). */
  disposition: string | null;
  /** The principal one first, final before working before admitting. */
  diagnosisCodes: readonly string[];
  mentionsCovid: boolean;
}

/** What a rule visit is made of: the folded state of an encounter, its facility, and what its events tell beside that. */
export interface RuleVisitSource {
  id: string;
  state: Omit<
    VisitState,
    'location' | 'attending' | 'payers' | 'dischargedTo' | 'expectedDischargeAt' | 'deceased' | 'deceasedAt'
  >;
  facility: { id: string; type: GroupType; facilityType: FacilityType | null };
  /** Of its events that stand: the first PRESENTED, and the first ADMIT or TRANSFER to the setting INPATIENT. Milliseconds. */
  presentedAt: number | null;
  inpatientFrom: number | null;
}

export function ruleVisit({ id, state, facility, presentedAt, inpatientFrom }: RuleVisitSource): RuleVisit {
  const { setting, status, admissionType, disposition, admitSource } = state;
  const isEmergency = setting === 'EMERGENCY';
  // PV1-44 is the admission for some senders and the arrival for others: the first of what is known is the arrival.
  const admittedAt = earlier(instantOf(state.admittedAt), isEmergency ? null : presentedAt);
  return {
    id,
    facilityId: facility.id,
    facilityType: facility.facilityType,
    groupType: facility.type,
    setting,
    status,
    admittedAt,
    dischargedAt: instantOf(state.dischargedAt),
    inpatientFrom,
    cameThroughEmergency: !isEmergency && (presentedAt !== null || admitSource === EMERGENCY_SOURCE),
    admissionType,
    disposition,
    diagnosisCodes: state.diagnoses.length === 0 ? NO_CODES : byRank(state.diagnoses).map(({ code }) => code),
    mentionsCovid: mentionsCovid(state),
  };
}

/** PV1-14, HL7 table 0023: emergency room. */
const EMERGENCY_SOURCE = '7';
const NO_CODES: readonly string[] = [];

const instantOf = (moment: Moment | null): number | null => (moment ? Date.parse(moment.instant) : null);
const earlier = (a: number | null, b: number | null): number | null =>
  a !== null && b !== null ? Math.min(a, b) : (a ?? b);

/** Final before working before admitting (DG1-6), the principal one first (DG1-15). */
export const byRank = (diagnoses: readonly Diagnosis[]): readonly Diagnosis[] =>
  diagnoses.every((each, n) => n === 0 || rank(diagnoses[n - 1] as Diagnosis) <= rank(each))
    ? diagnoses
    : diagnoses.toSorted((a, b) => rank(a) - rank(b));

const UNRANKED = 50;
const rank = ({ type, priority }: Diagnosis): number =>
  (type === 'F' ? 0 : type === 'W' ? 100 : 200) + (priority ?? UNRANKED);

/** Where a person lies overnight as an inpatient. The setting at the end decides: who was changed to observation was no inpatient. */
const INPATIENT_SETTINGS = new Set<Setting>(['INPATIENT', 'LTAC', 'REHAB']);
const POST_ACUTE_SETTINGS = new Set<Setting>(['SNF', 'LTAC', 'REHAB', 'HHA', 'HOSPICE']);
const ACUTE_SETTINGS = new Set<Setting>(['EMERGENCY', 'OBSERVATION', 'INPATIENT']);

export const isEmergencyVisit = (visit: RuleVisit): boolean =>
  visit.setting === 'EMERGENCY' || visit.cameThroughEmergency;
export const isInpatientStay = (visit: RuleVisit): boolean => INPATIENT_SETTINGS.has(visit.setting);
export const isPostAcute = (visit: RuleVisit): boolean => POST_ACUTE_SETTINGS.has(visit.setting);
/** Emergency, observation or inpatient at a hospital. */
export const isAcute = (visit: RuleVisit): boolean => ACUTE_SETTINGS.has(visit.setting) || visit.cameThroughEmergency;

/** Neither retracted nor still to come. */
export const hasHappened = ({ status }: RuleVisit): boolean => status !== 'CANCELLED' && status !== 'PLANNED';
export const isOngoing = ({ status }: RuleVisit): boolean => status === 'IN_PROGRESS' || status === 'ON_LEAVE';

/** When the visit began, and when it became an inpatient stay. */
export const startOf = (visit: RuleVisit): number | null => visit.admittedAt ?? visit.inpatientFrom;
export const admissionOf = (visit: RuleVisit): number | null => visit.inpatientFrom ?? visit.admittedAt;
