import { type Comparison, compare } from './comparison.ts';
import type { NormalisedDemographics } from './demographics.ts';
import { UNNAMED_NEWBORN } from './names.ts';

/**
 * What stops an automatic link, whatever the probability. `contradiction`: a fact about the person speaks against it,
 * so that a weak agreement is dropped and a strong one goes to review. `doubt`: a number may be mistyped or a sibling
 * meant; a person decides. Reasons are shown to reviewers and hold no patient data. Death is no veto: messages of a stay
 * often come after it.
 */
export const VETOES = {
  'birth-date-differs': { kind: 'contradiction', reason: 'The birth dates differ.' },
  'birth-date-nearly-agrees': {
    kind: 'doubt',
    reason: 'The birth dates differ by one digit, or day and month are swapped.',
  },
  'sex-and-given-name-differ': { kind: 'contradiction', reason: 'Sex and given name both differ.' },
  'sex-differs': { kind: 'doubt', reason: 'The sex differs and the given names are not the same word.' },
  'given-name-differs': { kind: 'doubt', reason: 'The given names differ: a sibling or a twin may be meant.' },
  'unnamed-newborn': { kind: 'doubt', reason: 'A newborn without a name: a twin may be meant.' },
  'generation-differs': { kind: 'contradiction', reason: 'The generations (Jr., Sr., III) differ.' },
  'ssn4-differs': { kind: 'doubt', reason: 'The last four digits of the social security number differ.' },
  'medicare-id-differs': { kind: 'doubt', reason: 'The Medicare identifiers differ.' },
  'household-twin': {
    kind: 'doubt',
    reason: 'Another person has the same family name and birth date in the same household.',
  },
  'record-number-contradicted': {
    kind: 'contradiction',
    reason: 'The record number is known, but name or birth date contradict it.',
  },
} as const;
export type VetoId = keyof typeof VETOES;

export const isContradiction = (veto: VetoId): boolean => VETOES[veto].kind === 'contradiction';

/** The vetoes that a pair alone gives rise to. */
export function pairVetoes(a: NormalisedDemographics, b: NormalisedDemographics, levels: Comparison): VetoId[] {
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

/** True when `other` has the family name and birth date of `person` and shares address, phone, e-mail or member id. */
export function couldBeTwins(person: NormalisedDemographics, other: NormalisedDemographics): boolean {
  if (person.birthDate === null || person.birthDate !== other.birthDate) return false;
  const { family, street, phone, email, memberId } = compare(person, other);
  if (family !== 'exact' && family !== 'fuzzy') return false;
  return street === 'exact' || street === 'fuzzy' || [phone, email, memberId].includes('exact');
}
