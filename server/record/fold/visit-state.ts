/**
 * The state of a visit and how a fact changes it. For each field the last fact in event order wins; an absent value keeps what was
 * there, and `""` deletes it.
 */
import type { EventCode, Setting } from '#contract/event-codes.ts';
import type { Diagnosis, Location, Moment, Payer, Provider, VisitFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Fact, FoldFacility } from './fold-input.ts';

/** CANCELLED: the whole visit was retracted. An encounter of one event (VISIT, an outpatient registration) is FINISHED at once. */
export type VisitStatus = 'PLANNED' | 'IN_PROGRESS' | 'ON_LEAVE' | 'FINISHED' | 'CANCELLED';

/** `to` is null if no return was reported: the patient is away, or was until the stay ended. */
export interface LeaveSpan {
  from: Moment;
  to: Moment | null;
}

/** A diagnosis of the visit. Days (YYYY-MM-DD) are those of the messages; absent in visits from before they were kept. */
export interface KnownDiagnosis extends Diagnosis {
  /** Since when it has its type. */
  since?: string | undefined;
  /** The types that it had before, oldest first. */
  before?: readonly { type: NonNullable<Diagnosis['type']>; since: string }[] | undefined;
}

export interface VisitState {
  status: VisitStatus;
  /** Of a canceled visit: it was planned, and nobody had arrived. */
  onlyPlanned?: boolean | undefined;
  /** Of a canceled visit: a merge moved all of it to another visit, so that nothing of it is left here. */
  isMerged?: boolean | undefined;
  setting: Setting;
  location: Location | null;
  /** PV1-44, else the time of the first event that begins the visit. */
  admittedAt: Moment | null;
  /** When the patient came, if that was before `admittedAt`: in the ED or under observation. The length of stay counts from it. */
  arrivedAt?: Moment | undefined;
  /** When an outpatient who was admitted later was registered. It begins neither the stay nor its length. */
  registeredAt?: Moment | undefined;
  /** Of an outpatient who came on several days under one number, or is a recurring patient: on how many days so far, and the last of them (`series.ts`). */
  series?: { contacts: number; lastAt: Moment } | undefined;
  /** An answer by a link ended the stay, and the facility's own system has not: in the facility's own lists it goes on. */
  endedByLink?: true | undefined;
  /** Null while in progress, and if the end is unknown (CLOSED). */
  dischargedAt: Moment | null;
  /** Leaves of absence in order; absent if there were none. Only the last one may have no end. */
  leaves?: readonly LeaveSpan[] | undefined;
  /** Events (`datedKey`) with the time at which their message was received, because the sender's can't be read or lies in its future. */
  datedByReceipt?: readonly string[] | undefined;
  attending: Provider | null;
  admitSource: string | null;
  admissionType: string | null;
  disposition: string | null;
  /** PV1-37, or what staff entered. */
  dischargedTo: string | null;
  /** The group id of the facility of the feed that the patient was transferred to. Who may learn its name is decided when it is read. */
  transferredTo?: string | undefined;
  admitReason: string | null;
  expectedDischargeAt: Moment | null;
  /** PV2-10. Gives the expected discharge if PV2-9 is absent (`expected-stay.ts`). */
  estimatedDays: number | null;
  /** One per code, the newest set first. A final diagnosis stays final. */
  diagnoses: KnownDiagnosis[];
  /** The stay began in another class, and only its discharge says that the patient was an inpatient: no message says since when. */
  isInpatientUndated?: boolean | undefined;
  /** DRG-1 or DG1-8; absent in visits from before it was read, and if no message has it. */
  drg?: string | null | undefined;
  payers: Payer[];
  /** Once set, no message takes it back: a person has to (flag DEATH_CONTRADICTED). */
  deceased: boolean;
  deceasedAt: Moment | null;
  /** The DECEASED event has the time of the message that reported the death: no message says when the patient died. */
  isDeathDatedByReport?: boolean | undefined;
  /** Later messages put the death in doubt (`deaths-taken-back.ts`). */
  deathDenied?: boolean | undefined;
  /** The sender only took its word back (PID-30 ""), and doesn't say that the patient lives. */
  deathWithdrawn?: boolean | undefined;
}

/** Names an event by what the page shows of it. `instant`: ISO 8601, to the second. */
export const datedKey = (code: EventCode, instant: string): string => `${code} ${instant.slice(0, 19)}`;

/** Returns when a visit that is over ended, as far as is known: a series with its last contact. */
export function lastKnownOf({ dischargedAt, series }: Pick<VisitState, 'dischargedAt' | 'series'>): Moment | null {
  if (!series) return dischargedAt;
  return dischargedAt && dischargedAt.instant > series.lastAt.instant ? dischargedAt : series.lastAt;
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

const COPIED_FIELDS = [
  'location',
  'admittedAt',
  'attending',
  'admitSource',
  'admissionType',
  'admitReason',
  'expectedDischargeAt',
  'estimatedDays',
  'drg',
] as const;

/** `day`: of the message. Copies the fields that any message may set. Setting and discharge aren't among them: only certain triggers change those. */
export function writeFields(state: VisitState, visit: VisitFacts, day: string): void {
  for (const field of COPIED_FIELDS) {
    const value = visit[field];
    if (value !== undefined) Object.assign(state, { [field]: value });
  }
  if (visit.payers?.length) state.payers = visit.payers;
  if (visit.diagnoses?.length) state.diagnoses = mergeDiagnoses(state.diagnoses, visit.diagnoses, day);
}

/**
 * A message has all diagnoses that its sender knows then (snapshot mode, HL7 v2.5.1 2.10.4), the principal one first where none has a priority.
 * A final set replaces the final diagnoses before; admitting and working ones are kept after it, since many senders leave them out. A set
 * without a final diagnosis, after one with, adds to it. A diagnosis that becomes final keeps that it was the admitting or working one.
 */
function mergeDiagnoses(
  known: readonly KnownDiagnosis[],
  reported: readonly Diagnosis[],
  day: string,
): KnownDiagnosis[] {
  const isFinalSet = reported.some(isFinal);
  const isOlder = !isFinalSet && known.some(isFinal);
  const before = new Map(known.map((diagnosis) => [diagnosisKey(diagnosis), diagnosis]));
  const merged = new Map<string, KnownDiagnosis>();
  for (const each of reported) {
    const key = diagnosisKey(each);
    const twice = merged.get(key);
    // One message may have the same code as the admitting and as the final diagnosis.
    if (twice && isFinal(twice) && !isFinal(each)) continue;
    merged.set(key, withDetails(each, twice ?? before.get(key), { isOlder, day }));
  }
  if (isOlder) return [...new Map([...before, ...merged]).values()];
  const kept = known.filter((each) => !merged.has(diagnosisKey(each)) && !(isFinalSet && isFinal(each)));
  return [...merged.values(), ...kept];
}

const isFinal = ({ type }: Diagnosis): boolean => type === 'F';

/** `isOlder`: a set without a final diagnosis, after one with. */
function withDetails(
  reported: Diagnosis,
  before: KnownDiagnosis | undefined,
  { isOlder, day }: { isOlder: boolean; day: string },
): KnownDiagnosis {
  const type = before?.type === 'F' ? 'F' : (reported.type ?? before?.type ?? null);
  return {
    code: before?.code ?? reported.code,
    description: reported.description ?? before?.description ?? null,
    type,
    priority: isOlder ? (reported.priority ?? before?.priority ?? null) : reported.priority,
    codeSystem: reported.codeSystem ?? before?.codeSystem ?? null,
    ...typesOf(type, before, day),
  };
}

function typesOf(
  type: Diagnosis['type'],
  before: KnownDiagnosis | undefined,
  day: string,
): Pick<KnownDiagnosis, 'since' | 'before'> {
  const { type: had = null, since = day, before: earlier = [] } = before ?? {};
  const isSame = before !== undefined && had === type;
  const types = isSame || had === null ? earlier : [...earlier, { type: had, since }];
  return { since: isSame ? since : day, ...(types.length > 0 && { before: types }) };
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
/** These also treat outpatients, whose visits are not stays. */
const WITH_OUTPATIENTS = new Set<FoldFacility['facilityType']>(['SNF', 'LTAC', 'REHAB_HOS']);

/**
 * Returns the setting that a fact reports, undefined if PV1-2 is absent or has no mapping. Outside hospitals the facility's type
 * decides, because their senders often send class I for everyone.
 */
export function settingOf(fact: Fact, facility: FoldFacility): Setting | undefined {
  const reported = fact.adt.visit?.setting;
  const fixed = SETTING_OF_FACILITY[facility.facilityType];
  if (fixed && !(reported === 'OUTPATIENT' && WITH_OUTPATIENTS.has(facility.facilityType))) return fixed;
  return reported === 'UNKNOWN' ? undefined : reported;
}

/** Whether the patient is there, or on leave from there. */
export const isOpenStatus = (status: VisitStatus): boolean => status === 'IN_PROGRESS' || status === 'ON_LEAVE';

/** Whether the setting is one of single visits, not of stays. */
export const isOutpatient = ({ setting }: Pick<VisitState, 'setting'>): boolean =>
  setting === 'OUTPATIENT' || setting === 'URGENT_CARE';

/** Whether the account ends when its patient is admitted: in the ED or under observation. */
export const isBeforeAdmission = (setting: Setting): boolean => setting === 'EMERGENCY' || setting === 'OBSERVATION';

/** Returns the event for an arrival in this setting; null for a registration that creates none. */
export function arrivalCode(trigger: string, setting: Setting | undefined, facility: FoldFacility): EventCode | null {
  if (facility.facilityType === 'HHA') return 'STARTED_HHA_SERVICES';
  if (setting === 'URGENT_CARE') return 'VISIT';
  if (setting === 'EMERGENCY') return 'PRESENTED';
  if (setting === 'OUTPATIENT') return facility.registrationIsVisit ? 'VISIT' : null;
  if (setting === undefined || setting === 'UNKNOWN') return trigger === 'A01' ? 'ADMIT' : null;
  return 'ADMIT';
}

/** Returns the event for the end of a stay at the facility. */
export const endCode = ({ facilityType }: FoldFacility): EventCode =>
  facilityType === 'HHA' ? 'ENDED_HHA_SERVICES' : 'DISCHARGE';

/** UB-04 discharge status of a patient who was admitted as an inpatient where they were in the ED or under observation. */
export const ADMITTED_HERE = '09';
/** UB-04 discharge status "still a patient", which contradicts a discharge. */
export const STILL_PATIENT = '30';

const same = (a: string | null, b: string | null): boolean => a?.trim().toUpperCase() === b?.trim().toUpperCase();
const differ = (a: string | null, b: string | null): boolean => Boolean(a?.trim() && b?.trim() && !same(a, b));

/** Whether the first payer changed: company (or its code) or plan are present both times and differ. */
export function isOtherPayer(before: Payer | undefined, after: Payer | undefined): boolean {
  if (!before || !after) return false;
  if (differ(before.plan, after.plan)) return true;
  if (before.code && same(before.code, after.code)) return false;
  return before.company && after.company ? differ(before.company, after.company) : differ(before.code, after.code);
}

export const payerName = (payer: Payer | undefined): string | null =>
  payer?.company ?? payer?.plan ?? payer?.code ?? null;

/** Whether unit or facility changed. Another bed in the same unit is no move, nor is a change from or to an unknown place. */
export function isOtherUnit(before: Location | null | undefined, after: Location | null | undefined): boolean {
  if (!before || !after) return false;
  return differ(before.pointOfCare, after.pointOfCare) || differ(before.facility, after.facility);
}
