/** Who is to be identified: a facility's patient or a row of a roster, and what is known of him or her. */
import type { PatientFacts } from '#server/intake/hl7/adt-facts.ts';
import { type Demographics, type NormalizedDemographics, normalize } from '#server/record/scoring/demographics.ts';

export type SubjectKind = 'SOURCE_PATIENT' | 'ROSTER_PATIENT';

/** A row of `source_patients` or `roster_patients`. */
export interface Subject {
  kind: SubjectKind;
  id: string;
}

/** One text for a subject, to be a key of maps. */
export const subjectKey = ({ kind, id }: Subject): string => `${kind}:${id}`;

/** A subject as the tables have it. It holds patient data: keep it out of logs. */
export interface SubjectRecord extends Subject {
  groupId: string;
  personId: string;
  demographics: NormalizedDemographics;
}

/** What `source_patients.demographics` holds: the patient facts as folded, silent fields absent. */
export type SourceDemographics = Partial<Omit<PatientFacts, 'recordNumber' | 'identifiers'>>;

function ofSource(patient: SourceDemographics): Demographics {
  const { name, address } = patient;
  return {
    family: name?.family ?? null,
    given: name?.given ?? null,
    middle: name?.middle ?? null,
    suffix: name?.suffix ?? null,
    birthDate: patient.birthDate ?? null,
    sex: patient.sex ?? null,
    line1: [address?.line1, address?.line2].filter(Boolean).join(' ') || null,
    city: address?.city ?? null,
    state: address?.state ?? null,
    zip: address?.zip ?? null,
    phones: patient.phones ?? [],
    email: patient.email ?? null,
    ssnLast4: patient.ssnLast4 ?? null,
    medicareId: patient.medicareId ?? null,
    memberIds: (patient.memberIds ?? []).map(({ value, authority }) => ({ value, payer: authority })),
  };
}

/** Columns of `roster_patients` in the words of the matcher, as `queries.ts` selects them. */
type RosterDemographics = Omit<Demographics, 'phones' | 'email' | 'memberIds'> & { phones: (string | null)[] };

const ofRoster = (row: RosterDemographics): Demographics => ({
  ...row,
  phones: row.phones.filter((phone) => phone !== null),
  email: null,
  // A list's own numbers have no payer that a message would name.
  memberIds: [],
});

/** A row as `queries.ts` selects it. */
export type SubjectRow = { id: string; groupId: string; personId: string } & (
  | { kind: 'SOURCE_PATIENT'; demographics: SourceDemographics }
  | { kind: 'ROSTER_PATIENT'; demographics: RosterDemographics }
);

export function toRecord(row: SubjectRow): SubjectRecord {
  const raw = row.kind === 'SOURCE_PATIENT' ? ofSource(row.demographics) : ofRoster(row.demographics);
  return { kind: row.kind, id: row.id, groupId: row.groupId, personId: row.personId, demographics: normalize(raw) };
}
