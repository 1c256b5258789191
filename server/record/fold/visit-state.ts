/** The state of a visit, and how one fact writes into it: field by field, the last in event order wins, silence keeps, `""` deletes. */
import type { EventCode, Setting } from '#contract/event-codes.ts';
import type { Diagnosis, Location, Moment, Payer, Provider, VisitFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Fact, FoldFacility } from './fold-input.ts';

/** CANCELLED: the whole visit was retracted. A single-event encounter (VISIT, an outpatient registration) is FINISHED at once. */
export type VisitStatus = 'PLANNED' | 'IN_PROGRESS' | 'ON_LEAVE' | 'FINISHED' | 'CANCELLED';

export interface VisitState {
  status: VisitStatus;
  setting: Setting;
  location: Location | null;
  /** PV1-44, else the time of the first event that begins the visit. */
  admittedAt: Moment | null;
  /** Null while in progress, and where the end is unknown (CLOSED). */
  dischargedAt: Moment | null;
  attending: Provider | null;
  admitSource: string | null;
  admissionType: string | null;
  disposition: string | null;
  dischargedTo: string | null;
  admitReason: string | null;
  expectedDischargeAt: Moment | null;
  /** PV2-10; says when the patient was expected to leave where PV2-9 does not (`expected-stay.ts`). */
  estimatedDays: number | null;
  /** One a code, in the order of their first mention; a final type is not taken back. */
  diagnoses: Diagnosis[];
  payers: Payer[];
  /** Once told, never taken back by a message: that needs a person (flag DEATH_CONTRADICTED). */
  deceased: boolean;
  deceasedAt: Moment | null;
}

export const emptyState = (): VisitState => ({
  status: 'IN_PROGRESS',
  setting: 'UNKNOWN',
  location: null,
  admittedAt: null,
  dischargedAt: null,
  attending: null,
  admitSource: null,
  admissionType: null,
  disposition: null,
  dischargedTo: null,
  admitReason: null,
  expectedDischargeAt: null,
  estimatedDays: null,
  diagnoses: [],
  payers: [],
  deceased: false,
  deceasedAt: null,
});

const WRITTEN_AS_THEY_ARE = [
  'location',
  'admittedAt',
  'attending',
  'admitSource',
  'admissionType',
  'admitReason',
  'expectedDischargeAt',
  'estimatedDays',
] as const;

/** Writes what any message may say of a visit. Setting and discharge are not among it: they take a trigger that may change them. */
export function writeFields(state: VisitState, visit: VisitFacts): void {
  for (const field of WRITTEN_AS_THEY_ARE) {
    const value = visit[field];
    if (value !== undefined) Object.assign(state, { [field]: value });
  }
  if (visit.payers?.length) state.payers = visit.payers;
  if (visit.diagnoses?.length) state.diagnoses = mergeDiagnoses(state.diagnoses, visit.diagnoses);
}

function mergeDiagnoses(known: readonly Diagnosis[], told: readonly Diagnosis[]): Diagnosis[] {
  const byCode = new Map(known.map((diagnosis) => [diagnosisKey(diagnosis), diagnosis]));
  for (const diagnosis of told) {
    const key = diagnosisKey(diagnosis);
    const before = byCode.get(key);
    byCode.set(key, {
      code: before?.code ?? diagnosis.code,
      description: diagnosis.description ?? before?.description ?? null,
      type: before?.type === 'F' ? 'F' : (diagnosis.type ?? before?.type ?? null),
      priority: diagnosis.priority ?? before?.priority ?? null,
      codeSystem: diagnosis.codeSystem ?? before?.codeSystem ?? null,
    });
  }
  return [...byCode.values()];
}

/** Senders write 'I50.9' and 'I509' for the same code; a diagnosis may also be text only. */
const diagnosisKey = ({ code, description }: Diagnosis): string =>
  code ? code.replace('.', '').toUpperCase() : (description ?? '').trim().toUpperCase();

const SETTING_OF_FACILITY: Partial<Record<FoldFacility['facilityType'], Setting>> = {
  SNF: 'SNF',
  ALF: 'ASSISTED_LIVING',
  HHA: 'HHA',
  HOSPICE: 'HOSPICE',
  LTAC: 'LTAC',
  REHAB_HOS: 'REHAB',
  URGENT_CARE: 'URGENT_CARE',
};
/** These also treat outpatients, whose visits are no stays. */
const WITH_OUTPATIENTS = new Set<FoldFacility['facilityType']>(['SNF', 'LTAC', 'REHAB_HOS']);

/**
 * Where the fact says that the patient is cared for: outside hospitals the facility's type decides, not PV1-2 (domain
 * rules 8). Undefined where the message is silent or its class has no mapping.
 */
export function settingOf(fact: Fact, facility: FoldFacility): Setting | undefined {
  const told = fact.adt.visit?.setting;
  const fixed = SETTING_OF_FACILITY[facility.facilityType];
  if (fixed && !(told === 'OUTPATIENT' && WITH_OUTPATIENTS.has(facility.facilityType))) return fixed;
  return told === 'UNKNOWN' ? undefined : told;
}

/** The event that an arrival in this setting is; null for a registration that stays silent. */
export function arrivalCode(trigger: string, setting: Setting | undefined, facility: FoldFacility): EventCode | null {
  if (facility.facilityType === 'HHA') return 'STARTED_HHA_SERVICES';
  if (setting === 'URGENT_CARE') return 'VISIT';
  if (setting === 'EMERGENCY') return 'PRESENTED';
  if (setting === 'OUTPATIENT') return facility.registrationIsVisit ? 'VISIT' : null;
  if (setting === undefined || setting === 'UNKNOWN') return trigger === 'A01' ? 'ADMIT' : null;
  return 'ADMIT';
}

/** UB-04 discharge status (PV1-36): expired. */
export const DIED: ReadonlySet<string> = new Set(['20', '40', '41', '42']);
/** UB-04 discharge status: still a patient. On a discharge it contradicts itself. */
export const STILL_PATIENT = '30';

const same = (a: string | null, b: string | null): boolean => a?.trim().toUpperCase() === b?.trim().toUpperCase();
const differ = (a: string | null, b: string | null): boolean => Boolean(a?.trim() && b?.trim() && !same(a, b));

/** Really another first payer: company (or its code) or plan are told both times and disagree. */
export function isOtherPayer(before: Payer | undefined, after: Payer | undefined): boolean {
  if (!before || !after) return false;
  if (differ(before.plan, after.plan)) return true;
  if (before.code && same(before.code, after.code)) return false;
  return before.company && after.company ? differ(before.company, after.company) : differ(before.code, after.code);
}

export const payerName = (payer: Payer | undefined): string | null =>
  payer?.company ?? payer?.plan ?? payer?.code ?? null;

/** Another unit or facility; another room or bed of the same unit is not. Silence and unknown origin are no move. */
export function isOtherUnit(before: Location | null | undefined, after: Location | null | undefined): boolean {
  if (!before || !after) return false;
  return differ(before.pointOfCare, after.pointOfCare) || differ(before.facility, after.facility);
}
