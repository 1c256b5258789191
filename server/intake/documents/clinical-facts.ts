/** A clinical document → what it says about its patient and its visit, in the form in which messages say it. */
import { hash } from 'node:crypto';
import type { DocumentHeader, DocumentIdentifier } from '#contract/clinical-documents.ts';
import type { FeedSettings } from '#contract/feed-settings.ts';
import type { AdtFacts, Moment, PatientFacts } from '#server/intake/hl7/adt-facts.ts';
import { isPlaceholder, ssnLast4 } from '#server/intake/hl7/identifiers.ts';
import { readMoment } from '#server/intake/hl7/time.ts';

/** The OID of social security numbers. */
const SSN = '2.16.840.1.113883.4.1';
/** OIDs of numbers that other authorities issue: Medicare beneficiaries, driver's licenses, NPIs. */
const NOT_A_RECORD_NUMBER = /^2\.16\.840\.1\.113883\.(4\.(1|572|927|6)|4\.3\..*|3\.551)$/;
/** As long as a component of HL7 may be. */
const LONGEST = 250;

/** Returns the facts about the patient, or why it is unknown who that is. */
export function patientOf({ patient }: DocumentHeader): PatientFacts | { reason: string } {
  if (patient.isOneOfSeveral) return { reason: SEVERAL };
  const numbers = patient.identifiers.filter(isRecordNumber);
  const recordNumber = numbers[0]?.value ?? numberOfDescribed(patient);
  if (recordNumber === null) {
    const what = 'recordTarget/patientRole has no record number (id with an extension), and no name with a birth date';
    return { reason: `${what}, so the patient is unknown. Correct the document, then send it again.` };
  }
  const ssn = patient.identifiers.find(({ root }) => root === SSN)?.value;
  return {
    recordNumber,
    identifiers: numbers.map(({ root, value }) => ({ value: value ?? '', authority: root, type: null })),
    ...(patient.name && { name: patient.name }),
    ...(patient.birthDate && { birthDate: patient.birthDate }),
    ...(patient.sex && { sex: patient.sex }),
    ...(patient.address && { address: patient.address }),
    ...(patient.phones.length > 0 && { phones: patient.phones }),
    ...(ssn && { ssnLast4: ssnLast4(ssn) }),
  };
}

const SEVERAL =
  'The document is about more than one patient (recordTarget), so it belongs to none of them. Send a document for each.';

const isRecordNumber = ({ root, value }: DocumentIdentifier): boolean =>
  value !== null &&
  value.length <= LONGEST &&
  !NOT_A_RECORD_NUMBER.test(root) &&
  !isPlaceholder({ value, authority: root, type: null });

/**
 * Some systems send no record number. The person whom the document describes then has one that follows from name, birth date and sex, so that
 * the next document is about the same patient; who that is, matching decides.
 */
function numberOfDescribed({ name, birthDate, sex }: DocumentHeader['patient']): string | null {
  if (name === null || name.family === '' || name.given === '' || birthDate === null) return null;
  const described = [name.family, name.given, birthDate, sex ?? ''].join('|').toUpperCase();
  return `DOC-${hash('sha256', described, 'hex').slice(0, 16)}`;
}

/** Returns an id as one text. */
export const numberOf = (id: DocumentIdentifier | null): string | null =>
  id && (id.value === null ? id.root : `${id.root}^${id.value}`);

/** Returns a time of a document as a moment; without an offset it is local to the feed. */
export function momentOf(written: string | null, { timeZone }: Pick<FeedSettings, 'timeZone'>): Moment | null {
  const digits = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?:([+-]\d\d):(\d\d))?)?$/.exec(written ?? '');
  if (!digits) return null;
  return readMoment(digits.slice(1).filter(Boolean).join(''), { timeZone, dateOrder: null }).moment ?? null;
}

/** Returns the numbers of the encounter that the document belongs to. */
export const visitNumbersOf = ({ encounter }: DocumentHeader): string[] =>
  (encounter?.identifiers ?? []).flatMap(({ value }) => (value !== null && value.length <= LONGEST ? [value] : []));

/** Returns the facts of a document. They describe the patient, and no visit: a document is no event. */
export function factsOf(
  patient: PatientFacts,
  common: Pick<AdtFacts, 'controlId' | 'sentAt' | 'facilityIdentifier' | 'contentHash'>,
): AdtFacts {
  return { ...common, trigger: 'DOCUMENT', recordedAt: null, occurredAt: null, patient, visit: null, merge: null };
}
