/**
 * What an ADT message says, independent of its format. The parser makes these facts; the fold and the matcher read them. They don't depend
 * on when the message arrived, except for the marks on times in the future.
 */
import type { Setting } from '#contract/event-codes.ts';
import type { Relationship } from '#contract/relationships.ts';

/**
 * A point in time as the sender wrote it. `instant` is ISO 8601 in UTC with seconds ('2026-11-21T15:42:00Z'); for a day without a time, it
 * is local midnight. `localDate` is the calendar day at the facility.
 */
export interface Moment {
  instant: string;
  localDate: string;
  precision: 'day' | 'minute' | 'second';
  /** The sender wrote 00:00, which often stands for a day without a time. */
  isMidnight?: true;
  /** The clock showed this time twice, and the sender wrote no offset: it is read as the first pass, and may be the second. */
  isFirstPass?: true;
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
 * Demographics from PID. `undefined` means that the message doesn't say (no change), `null` that the sender deletes the value (two double
 * quotes, HL7 v2 chapter 2).
 */
export interface PatientFacts {
  /** The facility's record number, which identifies the source patient. */
  recordNumber: string;
  /** The authority that issued the record number (PID-3.4), as sent; absent if the message doesn't say. */
  recordAuthority?: string;
  /** All identifiers from PID-3, PID-2 and PID-4, including the record number. */
  identifiers: Identifier[];
  name?: PersonName | null;
  /** Family names that the person has or had besides `name`: maiden names, names at birth, aliases. At most 10, as sent. */
  formerFamilies?: string[] | null;
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
  /** The death follows from PID-29 alone: PID-30 says nothing. */
  isDeathByDate?: true;
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
  /** DG1-15; 1 is the principal diagnosis. */
  priority: number | null;
  codeSystem: string | null;
}

export interface Payer {
  code: string | null;
  company: string | null;
  plan: string | null;
  memberId: string | null;
  /** IN1-2.1, if IN1-2.2 has the name of the plan. */
  planCode?: string;
  /** IN1-15, as sent. */
  type?: string;
}

export interface Location {
  /** PV1-3.1 */
  pointOfCare: string | null;
  room: string | null;
  bed: string | null;
  /** PV1-3.4, the sender's identifier of the facility. */
  facility: string | null;
}

/** PV1, PV2, DG1, DRG and IN1. As in PatientFacts, `undefined` means no change and `null` deletion. */
export interface VisitFacts {
  /** PV1-19 */
  visitNumber?: string;
  /** PID-18 */
  accountNumber?: string;
  /** PV1-50 */
  alternateVisitId?: string;
  admittedAt?: Moment | null;
  dischargedAt?: Moment | null;
  /** PV1-2 through the feed's class map and observation codes; UNKNOWN for a code without a mapping. */
  setting?: Setting;
  /** The class code as sent. */
  classCode?: string;
  /** PV1-10, as sent. */
  hospitalService?: string;
  /** PV1-18, as sent. */
  patientType?: string;
  /** PV1-39: the facility, where no other field names one that the feed lists. */
  servicingFacility?: string;
  location?: Location | null;
  priorLocation?: Location | null;
  attending?: Provider | null;
  /** PV1-14, as sent. */
  admitSource?: string | null;
  /** PV1-36 through the feed's map: a two-digit UB-04 code, or the text as sent if the map has no entry. */
  disposition?: string | null;
  /** PV1-37.1 */
  dischargedTo?: string | null;
  /** PV2-3 */
  admitReason?: string | null;
  /** PV1-4 */
  admissionType?: string | null;
  /** PV2-9 */
  expectedDischargeAt?: Moment | null;
  /** PV2-10, in whole days from admission. */
  estimatedDays?: number | null;
  diagnoses?: Diagnosis[];
  /** DRG-1 or DG1-8: the diagnosis related group, as sent. */
  drg?: string | null;
  payers?: Payer[];
}

/** MRG: the record, account or visit that is merged into the message's patient or visit, or moved to it. */
export interface MergeFacts {
  /** MRG-1: the record number that is merged. */
  priorRecordNumber: string | null;
  /** MRG-1.4; absent if the message doesn't say. */
  priorRecordAuthority?: string;
  /** MRG-3 */
  priorAccountNumber: string | null;
  /** MRG-5 */
  priorVisitNumber: string | null;
}

/** The times that can date a message's event: EVN-6, PV1-44, PV1-45, EVN-2, MSH-7; and a death, PID-29. */
export type TimeField = 'occurred' | 'admitted' | 'discharged' | 'recorded' | 'sent' | 'died';

/** One ADT message (or manual entry) as facts. */
export interface AdtFacts {
  /** MSH-9.2 / EVN-1, e.g. 'A01'. */
  trigger: string;
  /** MSH-10 */
  controlId: string;
  /** MSH-7; orders messages with the same event time. Null if unreadable. */
  sentAt: Moment | null;
  /** EVN-2 */
  recordedAt: Moment | null;
  /** EVN-6: when it happened. Can be stale or the same in all messages of a visit: see `record/fold/event-time.ts`. */
  occurredAt: Moment | null;
  /** PV1-3.4, EVN-7 or MSH-4: the identifier to look up in the feed's facility list. */
  facilityIdentifier: string;
  patient: PatientFacts;
  visit: VisitFacts | null;
  merge: MergeFacts | null;
  /**
   * Present only if times of the message lie in its future (`future-times.ts`), or if no time of an arrival or plan can be read: which times
   * lie in the future (none for an arrival or plan without a time), and when the message came.
   */
  disbelieved?: { fields: TimeField[]; receivedAt: Moment };
  /** Manual entries only: who made the entry, and for a new patient which relationship that user attested. */
  enteredBy?: { userId: string; relationship?: Relationship };
  /** Manual entries only: the control ids of the entries of the same visit that this one replaces (MANUAL) or retracts (RETRACT). */
  retracts?: string[];
  /** On a CORRECT only: what staff corrected about the patient, and the control ids of the entries that described the patient before. */
  correction?: { of: string[]; patient: PatientFacts };
  /**
   * On a LINK, and on a DOCUMENT that came by a link: who answered which link, which organization had asked, and the content hash of a fact of the visit that the answer is about. The answer has
   * `visit.dischargedAt` if the patient was discharged; with `retracts` it takes an earlier answer back.
   */
  link?: { id: string; name: string; about: string; organization?: string };
  /** SHA-256 (hex) of the message's text and, after the first, the position of these facts in it. The last tie-breaker of every order. */
  contentHash: string;
}
