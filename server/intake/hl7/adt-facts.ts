/**
 * What one ADT message says, freed of its format. Pure data: the parser makes it, the fold and the matcher read it.
 * Nothing here depends on when the message arrived, but for what it says of its own future.
 */
import type { Setting } from '#contract/event-codes.ts';

/**
 * A point in time as the sender wrote it.
 * `instant` is ISO 8601 in UTC with seconds ('2026-11-21T15:42:00Z'); where the sender gave only a day, it is local midnight.
 * `localDate` is the calendar day at the facility.
 */
export interface Moment {
  instant: string;
  localDate: string;
  precision: 'day' | 'minute' | 'second';
}

/** An identifier with the authority that issued it: PID-3 CX components 1, 4 and 5. */
export interface Identifier {
  value: string;
  authority: string | null;
  type: string | null;
}

export interface PersonName {
  family: string;
  given: string;
  middle: string | null;
  suffix: string | null;
}

export interface Address {
  line1: string | null;
  line2: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
}

/**
 * Demographics of PID. `undefined` means that the message is silent (no change), `null` that the sender deletes the value
 * (HL7 v2 chapter 2: two double quotes).
 */
export interface PatientFacts {
  /** The facility's record number: what identifies the source patient. */
  recordNumber: string;
  /** Who gave the record number (PID-3.4), as sent; absent where the message does not say. */
  recordAuthority?: string;
  /** All identifiers of PID-3 (and PID-2, PID-4), the record number among them. */
  identifiers: Identifier[];
  name?: PersonName | null;
  /** YYYY-MM-DD */
  birthDate?: string | null;
  sex?: 'Male' | 'Female' | 'Other' | 'Unknown' | null;
  address?: Address | null;
  phones?: string[];
  email?: string | null;
  ssnLast4?: string | null;
  /** Medicare beneficiary identifier. */
  medicareId?: string | null;
  memberIds?: Identifier[];
  /** PID-30 / PID-29. */
  deceased?: boolean | null;
  deceasedAt?: Moment | null;
}

export interface Provider {
  npi: string | null;
  localId: string | null;
  family: string;
  given: string;
}

export interface Diagnosis {
  code: string;
  description: string | null;
  /** DG1-6: admitting, working or final. */
  type: 'A' | 'W' | 'F' | null;
  /** DG1-15, 1 is the principal one. */
  priority: number | null;
  codeSystem: string | null;
}

export interface Payer {
  code: string | null;
  company: string | null;
  plan: string | null;
  memberId: string | null;
}

export interface Location {
  /** PV1-3.1 */
  pointOfCare: string | null;
  room: string | null;
  bed: string | null;
  /** PV1-3.4, the feed's identifier of the facility. */
  facility: string | null;
}

/** PV1 / PV2 / DG1 / IN1. As in PatientFacts, `undefined` is silence and `null` is deletion. */
export interface VisitFacts {
  /** PV1-19 */
  visitNumber?: string;
  /** PID-18 */
  accountNumber?: string;
  /** PV1-50 */
  alternateVisitId?: string;
  admittedAt?: Moment | null;
  dischargedAt?: Moment | null;
  /** PV1-2 through the feed's class map; UNKNOWN where the code has no mapping. */
  setting?: Setting;
  /** The class code as sent. */
  classCode?: string;
  location?: Location | null;
  priorLocation?: Location | null;
  attending?: Provider | null;
  /** PV1-14, as sent, and what the feed's map makes of it. */
  admitSource?: string | null;
  /** PV1-36 through the feed's map: a two-digit UB-04 code, or the local text where it has none. */
  disposition?: string | null;
  /** PV1-37.1 */
  dischargedTo?: string | null;
  /** PV2-3 */
  admitReason?: string | null;
  /** PV1-4 */
  admissionType?: string | null;
  /** PV2-9 */
  expectedDischargeAt?: Moment | null;
  /** PV2-10, in whole days from the admission. */
  estimatedDays?: number | null;
  diagnoses?: Diagnosis[];
  payers?: Payer[];
}

/** MRG and the older two-patient forms: what the message's patient or visit replaces or takes over. */
export interface MergeFacts {
  /** MRG-1: the record number that gives way. */
  priorRecordNumber: string | null;
  /** MRG-1.4; absent where the message does not say. */
  priorRecordAuthority?: string;
  /** MRG-3 */
  priorAccountNumber: string | null;
  /** MRG-5 */
  priorVisitNumber: string | null;
}

/** The times of a message by which its event can be dated: EVN-6, PV1-44, PV1-45, EVN-2, MSH-7. */
export type TimeField = 'occurred' | 'admitted' | 'discharged' | 'recorded' | 'sent';

/** One ADT message (or manual entry) as facts. */
export interface AdtFacts {
  /** MSH-9.2 / EVN-1, e.g. 'A01'. */
  trigger: string;
  /** MSH-10 */
  controlId: string;
  /** MSH-7; orders messages that share an event time. Null where unreadable. */
  sentAt: Moment | null;
  /** EVN-2 */
  recordedAt: Moment | null;
  /** EVN-6: when it happened. May be stale or shared by all messages of a visit, see `encounters/event-time.ts`. */
  occurredAt: Moment | null;
  /** PV1-3.4 or EVN-7 or MSH-4, the identifier that a feed's facility table knows. */
  facilityIdentifier: string;
  patient: PatientFacts;
  /** A second patient: A17 swap, A24 link. */
  otherPatient?: PatientFacts;
  visit: VisitFacts | null;
  merge: MergeFacts | null;
  /** There only where times of the message lie in its future (`disbelief.ts`): which, and when it came. */
  disbelieved?: { fields: TimeField[]; receivedAt: Moment };
  /** SHA-256 (hex) of the message's text, and of the place of these facts in it past the first: the last tie-breaker of any order. */
  contentHash: string;
}
