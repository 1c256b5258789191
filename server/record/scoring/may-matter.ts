/** Whether two records may have anything to do with each other, by their sketches: never no where comparing the records would say yes. */
import { isOneDigitOff, unlikeness } from '#server/platform/text/edit-distance.ts';
import { addressBits, mayHaveOneAddress, mayShareHome, ROUNDING } from './address-bits.ts';
import { FIRST_OF_JANUARY } from './common-values.ts';
import type { Level } from './comparison.ts';
import { PARAMETERS } from './parameters.ts';
import { mayBeWorthReview } from './score.ts';
import {
  FAMILY_LENGTH,
  FIRST_OF_FAMILY,
  FIRST_OF_GIVEN,
  GIVEN_LENGTH,
  HAS_FORMER,
  HAS_MIDDLE,
  HAS_PARTS,
  IS_MIDDLE_INITIAL,
  IS_NAMED,
  isSame,
  LETTERS_OF,
  LONGEST,
  lengthsOf,
  MIDDLE,
  mayShareAPhone,
  read,
  SEX,
  type Sketch,
  SSN,
  SUFFIX,
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

/** Whether two numbers of one kind are known and differ. */
const known = (a: number, b: number, same: number, other: number): number =>
  a === 0 || b === 0 ? 0 : a === b ? same : other;

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
