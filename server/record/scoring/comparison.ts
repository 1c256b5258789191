import { areBothInUse, givenNameShare } from '#server/platform/name-frequencies/name-tables.ts';
import { bigramLikeness } from '#server/platform/text/bigram-likeness.ts';
import { editsUpTo, isOneEdit } from '#server/platform/text/edit-distance.ts';
import { soundex } from '#server/platform/text/soundex.ts';
import type { NormalizedDemographics } from './demographics.ts';
import { UNNAMED_NEWBORN } from './names.ts';
import { isSameInAnotherSpelling } from './nicknames.ts';

/**
 * How two values of a field compare.
 *
 * - exact; differs; missing: at least one value is absent.
 * - typo: one edit apart. similar: two edits, three in long words, or the same sound. For dates and numbers, typo: one digit off, or two
 *   neighbors swapped. For streets by letters in common, because words grow together and lines change places.
 * - nickname: a short form. initial: a first letter that agrees. part: a part of a double name, or two of three parts of a date.
 * - former: one's former family name is the other's present one, or both have a former one in common.
 * - alike: given names that differ by a few letters and are both in use, such as MARIA and MARIE.
 * - unfamiliar: given names that differ by a few letters and are both in no table: a typing error in a rare name, or two names of a language whose
 *   names the tables don't have, such as XIAOHONG and XIAODONG.
 * - swapped: given and family name in each other's field, or day and month.
 * - generation: birth dates 14 years or more apart, as those of parent and child are.
 */
// biome-ignore format: a list
export type Level =
  | 'exact' | 'nickname' | 'typo' | 'similar' | 'initial' | 'part' | 'former' | 'alike' | 'unfamiliar' | 'swapped' | 'generation' | 'differs' | 'missing';

// biome-ignore format: a list
export const FIELDS = [
  'given', 'family', 'middle', 'suffix', 'birthDate', 'sex', 'zip', 'city', 'street', 'houseNumber', 'unit', 'phone', 'email',
  'ssnLast4', 'medicareId', 'memberId',
] as const;
export type Field = (typeof FIELDS)[number];
/** The level of each field; contains no values. */
export type Comparison = Record<Field, Level>;

/** Compares two people field by field. Symmetric. */
export function compare(a: NormalizedDemographics, b: NormalizedDemographics): Comparison {
  return {
    ...compareNames(a, b),
    middle: compareMiddle(a.middle, b.middle),
    suffix: compareExactly(a.suffix, b.suffix),
    birthDate: compareBirthDate(a.birthDate, b.birthDate),
    sex: compareExactly(a.sex, b.sex),
    zip: compareNumbers(a.zip, b.zip),
    city: compareWords(lettersOf(a.city), lettersOf(b.city)),
    street: compareStreets(a, b),
    houseNumber: compareNumbers(a.houseNumber, b.houseNumber),
    unit: compareExactly(a.unit, b.unit),
    phone: compareSets(a.phones, b.phones),
    email: compareExactly(a.email, b.email),
    ssnLast4: compareNumbers(a.ssnLast4, b.ssnLast4),
    medicareId: compareNumbers(a.medicareId, b.medicareId),
    memberId: compareSets(a.memberKeys, b.memberKeys),
  };
}

function compareExactly(a: string | null, b: string | null): Level {
  if (a === null || b === null) return 'missing';
  return a === b ? 'exact' : 'differs';
}

function compareNumbers(a: string | null, b: string | null): Level {
  const level = compareExactly(a, b);
  return level === 'differs' && isOneEdit(a ?? '', b ?? '') ? 'typo' : level;
}

function compareSets(a: readonly string[], b: readonly string[]): Level {
  if (a.length === 0 || b.length === 0) return 'missing';
  return a.some((value) => b.includes(value)) ? 'exact' : 'differs';
}

/**
 * How alike two streets are. Lines of an address change places, words grow together, kinds of streets are left out: so pairs of neighboring
 * letters are counted as well as edits.
 */
function compareStreets(a: NormalizedDemographics, b: NormalizedDemographics): Level {
  if (a.streetWords === '' || b.streetWords === '') return 'missing';
  if (a.streetWords === b.streetWords || a.streetName === b.streetName) return 'exact';
  if (slip(a.streetName, b.streetName) === 'typo' || slip(a.streetWords, b.streetWords) === 'typo') return 'typo';
  const alike = Math.max(
    bigramLikeness(a.streetName, b.streetName),
    bigramLikeness(a.streetWords, b.streetWords) - 0.1,
  );
  return alike >= 0.8 ? 'typo' : alike >= 0.6 ? 'similar' : 'differs';
}

const lettersOf = (text: string | null): string | null => text?.replaceAll(' ', '') ?? null;

function compareWords(a: string | null, b: string | null): Level {
  const level = compareExactly(a, b);
  return level === 'differs' ? (slip(a ?? '', b ?? '') ?? 'differs') : level;
}

/** Longer names are not read to their end: the cost of comparing two grows with the product of their lengths. */
const LONGEST = 40;

/** Whether two different words may be one, typed badly. */
export function slip(a: string, b: string): 'typo' | 'similar' | null {
  const [shortest, longest] = [Math.min(a.length, b.length), Math.max(a.length, b.length)];
  if (shortest < 3 || longest - shortest > 3) return null;
  if (isOneEdit(a, b)) return 'typo';
  if (longest < 5) return null;
  const distance = editsUpTo(a.slice(0, LONGEST), b.slice(0, LONGEST), 3);
  if (distance === null) return null;
  return distance < 3 || longest >= 9 || (shortest >= 5 && soundex(a) === soundex(b)) ? 'similar' : null;
}

function compareNames(a: NormalizedDemographics, b: NormalizedDemographics): Pick<Comparison, 'given' | 'family'> {
  const [given, family] = [compareGiven(a, b), compareFamily(a, b)];
  const isSwapped =
    given !== 'exact' &&
    family !== 'exact' &&
    isSame(a.givenWhole, b.familyWhole) &&
    isSame(a.familyWhole, b.givenWhole);
  return isSwapped ? { given: 'swapped', family: 'swapped' } : { given, family };
}

const isSame = (a: string, b: string): boolean => a.length > 1 && (a === b || (a.length >= 5 && isOneEdit(a, b)));

/** Compares family names alone, as `compare` does unless names are in each other's field. */
export function compareFamily(a: NormalizedDemographics, b: NormalizedDemographics): Level {
  const [x, y] = [a.familyWhole, b.familyWhole];
  if (x === '' || y === '') return 'missing';
  if (x === y) return 'exact';
  const typed = slip(x, y);
  if (typed !== null) return typed;
  if (formerInCommon(a, b).length > 0) return 'former';
  return sharePart(a.familyParts, b.familyParts) ? 'part' : 'differs';
}

/** Returns the family names that are a former name of one and a present or former name of the other. */
export function formerInCommon(a: NormalizedDemographics, b: NormalizedDemographics): string[] {
  if (a.formerFamilies.length === 0 && b.formerFamilies.length === 0) return [];
  const [namesOfA, namesOfB] = [a, b].map((each) => [each.familyWhole, ...each.formerFamilies]);
  return (namesOfA ?? []).filter((name) => name !== '' && namesOfB?.includes(name));
}

function compareGiven(a: NormalizedDemographics, b: NormalizedDemographics): Level {
  const [x, y] = [a.givenWhole, b.givenWhole];
  if (x === '' || y === '' || x === UNNAMED_NEWBORN || y === UNNAMED_NEWBORN) return 'missing';
  if (x.length === 1 || y.length === 1) return x[0] === y[0] ? 'initial' : 'differs';
  if (x === y) return 'exact';
  const typed = slip(x, y);
  if (isSameInAnotherSpelling(x, y)) return 'nickname';
  const isAlike = typed !== null && areBothInUse(x, y);
  // One letter apart says less than being short for one another: parents call twins Julie and Julia.
  if (isAlike && typed === 'typo') return 'alike';
  if (a.givenForms.some((form) => b.givenForms.includes(form))) return 'nickname';
  if (isAlike) return 'alike';
  if (typed !== null && givenNameShare(x) === 0 && givenNameShare(y) === 0) return 'unfamiliar';
  return typed ?? (sharePart(a.givenParts, b.givenParts) ? 'part' : 'differs');
}

/** Whether one of the names is a double name, and the two share a part: SMITH-JONES with SMITH or JONES-SMITH. */
const sharePart = (a: readonly string[], b: readonly string[]): boolean =>
  (a.length > 1 || b.length > 1) && a.some((part) => part.length >= 3 && b.includes(part));

function compareMiddle(a: string | null, b: string | null): Level {
  if (a === null || b === null) return 'missing';
  if (a === b) return a.length > 1 ? 'exact' : 'initial';
  if (a.length === 1 || b.length === 1) return a[0] === b[0] ? 'initial' : 'differs';
  return slip(a, b) ?? 'differs';
}

/** Years between the births of parent and child at least. */
const GENERATION = 14;

function compareBirthDate(a: string | null, b: string | null): Level {
  if (a === null || b === null) return 'missing';
  if (a === b) return 'exact';
  const [year, month, day] = a.split('-');
  const [otherYear, otherMonth, otherDay] = b.split('-');
  if (year === otherYear && month === otherDay && day === otherMonth) return 'swapped';
  if (Math.abs(Number(year) - Number(otherYear)) >= GENERATION) return 'generation';
  // The first of January stands for a day that is not known: two years are no typing error.
  if (a.endsWith('-01-01') && b.endsWith('-01-01')) return 'differs';
  if (isOneEdit(a, b)) return 'typo';
  const parts = Number(year === otherYear) + Number(month === otherMonth) + Number(day === otherDay);
  return parts === 2 ? 'part' : 'differs';
}
