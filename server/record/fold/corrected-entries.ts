/** What staff corrected about a patient whom they had entered by hand. */
import type { PatientFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Fact } from './fold-input.ts';
import { byTimeWritten } from './folded-demographics.ts';

/**
 * Returns the facts with each corrected entry describing the patient as the last correction does. The entry itself would describe someone else:
 * another name and another birth date under one record number are another person (`number-holders.ts`).
 */
export function corrected(facts: readonly Fact[]): readonly Fact[] {
  const corrections = facts.filter(({ adt }) => adt.correction);
  if (corrections.length === 0) return facts;
  const patientOf = new Map<string, PatientFacts>();
  for (const { adt } of corrections.sort(byTimeWritten)) {
    for (const controlId of adt.correction?.of ?? []) patientOf.set(controlId, adt.correction?.patient ?? adt.patient);
  }
  return facts.map((fact) => {
    const patient = fact.adt.trigger === 'MANUAL' ? patientOf.get(fact.adt.controlId) : undefined;
    return patient ? { ...fact, adt: { ...fact.adt, patient: { ...patient, ...numbersOf(fact) } } } : fact;
  });
}

/** A correction never changes whose record it is. */
const numbersOf = ({ adt: { patient } }: Fact) => ({
  recordNumber: patient.recordNumber,
  identifiers: patient.identifiers,
});
