import { type Comparison, compare, compareFamily, type Level } from './comparison.ts';
import type { NormalizedDemographics } from './demographics.ts';
import { UNNAMED_NEWBORN } from './names.ts';

/**
 * What prevents an automatic link, whatever the score. A `contradiction` is a fact that rules the match out: a weak
 * match is dropped, and a strong one goes to review. A `doubt` may be a typing error or a sibling, so a reviewer decides.
 * Reasons are worded for reviewers and contain no patient data. Death is not a veto, because messages about a stay often
 * arrive after it.
 */
export const VETOES = {
  'birth-date-differs': { kind: 'doubt', reason: 'Different dates of birth.' },
  'birth-date-inexact': {
    kind: 'doubt',
    reason: 'Dates of birth are similar but not the same, and neither the home nor a phone, email or number agrees.',
  },
  'sex-and-given-name-differ': { kind: 'contradiction', reason: 'Different sex and different first names.' },
  'sex-differs': { kind: 'doubt', reason: 'Different sex, and the first names are not spelled the same.' },
  'family-name-differs': {
    kind: 'doubt',
    reason: 'Different last names, and neither the home nor a phone, email or number agrees.',
  },
  'given-name-differs': { kind: 'doubt', reason: 'Different first names: possibly a sibling or twin.' },
  'middle-name-differs': {
    kind: 'doubt',
    reason: 'Different middle names, with a first name that brothers or sisters often share.',
  },
  'no-name': { kind: 'doubt', reason: 'One of the records has no name.' },
  'unnamed-newborn': { kind: 'doubt', reason: 'Newborn without a first name: possibly a twin.' },
  'generation-differs': { kind: 'contradiction', reason: 'Different name suffixes (Jr., Sr., III).' },
  'ssn4-differs': { kind: 'doubt', reason: 'Different last four digits of the Social Security number.' },
  'medicare-id-differs': { kind: 'doubt', reason: 'Different Medicare numbers (MBI).' },
  'household-twin': {
    kind: 'doubt',
    reason: 'Someone else in the same household has the same last name and date of birth: possibly a twin.',
  },
  'listed-apart': {
    kind: 'contradiction',
    reason: 'One list has both with different member IDs, as two people.',
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
  const { given, sex } = levels;
  const isOtherName = given === 'differs' || given === 'alike';
  if (isOtherBirthDate(levels) && (isOtherName || !hasSameNumber(levels))) vetoes.push('birth-date-differs');
  else if (isOfAnotherDay(levels) && !mayShareHome(levels) && !hasSameContact(levels) && !hasSameNumber(levels))
    vetoes.push('birth-date-inexact');
  if (sex === 'differs' && isOtherName) vetoes.push('sex-and-given-name-differ');
  else if (sex === 'differs' && given !== 'exact') vetoes.push('sex-differs');
  else if (isOtherName && (levels.family === 'differs' || !hasSameNumber(levels))) vetoes.push('given-name-differs');
  if (levels.family === 'differs' && !mayShareHome(levels) && !hasSameContact(levels) && !hasSameNumber(levels))
    vetoes.push('family-name-differs');
  if (isFirstOfTwo(a.givenWhole) && given === 'exact' && levels.middle === 'differs' && !hasSameNumber(levels))
    vetoes.push('middle-name-differs');
  if (levels.given === 'missing' && levels.family === 'missing') vetoes.push('no-name');
  if (a.given === UNNAMED_NEWBORN || b.given === UNNAMED_NEWBORN) vetoes.push('unnamed-newborn');
  if (levels.suffix === 'differs') vetoes.push('generation-differs');
  if (levels.medicareId === 'differs') vetoes.push('medicare-id-differs');
  return vetoes;
}

/** First names that are given to several children of one family, with another second name each. */
const FIRST_OF_TWO = new Set(
  'ABDUL ANA ANNA ANH JOSE JUAN LUIS MARIA MARIE MARY MOHAMED MOHAMMAD MOHAMMED MUHAMMAD NGOC THI VAN XIAO'.split(' '),
);
const isFirstOfTwo = (given: string): boolean => FIRST_OF_TWO.has(given);

export const isOtherBirthDate = ({ birthDate }: Comparison): boolean =>
  birthDate === 'differs' || birthDate === 'generation';

/**
 * Whether one of two similar birth dates would have to be a typing error. The CMS proposal (v3.4.0, Table 3) takes birth dates exactly; a rare
 * name in one ZIP code is shared by cousins, so that only what belongs to a home or a person makes up for it.
 */
const isOfAnotherDay = ({ birthDate }: Comparison): boolean => ['swapped', 'typo', 'part'].includes(birthDate);

/** Whether a number agrees that belongs to one person, not to a family. */
const hasSameNumber = ({ ssnLast4, medicareId }: Comparison): boolean => ssnLast4 === 'exact' || medicareId === 'exact';

const hasSameContact = ({ phone, email, memberId }: Comparison): boolean => [phone, email, memberId].includes('exact');

/** How family names of twins compare. */
const OF_TWINS: ReadonlySet<Level> = new Set<Level>(['exact', 'typo', 'similar', 'part', 'former']);

/** Whether the two have the same birth date, and the same family name or one that was the same before a marriage, and share an address, phone, email or member ID. */
export function couldBeTwins(person: NormalizedDemographics, other: NormalizedDemographics): boolean {
  if (person.birthDate === null || person.birthDate !== other.birthDate) return false;
  // Most who were born on one day are strangers: the name alone shows it.
  if (!OF_TWINS.has(compareFamily(person, other))) return false;
  const levels = compare(person, other);
  if (!OF_TWINS.has(levels.family)) return false;
  return isSameHome(levels) || hasSameContact(levels);
}

/** Whether nothing shows that the two live at different addresses of one street. Numbers may be left out or have one digit off. */
const mayShareHome = ({ zip, street, houseNumber, unit }: Comparison): boolean =>
  (zip === 'exact' || zip === 'typo') &&
  ['exact', 'typo', 'similar'].includes(street) &&
  houseNumber !== 'differs' &&
  unit !== 'differs';

/** Whether the two live at one address. Units may be left out, but not differ. */
const isSameHome = (levels: Comparison): boolean => mayShareHome(levels) && levels.houseNumber === 'exact';
