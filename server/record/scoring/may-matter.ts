/** Whether two records may have anything to do with each other, by their sketches: never no where comparing the records would say yes. */
import { isOneEdit, unlikeness } from '#server/platform/text/edit-distance.ts';
import { FIRST_OF_JANUARY } from './common-values.ts';
import type { Level } from './comparison.ts';
import { ADDRESS, type AddressField, PARAMETERS } from './parameters.ts';
import { addressPart, mayBeWorthReview } from './score.ts';
import {
  FAMILY_LENGTH,
  FIRST_OF_FAMILY,
  FIRST_OF_GIVEN,
  GIVEN_LENGTH,
  HAS_FORMER,
  HAS_LONG_CITY,
  HAS_MIDDLE,
  HAS_PARTS,
  HAS_UNIT,
  IS_MIDDLE_INITIAL,
  IS_NAMED,
  LONGEST,
  MIDDLE,
  mayShareAPhone,
  read,
  SEX,
  type Sketch,
  SSN,
  STREET_LENGTH,
  SUFFIX,
  WORDS_LENGTH,
} from './sketch.ts';

/** Returns the most bits that one of the levels adds: of a value that is common, it is less. */
const most = (field: keyof typeof PARAMETERS, ...levels: Level[]): number =>
  Math.max(
    ...levels.map((level) => {
      const [match, stranger] = PARAMETERS[field][level] ?? [1, 1];
      return Math.log2(match / stranger);
    }),
  );

/** How near the letters of two names are: they may be equal, one edit apart, a few edits apart, or are neither. */
type Nearness = 'equal' | 'typo' | 'similar' | 'far';

const GIVEN: Record<Nearness, number> = {
  equal: most('given', 'exact', 'typo', 'similar', 'alike', 'unfamiliar', 'differs'),
  typo: most('given', 'typo', 'similar', 'alike', 'unfamiliar', 'differs'),
  similar: most('given', 'similar', 'alike', 'unfamiliar', 'differs'),
  far: most('given', 'differs'),
};
const FAMILY: Record<Nearness, number> = {
  equal: most('family', 'exact', 'typo', 'similar', 'differs'),
  typo: most('family', 'typo', 'similar', 'differs'),
  similar: most('family', 'similar', 'differs'),
  far: most('family', 'differs'),
};
const OTHER = {
  initial: most('given', 'initial', 'differs'),
  noInitial: most('given', 'differs'),
  nickname: most('given', 'nickname'),
  partOfGiven: most('given', 'part'),
  partOfFamily: most('family', 'part'),
  former: most('family', 'former'),
  swapped: most('given', 'swapped') + most('family', 'swapped'),
  sameSex: most('sex', 'exact'),
  otherSex: most('sex', 'differs'),
  sameSuffix: most('suffix', 'exact'),
  otherSuffix: most('suffix', 'differs'),
  sameDay: most('birthDate', 'exact'),
  firstOfJanuary: Math.log2((PARAMETERS.birthDate.exact?.[0] ?? 1) / FIRST_OF_JANUARY),
  swappedDay: most('birthDate', 'swapped'),
  nearDay: most('birthDate', 'typo', 'part', 'differs', 'generation'),
  otherDay: most('birthDate', 'differs', 'generation'),
  sameSsn: most('ssnLast4', 'exact'),
  nearSsn: most('ssnLast4', 'typo'),
  otherSsn: most('ssnLast4', 'differs'),
  sameMedicareId: most('medicareId', 'exact', 'typo', 'differs'),
  nearMedicareId: most('medicareId', 'typo', 'differs'),
  otherMedicareId: most('medicareId', 'differs'),
  middle: most('middle', 'exact', 'initial', 'typo', 'similar', 'differs'),
  middleInitial: most('middle', 'initial'),
  nearMiddle: most('middle', 'typo', 'similar', 'differs'),
  otherMiddle: most('middle', 'differs'),
};

/** Fewest letters in which two names differ that are more than one edit apart, or more than two, or three (`slip` in `comparison.ts`). */
const LETTERS_OF = { one: 2, two: 4, three: 6 };

function nearness(letters: number, lengths: readonly [number, number], isSameFirst: boolean): Nearness {
  const [a, b] = lengths;
  const [shortest, longest] = a < b ? [a, b] : [b, a];
  const unlike = unlikeness(letters);
  if (unlike === 0 && a === b) return 'equal';
  if (longest === LONGEST) return 'typo';
  if (shortest < 3 || longest - shortest > 3) return 'far';
  if (unlike <= LETTERS_OF.one && longest - shortest < 2) return 'typo';
  if (longest < 5 || unlike > LETTERS_OF.three) return 'far';
  // Three edits count in long names only, or in those of one sound, which begin with one letter.
  return unlike <= LETTERS_OF.two || longest >= 9 || isSameFirst ? 'similar' : 'far';
}

const lengthsOf = (a: Sketch, b: Sketch, part: typeof GIVEN_LENGTH): [number, number] => [
  read(a.shape, part),
  read(b.shape, part),
];
const isSame = (a: number, b: number, part: typeof GIVEN_LENGTH): boolean => read(a, part) === read(b, part);

function givenBits(a: Sketch, b: Sketch): number {
  if (read(a.shape, IS_NAMED) === 0 || read(b.shape, IS_NAMED) === 0) return 0;
  const lengths = lengthsOf(a, b, GIVEN_LENGTH);
  const isSameFirst = isSame(a.firsts, b.firsts, FIRST_OF_GIVEN);
  if (lengths.includes(1)) return isSameFirst ? OTHER.initial : OTHER.noInitial;
  let bits = GIVEN[nearness(a.given ^ b.given, lengths, isSameFirst)];
  if ((a.forms & b.forms) !== 0) bits = Math.max(bits, OTHER.nickname);
  if (((read(a.shape, HAS_PARTS) | read(b.shape, HAS_PARTS)) & 1) === 1) bits = Math.max(bits, OTHER.partOfGiven);
  return bits;
}

function familyBits(a: Sketch, b: Sketch): number {
  const lengths = lengthsOf(a, b, FAMILY_LENGTH);
  if (lengths.includes(0)) return 0;
  let bits = FAMILY[nearness(a.family ^ b.family, lengths, isSame(a.firsts, b.firsts, FIRST_OF_FAMILY))];
  if ((read(a.shape, HAS_FORMER) | read(b.shape, HAS_FORMER)) === 1) bits = Math.max(bits, OTHER.former);
  if ((read(a.shape, HAS_PARTS) | read(b.shape, HAS_PARTS)) > 1) bits = Math.max(bits, OTHER.partOfFamily);
  return bits;
}

/** Whether given and family name may be in each other's field, with a typing error each. */
const mayBeSwapped = (a: Sketch, b: Sketch): boolean =>
  unlikeness(a.given ^ b.family) <= LETTERS_OF.one && unlikeness(a.family ^ b.given) <= LETTERS_OF.one;

/** Whether one digit is another one, or two neighbors are swapped, in different numbers of equally many digits. */
function isOneDigitOff(a: number, b: number): boolean {
  let [restOfA, restOfB] = [a, b];
  while (restOfA % 10 === restOfB % 10) [restOfA, restOfB] = [Math.trunc(restOfA / 10), Math.trunc(restOfB / 10)];
  const [tens, others] = [Math.trunc(restOfA / 10), Math.trunc(restOfB / 10)];
  if (tens === others) return true;
  const isSwapped = restOfA % 10 === others % 10 && restOfB % 10 === tens % 10;
  return isSwapped && Math.trunc(tens / 10) === Math.trunc(others / 10);
}

function birthDateBits(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  if (a === b) return a % 10_000 === 101 ? OTHER.firstOfJanuary : OTHER.sameDay;
  const [yearOfA, monthOfA, dayOfA] = [Math.trunc(a / 10_000), Math.trunc(a / 100) % 100, a % 100];
  const [yearOfB, monthOfB, dayOfB] = [Math.trunc(b / 10_000), Math.trunc(b / 100) % 100, b % 100];
  if (yearOfA === yearOfB && monthOfA === dayOfB && dayOfA === monthOfB) return OTHER.swappedDay;
  // A typing error is in one of the three.
  const equal = Number(yearOfA === yearOfB) + Number(monthOfA === monthOfB) + Number(dayOfA === dayOfB);
  return equal === 2 ? OTHER.nearDay : OTHER.otherDay;
}

function ssnBits(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  if (a === b) return OTHER.sameSsn;
  return isOneDigitOff(a - 1, b - 1) ? OTHER.nearSsn : OTHER.otherSsn;
}

function medicareIdBits(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  const unlike = unlikeness(a ^ b);
  if (unlike === 0) return OTHER.sameMedicareId;
  return unlike <= LETTERS_OF.one ? OTHER.nearMedicareId : OTHER.otherMedicareId;
}

function middleBits(a: number, b: number): number {
  if (read(a, HAS_MIDDLE) === 0 || read(b, HAS_MIDDLE) === 0) return 0;
  const isInitial = read(a, IS_MIDDLE_INITIAL) === 1 || read(b, IS_MIDDLE_INITIAL) === 1;
  if (isSame(a, b, MIDDLE)) return isInitial ? OTHER.middleInitial : OTHER.middle;
  return isInitial ? OTHER.otherMiddle : OTHER.nearMiddle;
}

/** Levels that a part of the address may have: missing, perhaps equal, a few edits apart, similar, or different. */
const [MISSING, EQUAL, NEAR, SIMILAR, OTHERS] = [0, 1, 2, 3, 4];
const LEVELS: readonly (readonly Level[])[] = [
  ['missing'],
  ['exact', 'typo', 'similar', 'differs'],
  ['typo', 'similar', 'differs'],
  ['similar', 'differs'],
  ['differs'],
];
const ZIP_LEVELS: readonly Level[] = ['missing', 'exact', 'typo', 'similar', 'differs'];

const addresses = new Float64Array(5 ** 4 * 2).fill(Number.NaN);

/** Returns the most bits that two addresses add. */
function addressBits(a: Sketch, b: Sketch): number {
  const levels = [zipLevel(a.zip, b.zip), cityLevel(a, b), houseLevel(a.houseNumber, b.houseNumber), streetLevel(a, b)];
  const hasUnits = read(a.shape, HAS_UNIT) & read(b.shape, HAS_UNIT);
  const at = levels.reduce((place, level) => place * 5 + level, hasUnits);
  if (Number.isNaN(addresses[at])) addresses[at] = mostOfAddress(levels, hasUnits === 1 ? EQUAL : MISSING);
  return addresses[at] as number;
}

function mostOfAddress([zip = 0, city = 0, house = 0, street = 0]: readonly number[], unit: number): number {
  let bits = zip === MISSING && city === MISSING ? 0 : Number.NEGATIVE_INFINITY;
  const levelsOf = (field: AddressField, level: number): Level[] =>
    (LEVELS[level] ?? []).filter((each) => each === 'missing' || each in ADDRESS[field]);
  const homes = levelsOf('houseNumber', house).flatMap((houseNumber) =>
    levelsOf('street', street).flatMap((street) =>
      levelsOf('unit', unit).map((unit): { houseNumber: Level; street: Level; unit: Level } => ({
        houseNumber,
        street,
        unit,
      })),
    ),
  );
  // An address that many share counts by its place only.
  homes.push({ houseNumber: 'missing', street: 'missing', unit: 'missing' });
  for (const cityLevel of LEVELS[city] ?? [])
    for (const home of homes) {
      const { match, stranger } = addressPart({ zip: ZIP_LEVELS[zip] ?? 'missing', city: cityLevel, ...home });
      bits = Math.max(bits, Math.log2(match / stranger));
    }
  return bits;
}

/** One edit changes three pairs of neighboring characters at most. */
const PAIRS_OF_EDIT = 3;

/** Returns how alike two texts may be, by their pairs: equal, one edit apart, and the most that `bigramLikeness` can be. */
function likeness(a: number, b: number, lengthOfA: number, lengthOfB: number) {
  const longest = Math.max(lengthOfA, lengthOfB);
  if (longest === LONGEST) return { isEqual: true, isOneEdit: true, most: 1 };
  const [onlyA, onlyB] = [unlikeness(a & ~b), unlikeness(b & ~a)];
  const common = Math.min(lengthOfA - 1 - onlyA, lengthOfB - 1 - onlyB);
  return {
    isEqual: a === b && lengthOfA === lengthOfB,
    isOneEdit: Math.abs(lengthOfA - lengthOfB) < 2 && Math.max(onlyA, onlyB) <= PAIRS_OF_EDIT,
    most: Math.max(0, (2 * common) / Math.max(1, lengthOfA + lengthOfB - 2)),
  };
}

/** As `compareStreets` in `comparison.ts`. */
function streetLevel(a: Sketch, b: Sketch): number {
  const [wordsOfA, wordsOfB] = lengthsOf(a, b, WORDS_LENGTH);
  if (wordsOfA === 0 || wordsOfB === 0) return MISSING;
  const name = likeness(a.street, b.street, ...lengthsOf(a, b, STREET_LENGTH));
  const words = likeness(a.streetWords, b.streetWords, wordsOfA, wordsOfB);
  if (name.isEqual || words.isEqual) return EQUAL;
  const most = Math.max(name.most, words.most - 0.1) + ROUNDING;
  if (name.isOneEdit || words.isOneEdit || most >= 0.8) return NEAR;
  return most >= 0.6 ? SIMILAR : OTHERS;
}

function zipLevel(a: number, b: number): number {
  if (a === 0 || b === 0) return MISSING;
  if (a === b) return EQUAL;
  return isOneDigitOff(a - 1, b - 1) ? NEAR : OTHERS;
}

function cityLevel(a: Sketch, b: Sketch): number {
  if (a.city === 0 || b.city === 0) return MISSING;
  const isLong = read(a.shape, HAS_LONG_CITY) + read(b.shape, HAS_LONG_CITY) > 0;
  const unlike = unlikeness(a.city ^ b.city);
  if (unlike === 0) return EQUAL;
  return isLong || unlike <= LETTERS_OF.three ? NEAR : OTHERS;
}

function houseLevel(a: number, b: number): number {
  if (a === 0 || b === 0) return MISSING;
  if (a === b) return EQUAL;
  return a < 0 || b < 0 || isOneEdit(String(a - 1), String(b - 1)) ? NEAR : OTHERS;
}

/** Whether two numbers of one kind are known and differ. */
const known = (a: number, b: number, same: number, other: number): number =>
  a === 0 || b === 0 ? 0 : a === b ? same : other;

/** The sum of the same numbers in another order differs in the last digit. */
const ROUNDING = 1e-6;

/**
 * Whether two records that have no phone, email or member ID in common may be worth a review. The most that a pair can score is what rare values
 * score.
 */
export function mayBeAlike(a: Sketch, b: Sketch): boolean {
  const names = givenBits(a, b) + familyBits(a, b);
  const bits =
    (mayBeSwapped(a, b) ? Math.max(OTHER.swapped, names) : names) +
    birthDateBits(a.birthDate, b.birthDate) +
    addressBits(a, b) +
    ssnBits(read(a.firsts, SSN), read(b.firsts, SSN)) +
    medicareIdBits(a.medicareId, b.medicareId) +
    middleBits(a.firsts, b.firsts) +
    known(read(a.shape, SEX), read(b.shape, SEX), OTHER.sameSex, OTHER.otherSex) +
    known(read(a.shape, SUFFIX), read(b.shape, SUFFIX), OTHER.sameSuffix, OTHER.otherSuffix);
  return mayBeWorthReview(bits + ROUNDING);
}

/** Whether both may have the same address, as `withoutSharedContacts` in `shared-contacts.ts` counts those who have it. */
const mayHaveOneAddress = (a: Sketch, b: Sketch): boolean =>
  a.zip !== 0 &&
  a.zip === b.zip &&
  a.houseNumber === b.houseNumber &&
  a.street === b.street &&
  a.streetWords === b.streetWords &&
  isSame(a.shape, b.shape, STREET_LENGTH) &&
  isSame(a.shape, b.shape, HAS_UNIT);

/** Whether both have one house number, and ZIP codes that may be the same (`couldBeTwins` in `vetoes.ts`). */
const mayShareHome = (a: Sketch, b: Sketch): boolean =>
  a.houseNumber !== 0 && a.houseNumber === b.houseNumber && [EQUAL, NEAR].includes(zipLevel(a.zip, b.zip));

/** Whether two records that have no email or member ID in common may be twins' (`couldBeTwins` in `vetoes.ts`). */
export const mayBeTwins = (a: Sketch, b: Sketch): boolean =>
  a.birthDate !== 0 &&
  a.birthDate === b.birthDate &&
  (mayShareHome(a, b) || mayShareAPhone(a, b)) &&
  familyBits(a, b) > FAMILY.far;

/**
 * Whether two records that have no email or member ID in common may have anything to do with each other: they may be worth a review, be twins', or have a
 * home or a phone in common.
 */
export const mayMatter = (a: Sketch, b: Sketch): boolean =>
  mayHaveOneAddress(a, b) || mayShareAPhone(a, b) || mayBeTwins(a, b) || mayBeAlike(a, b);
