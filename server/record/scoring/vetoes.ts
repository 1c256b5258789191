import { type Comparison, compare } from './comparison.ts';
import type { NormalizedDemographics } from './demographics.ts';
import { UNNAMED_NEWBORN } from './names.ts';

/**
 * What prevents an automatic link, whatever the probability. A `contradiction` is a fact that rules the match out: a weak
 * match is dropped, and a strong one goes to review. A `doubt` may be a typing error or a sibling, so a reviewer decides.
 * Reasons are worded for reviewers and contain no patient data. Death is not a veto, because messages about a stay often
 * arrive after it.
 */
export const VETOES = {
  'birth-date-differs': { kind: 'contradiction', reason: 'Different dates of birth.' },
  'birth-date-nearly-agrees': {
    kind: 'doubt',
    reason: 'The dates of birth differ by one digit, or have month and day swapped.',
  },
  'sex-and-given-name-differ': { kind: 'contradiction', reason: 'Different sex and different first names.' },
  'sex-differs': { kind: 'doubt', reason: 'Different sex, and the first names are not spelled the same.' },
  'given-name-differs': { kind: 'doubt', reason: 'Different first names: possibly a sibling or twin.' },
  'unnamed-newborn': { kind: 'doubt', reason: 'Newborn without a first name: possibly a twin.' },
  'generation-differs': { kind: 'contradiction', reason: 'Different name suffixes (Jr., Sr., III).' },
  'ssn4-differs': { kind: 'doubt', reason: 'Different last four digits of the Social Security number.' },
  'medicare-id-differs': { kind: 'doubt', reason: 'Different Medicare numbers (MBI).' },
  'household-twin': {
    kind: 'doubt',
    reason: 'Someone else in the same household has the same last name and date of birth: possibly a twin.',
  },
  'record-number-contradicted': {
    kind: 'contradiction',
    reason: 'This record number is already linked to someone whose name or date of birth is different.',
  },
} as const;
export type VetoId = keyof typeof VETOES;

export const isContradiction = (veto: VetoId): boolean => VETOES[veto].kind === 'contradiction';

/** Returns the vetoes that follow from the two records alone. */
export function pairVetoes(a: NormalizedDemographics, b: NormalizedDemographics, levels: Comparison): VetoId[] {
  const vetoes: VetoId[] = [];
  const { given, sex, birthDate } = levels;
  if (birthDate === 'differs') vetoes.push('birth-date-differs');
  if (birthDate === 'fuzzy') vetoes.push('birth-date-nearly-agrees');
  if (sex === 'differs' && given === 'differs') vetoes.push('sex-and-given-name-differ');
  else if (sex === 'differs' && given !== 'exact') vetoes.push('sex-differs');
  else if (given === 'differs') vetoes.push('given-name-differs');
  if (a.given === UNNAMED_NEWBORN || b.given === UNNAMED_NEWBORN) vetoes.push('unnamed-newborn');
  if (levels.suffix === 'differs') vetoes.push('generation-differs');
  if (levels.ssnLast4 === 'differs') vetoes.push('ssn4-differs');
  if (levels.medicareId === 'differs') vetoes.push('medicare-id-differs');
  return vetoes;
}

/** Whether the two have the same family name and birth date, and share an address, phone, email or member ID. */
export function couldBeTwins(person: NormalizedDemographics, other: NormalizedDemographics): boolean {
  if (person.birthDate === null || person.birthDate !== other.birthDate) return false;
  const { family, street, phone, email, memberId } = compare(person, other);
  if (family !== 'exact' && family !== 'fuzzy') return false;
  return street === 'exact' || street === 'fuzzy' || [phone, email, memberId].includes('exact');
}
