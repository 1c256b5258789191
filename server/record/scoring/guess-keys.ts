/**
 * How guesses of a person's details are recognized (docs/decisions/0030). Whoever tries out one field has to keep the rest of a matching
 * rule right, in any spelling that the matcher forgives. So each kind of guess says what varies and what stays, the stays are hashed in a
 * form that all agreeing spellings share, and too many different values under one hash are guesses.
 */
import type { NormalizedDemographics } from './demographics.ts';
import { UNNAMED_NEWBORN } from './names.ts';

/** A field that is tried out. Medicare IDs are too many to try, and a sex has only two values. */
export type Varied = 'birthDate' | 'ssnLast4' | 'phone' | 'street' | 'zip' | 'given' | 'family';

/** What stays right. `given` counts with its formal names, `family` as one word; `~`: also with a typo or only a part of it. */
type Stays =
  | 'given'
  | 'given~'
  | 'family'
  | 'family~'
  | 'birthDate'
  | 'street'
  | 'zip'
  | 'ssnLast4'
  | 'phone'
  | 'medicareId';

export interface GuessKind {
  varies: Varied;
  stays: readonly Stays[];
  /** More different values than this, listed at one time, are guesses. Families, namesakes and twins have fewer. */
  most: number;
  /** More different values than this that were listed in the last 30 days and no longer are, are guesses too. */
  mostGone: number;
  /** Common names have more birth dates in larger files: `most` is at least this share of the rows. */
  share?: number;
}

export const MOST_GONE = 3;

const kind = (varies: Varied, stays: readonly Stays[], most: number, mostGone = MOST_GONE): GuessKind => ({
  varies,
  stays,
  most,
  mostGone,
});

/**
 * For each rule that links without a review (`link-rules.ts`), and each field that someone could try out, the rest of the rule. A test
 * compares the two tables. The last kind keeps a name alone from being tried with every birth date, which would show in the reviews.
 */
export const GUESS_KINDS: readonly GuessKind[] = [
  kind('birthDate', ['given', 'family', 'street'], 2),
  kind('birthDate', ['given~', 'family~', 'street'], 8),
  kind('birthDate', ['given', 'family', 'zip'], 10),
  kind('birthDate', ['given', 'family', 'ssnLast4'], 2),
  kind('birthDate', ['given~', 'family~', 'ssnLast4'], 4),
  kind('birthDate', ['given', 'phone'], 4),
  kind('birthDate', ['medicareId'], 2),
  kind('ssnLast4', ['given', 'family', 'birthDate'], 2),
  kind('ssnLast4', ['given~', 'family~', 'birthDate'], 6),
  kind('ssnLast4', ['given', 'phone'], 4),
  kind('phone', ['given', 'birthDate'], 12, 12),
  kind('phone', ['given', 'ssnLast4'], 12, 12),
  kind('phone', ['medicareId'], 4),
  kind('street', ['given~', 'family~', 'birthDate'], 8),
  kind('zip', ['given', 'family', 'birthDate'], 4),
  kind('given', ['family~', 'birthDate', 'street'], 5),
  kind('given', ['family~', 'birthDate', 'ssnLast4'], 5),
  kind('given', ['family', 'birthDate', 'zip'], 5),
  kind('given', ['birthDate', 'phone'], 5),
  kind('given', ['birthDate', 'medicareId'], 4),
  kind('given', ['phone', 'ssnLast4'], 4),
  kind('family', ['given~', 'birthDate', 'street'], 5),
  kind('family', ['given~', 'birthDate', 'ssnLast4'], 5),
  kind('family', ['given', 'birthDate', 'zip'], 12, 12),
  kind('family', ['given', 'birthDate', 'phone'], 5),
  { ...kind('birthDate', ['given', 'family'], 50, 50), share: 0.01 },
];

export interface Guess {
  kind: GuessKind;
  /** Hash of the kind and of what stays. */
  key: number;
  /** Hash of what varies. */
  value: number;
  /** A phone number that stays is one of those that many people share. */
  isShared: boolean;
}

const NO_PHONES: ReadonlySet<string> = new Set();

/** Returns everything that the record could be a guess of. `sharedPhones`: normalized numbers that belong to an office. */
export function guessesOf(person: NormalizedDemographics, sharedPhones = NO_PHONES): Guess[] {
  const stays = hashed(staysOf(person));
  const varied = hashed(variedOf(person));
  const guesses: Guess[] = [];
  for (const [index, kind] of GUESS_KINDS.entries()) {
    const isShared = kind.stays.includes('phone') && person.phones.some((phone) => sharedPhones.has(phone));
    let keys = [index];
    for (const field of kind.stays) keys = stays[field].flatMap((value) => keys.map((key) => combine(key, value)));
    for (const key of keys) for (const value of varied[kind.varies]) guesses.push({ kind, key, value, isShared });
  }
  return guesses;
}

/** Hashes every value once, since the kinds combine the same few values again and again. */
const hashed = <K extends string>(values: Record<K, readonly string[]>): Record<K, number[]> =>
  Object.fromEntries(
    Object.entries<readonly string[]>(values).map(([field, each]) => [field, each.map(hashOf)]),
  ) as Record<K, number[]>;

/** How many different values of a kind may be listed at one time in a file of so many rows. */
export const mostOf = ({ most, share = 0 }: GuessKind, rows: number): number => Math.max(most, share * rows);

/** Hash of everything that identifies the person. */
export const detailsOf = (person: NormalizedDemographics): number => hashOf(JSON.stringify(variedOf(person)));

/** The name as one word each, and in the forms that also typos share, hashed; empty if a part is missing. */
export function nameKeys(person: NormalizedDemographics): { exact: number[]; rough: number[] } {
  const stays = staysOf(person);
  const cross = (given: readonly string[], family: readonly string[]): number[] =>
    given.flatMap((first) => family.map((last) => hashOf(`name|${first}|${last}`)));
  return { exact: cross(stays.given, stays.family), rough: cross(stays['given~'], stays['family~']) };
}

const list = (value: string | null): readonly string[] => (value === null || value === '' ? [] : [value]);

function staysOf(person: NormalizedDemographics): Record<Stays, readonly string[]> {
  const { givenForms, givenParts, givenWhole, familyParts, familyWhole, street, zip } = person;
  const hasGiven = isName(givenWhole);
  return {
    given: hasGiven ? givenForms : [],
    'given~': hasGiven ? roughly(givenWhole, [...givenForms, ...givenParts]) : [],
    family: list(familyWhole),
    'family~': familyWhole === '' ? [] : roughly(familyWhole, familyParts),
    birthDate: list(person.birthDate),
    street: street !== null && zip !== null ? [`${zip}:${digitsOf(street)}`] : [],
    zip: list(zip),
    ssnLast4: list(person.ssnLast4),
    phone: person.phones,
    medicareId: list(person.medicareId),
  };
}

function variedOf({ birthDate, ssnLast4, phones, street, zip, ...name }: NormalizedDemographics) {
  return {
    birthDate: list(birthDate),
    ssnLast4: list(ssnLast4),
    phone: phones,
    street: street !== null && zip !== null ? [`${zip}:${street}`] : [],
    zip: list(zip),
    given: isName(name.givenWhole) ? [name.givenWhole] : [],
    family: list(name.familyWhole),
  } satisfies Record<Varied, readonly string[]>;
}

/** An initial and an unnamed newborn agree with no name, so nothing can be tried out with them. */
const isName = (given: string): boolean => given.length > 1 && given !== UNNAMED_NEWBORN;

/**
 * Returns how a name begins, in each of its parts and formal names, and how it ends. A single typo in a name of five letters or more leaves
 * the first two letters or the last two as they are, so names that agree have one of these in common.
 */
function roughly(whole: string, others: readonly string[]): string[] {
  const starts = [whole, ...others].map((name) => `^${name.slice(0, 2)}`);
  return [...new Set(whole.length < 5 ? starts : [...starts, `${whole.slice(-2)}$`])];
}

const SEED = { high: 0xdeadbeef, low: 0x41c6ce57 };

/** Returns 53 bits of the text: cyrb53, since millions of short texts of one file are hashed. */
export function hashOf(text: string): number {
  let { high, low } = SEED;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  return finish(high, low);
}

/** Returns a hash of two hashes, in this order. */
function combine(a: number, b: number): number {
  let { high, low } = SEED;
  for (const number of [a, b]) {
    // The lower 32 bits and the rest.
    high = Math.imul(Math.imul(high ^ number, 2654435761) ^ (number / 4294967296), 2246822507);
    low = Math.imul(Math.imul(low ^ (number / 4294967296), 1597334677) ^ number, 3266489909);
  }
  return finish(high, low);
}

function finish(first: number, second: number): number {
  const high = Math.imul(first ^ (first >>> 16), 2246822507) ^ Math.imul(second ^ (second >>> 13), 3266489909);
  const low = Math.imul(second ^ (second >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

/** Returns the digits of a street, in order: the house number and any others. */
const digitsOf = (street: string): string => street.replace(/\D/g, '');
