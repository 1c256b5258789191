/**
 * Who a source patient is, as all messages of his or her facility together say: field by field the last one that speaks, in the
 * order in which they were written, so that the order of arrival does not matter.
 */
import type { PatientFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Fact } from './fold-input.ts';

/** PID without the fields that concern the record itself; a field that nobody told is absent. */
export type Demographics = Omit<PatientFacts, 'recordNumber' | 'identifiers' | 'deceased' | 'deceasedAt'>;

export interface FoldedDemographics {
  demographics: Demographics;
  /** PID-30 said so once: only a person may take it back (domain rules, section 8). */
  deceased: boolean;
  /** YYYY-MM-DD */
  deceasedOn: string | null;
}

const FIELDS = [
  'name',
  'birthDate',
  'sex',
  'address',
  'phones',
  'email',
  'ssnLast4',
  'medicareId',
  'memberIds',
] as const;

/** `facts`: those of one record number, in any order. */
export function foldDemographics(facts: readonly Fact[]): FoldedDemographics {
  const demographics: Record<string, unknown> = {};
  let deceased = false;
  let deceasedOn: string | null = null;
  for (const { adt } of [...facts].sort(byWriting)) {
    for (const field of FIELDS) {
      const value = adt.patient[field];
      if (value === null) delete demographics[field];
      else if (value !== undefined) demographics[field] = value;
    }
    if (adt.patient.deceased) {
      deceased = true;
      deceasedOn = adt.patient.deceasedAt?.localDate ?? deceasedOn;
    }
  }
  return { demographics: demographics, deceased, deceasedOn };
}

function byWriting(a: Fact, b: Fact): number {
  return (
    compare(a.adt.sentAt?.instant ?? '', b.adt.sentAt?.instant ?? '') ||
    compare(a.adt.controlId, b.adt.controlId) ||
    compare(a.adt.contentHash, b.adt.contentHash)
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
