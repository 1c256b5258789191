/** How much two addresses may add to a score, by the sketches of their records (`may-matter.ts`). */
import { isOneDigitOff, isOneEdit, unlikeness } from '#server/platform/text/edit-distance.ts';
import type { Level } from './comparison.ts';
import { ADDRESS, type AddressField } from './parameters.ts';
import { addressPart } from './score.ts';
import {
  HAS_LONG_CITY,
  HAS_UNIT,
  isSame,
  LETTERS_OF,
  LONGEST,
  lengthsOf,
  read,
  type Sketch,
  STREET_LENGTH,
  WORDS_LENGTH,
} from './sketch.ts';

/** The sum of the same numbers in another order differs in the last digit. */
export const ROUNDING = 1e-6;

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
export function addressBits(a: Sketch, b: Sketch): number {
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

/** Whether both may have the same address, as `withoutSharedContacts` in `shared-contacts.ts` counts those who have it. */
export const mayHaveOneAddress = (a: Sketch, b: Sketch): boolean =>
  a.zip !== 0 &&
  a.zip === b.zip &&
  a.houseNumber === b.houseNumber &&
  a.street === b.street &&
  a.streetWords === b.streetWords &&
  isSame(a.shape, b.shape, STREET_LENGTH) &&
  isSame(a.shape, b.shape, HAS_UNIT);

/** Whether both have one house number, and ZIP codes that may be the same (`couldBeTwins` in `vetoes.ts`). */
export const mayShareHome = (a: Sketch, b: Sketch): boolean =>
  a.houseNumber !== 0 && a.houseNumber === b.houseNumber && [EQUAL, NEAR].includes(zipLevel(a.zip, b.zip));
