import type { PatientFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Demographics } from './demographics.ts';

/** The content of `source_patients.demographics`: the folded patient facts, without fields that no message has sent. */
export type SourceDemographics = Partial<Omit<PatientFacts, 'recordNumber' | 'identifiers'>>;

/** Returns the demographics that a facility's messages state, in the form that is compared. */
export function demographicsOfSource(patient: SourceDemographics): Demographics {
  const { name, address } = patient;
  return {
    family: name?.family ?? null,
    formerFamilies: patient.formerFamilies ?? [],
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
