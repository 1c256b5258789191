/**
 * A record in a few numbers that show of most pairs that they can't be alike, without reading either record. Most people who share a birth date or a
 * full name are strangers, and the more people are known, the more of them there are (docs/decisions/0115).
 */
import { lettersIn } from '#server/platform/text/edit-distance.ts';
import type { NormalizedDemographics } from './demographics.ts';
import { UNNAMED_NEWBORN } from './names.ts';
import { spellingOf } from './nicknames.ts';

/**
 * Birth date, ZIP code and house number are numbers, and 0 if missing. Names, the city and the Medicare ID are sets of letters: they show how many edits two of
 * them are apart at least. `forms` is a set of hashes of what a given name may be short for. Contains patient data, like the keys beside which it is stored.
 */
export interface Sketch {
  birthDate: number;
  zip: number;
  houseNumber: number;
  city: number;
  given: number;
  family: number;
  forms: number;
  medicareId: number;
  /** The last four digits of the SSN, the middle name's first letter, and those of the names. */
  firsts: number;
  /** Lengths of names, suffix, sex, and what else two names may agree by. */
  shape: number;
  /** Hashes of two phones. */
  phones: number;
  /** Which pairs of neighboring characters the name of the street has, and the same of all its words. */
  street: number;
  streetWords: number;
}

const PARTS = [
  'birthDate',
  'zip',
  'houseNumber',
  'city',
  'given',
  'family',
  'forms',
  'medicareId',
  'firsts',
  'shape',
  'phones',
  'street',
  'streetWords',
] as const;

/** Bytes of a stored sketch. */
export const SKETCH_BYTES = PARTS.length * 4;

const SUFFIXES = ['SR', 'JR', 'III', 'IV', 'V'];
/** Longer names count as this long. They may be alike whatever their letters are, because the end of a name is not compared. */
export const LONGEST = 31;

/** A part of `firsts` or `shape`: from which bit on, and how many bits. */
type Bits = readonly [from: number, bits: number];
export const SSN: Bits = [0, 14];
export const MIDDLE: Bits = [14, 5];
export const HAS_MIDDLE: Bits = [19, 1];
export const IS_MIDDLE_INITIAL: Bits = [20, 1];
export const FIRST_OF_GIVEN: Bits = [21, 5];
export const FIRST_OF_FAMILY: Bits = [26, 5];
export const GIVEN_LENGTH: Bits = [0, 5];
export const FAMILY_LENGTH: Bits = [5, 5];
export const SUFFIX: Bits = [10, 3];
export const IS_NAMED: Bits = [13, 1];
export const SEX: Bits = [14, 2];
export const HAS_PARTS: Bits = [16, 2];
export const HAS_FORMER: Bits = [18, 1];
export const HAS_LONG_CITY: Bits = [19, 1];
export const HAS_UNIT: Bits = [21, 1];
export const STREET_LENGTH: Bits = [22, 5];
export const WORDS_LENGTH: Bits = [27, 5];
const IS_SKETCH: Bits = [20, 1];

export const read = (number: number, [from, bits]: Bits): number => (number >>> from) & ((1 << bits) - 1);
const put = (value: number | boolean, [from]: Bits): number => Number(value) << from;

/** Fewest letters in which two names differ that are more than one edit apart, or more than two, or three (`slip` in `comparison.ts`). */
export const LETTERS_OF = { one: 2, two: 4, three: 6 };

/** Returns the lengths of a name or street in both sketches. */
export const lengthsOf = (a: Sketch, b: Sketch, part: Bits): [number, number] => [
  read(a.shape, part),
  read(b.shape, part),
];
/** Whether two numbers have the same value in these bits. */
export const isSame = (a: number, b: number, part: Bits): boolean => read(a, part) === read(b, part);

const firstOf = (text: string): number => text.charCodeAt(0) & 31;

function hashBit(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash & 31;
}

/** Returns one bit of 32 for each pair of neighboring characters. */
function bigramsIn(text: string): number {
  let bits = 0;
  for (let i = 1; i < text.length; i++) {
    const pair = Math.imul(text.charCodeAt(i - 1) * 37 + text.charCodeAt(i), 0x9e3779b1);
    bits |= 1 << (pair >>> 27);
  }
  return bits;
}

/** Returns a house number as itself and one more, or as a negative number if it is long or has a letter: one of 32, so that equal ones may differ. */
function houseOf(number: string | null): number {
  if (number === null) return 0;
  return /^\d{1,8}$/.test(number) ? Number(number) + 1 : -1 - hashBit(number);
}

/** Whoever has more than two may have one in common with anyone. */
const ANY_PHONE = 0xffff;

const phonesOf = ([first, second, ...more]: readonly string[]): number =>
  phoneOf(first) | ((more.length > 0 ? ANY_PHONE : phoneOf(second)) << 16);

const phoneOf = (phone: string | undefined): number =>
  phone === undefined ? 0 : 1 + (Number(phone) % (ANY_PHONE - 1));

/** Whether the two may have a phone in common. */
export function mayShareAPhone({ phones: a }: Sketch, { phones: b }: Sketch): boolean {
  if (a === 0 || b === 0) return false;
  const [first, second] = [b & ANY_PHONE, b >>> 16];
  const isOfB = (phone: number): boolean =>
    phone !== 0 && (phone === first || phone === second || phone === ANY_PHONE || second === ANY_PHONE);
  return isOfB(a & ANY_PHONE) || isOfB(a >>> 16);
}

const made = new WeakMap<NormalizedDemographics, Sketch>();

/** Returns the record's sketch, which is made once. */
export function sketchOf(person: NormalizedDemographics): Sketch {
  const before = made.get(person);
  if (before !== undefined) return before;
  const sketch = drawn(person);
  made.set(person, sketch);
  return sketch;
}

function drawn(person: NormalizedDemographics): Sketch {
  const { birthDate, zip, city, givenWhole, familyWhole, middle, sex, suffix, ssnLast4 } = person;
  let forms = 1 << hashBit(spellingOf(givenWhole));
  for (const form of person.givenForms) forms |= 1 << hashBit(form);
  return {
    birthDate: birthDate === null ? 0 : Number(birthDate.replaceAll('-', '')),
    zip: zip === null ? 0 : Number(zip) + 1,
    houseNumber: houseOf(person.houseNumber),
    city: lettersIn(city?.replaceAll(' ', '') ?? ''),
    given: lettersIn(givenWhole),
    family: lettersIn(familyWhole),
    forms,
    medicareId: lettersIn(person.medicareId ?? ''),
    firsts:
      put(ssnLast4 === null ? 0 : Number(ssnLast4) + 1, SSN) |
      put(middle === null ? 0 : firstOf(middle), MIDDLE) |
      put(middle !== null, HAS_MIDDLE) |
      put(middle?.length === 1, IS_MIDDLE_INITIAL) |
      put(firstOf(givenWhole), FIRST_OF_GIVEN) |
      put(firstOf(familyWhole), FIRST_OF_FAMILY),
    shape:
      put(true, IS_SKETCH) |
      put(Math.min(givenWhole.length, LONGEST), GIVEN_LENGTH) |
      put(Math.min(familyWhole.length, LONGEST), FAMILY_LENGTH) |
      put(suffix === null ? 0 : SUFFIXES.indexOf(suffix) + 1, SUFFIX) |
      put(givenWhole !== '' && givenWhole !== UNNAMED_NEWBORN, IS_NAMED) |
      put(sex === null ? 0 : sex === 'Male' ? 1 : 2, SEX) |
      put(person.givenParts.length > 1 ? 1 : 0, HAS_PARTS) |
      put(person.familyParts.length > 1 ? 2 : 0, HAS_PARTS) |
      put(person.formerFamilies.length > 0, HAS_FORMER) |
      put((city?.length ?? 0) > LONGEST, HAS_LONG_CITY) |
      put(person.unit !== null, HAS_UNIT) |
      put(Math.min(person.streetName.length, LONGEST), STREET_LENGTH) |
      put(Math.min(person.streetWords.length, LONGEST), WORDS_LENGTH),
    phones: phonesOf(person.phones),
    street: bigramsIn(person.streetName),
    streetWords: bigramsIn(person.streetWords),
  };
}

/** Returns the sketch as it is stored. */
export function packed(sketch: Sketch): Buffer {
  const bytes = Buffer.allocUnsafe(SKETCH_BYTES);
  PARTS.forEach((part, index) => bytes.writeInt32BE(sketch[part], index * 4));
  return bytes;
}

/** Reads a stored sketch, or null if there is none. */
export function unpacked(bytes: Buffer, at: number): Sketch | null {
  const part = (index: number): number => bytes.readInt32BE(at + index * 4);
  if (part(9) === 0) return null;
  return {
    birthDate: part(0),
    zip: part(1),
    houseNumber: part(2),
    city: part(3),
    given: part(4),
    family: part(5),
    forms: part(6),
    medicareId: part(7),
    firsts: part(8),
    shape: part(9),
    phones: part(10),
    street: part(11),
    streetWords: part(12),
  };
}
