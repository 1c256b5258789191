/**
 * How guesses of a person's details are recognized (docs/decisions/0030). Whoever tries out one field has to keep the rest of a matching
 * record right, in any spelling that the matcher forgives. So each kind of guess says what varies and what stays, the stays are hashed in a
 * form that all agreeing spellings share, and too many different values under one hash are guesses.
 */
import { soundex } from '#server/platform/text/soundex.ts';
import type { NormalizedDemographics } from './demographics.ts';
import { combineEach, hashOf } from './guess-hashes.ts';
import { UNNAMED_NEWBORN } from './names.ts';
import { roughly } from './rough-names.ts';

/** A field that is tried out. Medicare IDs are too many to try, and a sex has only two values. */
export type Varied = 'birthDate' | 'ssnLast4' | 'phone' | 'street' | 'zip' | 'given' | 'family';

/**
 * What stays right. `given` counts with its formal names, `family` as one word; `~`: also with a typo, only a part of it, or left out.
 * `names`: both, in either order, because the matcher links swapped names too.
 * `house`: house number and ZIP code. `home`: any two of the house number, the ZIP code and the sound of the street.
 */
// biome-ignore format: a list
type Stays =
  | 'given' | 'given~' | 'family' | 'family~' | 'names' | 'names~' | 'birthDate' | 'house' | 'home' | 'zip' | 'ssnLast4' | 'phone' | 'medicareId' | 'medicareId~';

export interface GuessKind {
  /** `rest`: everything else, each combination of it being a value. */
  varies: Varied | 'rest';
  stays: readonly Stays[];
  /** More different values than this, listed at one time, are guesses. Families, namesakes and twins have fewer. */
  most: number;
  /** More different values than this that were listed in the last 30 days and no longer are, are guesses too. */
  mostGone: number;
  /** More people agree by chance in a larger file: `most` is at least this, times the square root of its rows. */
  growth: number;
}

export const MOST_GONE = 3;

/** What only relatives and namesakes have in common. */
const ofOne = (varies: Varied, stays: readonly Stays[], most: number): GuessKind => ({
  varies,
  stays,
  most,
  mostGone: MOST_GONE,
  growth: 0,
});

/** What strangers have in common as well. */
const ofMany = (stays: readonly Stays[], most: number, growth = 0): GuessKind => ({
  varies: 'rest',
  stays,
  most,
  mostGone: most,
  growth,
});

/**
 * An automatic link may rest on any fields that agree well enough (`decide.ts`). None of them is enough alone, so a guess keeps two right:
 * both names, one of them with a detail, or two details. Where the two are few people's, the limits are low, and hold for the field that
 * varies. A test compares the kinds with the decisions.
 */
export const GUESS_KINDS: readonly GuessKind[] = [
  ofOne('birthDate', ['names', 'house'], 2),
  ofOne('birthDate', ['names', 'ssnLast4'], 2),
  ofOne('birthDate', ['names~', 'ssnLast4'], 4),
  ofOne('birthDate', ['names', 'zip'], 10),
  { ...ofMany(['names~', 'zip'], 10, 1), varies: 'birthDate' },
  ofOne('birthDate', ['given', 'phone'], 4),
  ofOne('birthDate', ['medicareId'], 2),
  ofOne('ssnLast4', ['names', 'birthDate'], 2),
  ofOne('ssnLast4', ['names~', 'birthDate'], 6),
  ofOne('ssnLast4', ['given', 'phone'], 4),
  ofOne('zip', ['names', 'birthDate'], 4),
  // Two numbers a row, of several programs.
  ofOne('phone', ['names', 'birthDate'], 6),
  ofOne('phone', ['names~', 'birthDate'], 10),
  ofOne('given', ['birthDate', 'phone'], 5),
  ofOne('given', ['family~', 'birthDate', 'house'], 5),
  ofOne('family', ['given~', 'birthDate', 'house'], 5),
  ofOne('family', ['birthDate', 'phone'], 5),
  ofMany(['medicareId~'], 8),
  ofMany(['names'], 12, 1),
  ofMany(['names~'], 40, 6),
  ofMany(['given~', 'zip'], 60, 8),
  ofMany(['given~', 'birthDate'], 12, 0.2),
  ofMany(['given~', 'ssnLast4'], 12, 0.1),
  ofMany(['given~', 'phone'], 16),
  ofMany(['given~', 'home'], 24, 0.5),
  ofMany(['family~', 'zip'], 60, 8),
  ofMany(['family~', 'birthDate'], 12, 0.2),
  ofMany(['family~', 'ssnLast4'], 12, 0.1),
  ofMany(['family~', 'phone'], 16),
  ofMany(['family~', 'home'], 24, 0.5),
  ofMany(['birthDate', 'zip'], 12, 0.2),
  ofMany(['birthDate', 'home'], 8),
  ofMany(['birthDate', 'phone'], 8),
  ofMany(['birthDate', 'ssnLast4'], 8),
  ofMany(['ssnLast4', 'zip'], 12, 0.1),
  ofMany(['ssnLast4', 'home'], 8),
  ofMany(['ssnLast4', 'phone'], 8),
  // A group home's phone: the matcher ignores it from the fifth person on.
  ofMany(['phone', 'zip'], 30),
  ofMany(['phone', 'home'], 30),
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

/** Returns everything that the record could be a guess of. */
export function guessesOf(person: NormalizedDemographics): Guess[] {
  const list = new GuessList();
  list.fill(person);
  return list.guesses();
}

const NO_PHONES: ReadonlySet<string> = new Set();

/**
 * Everything that one record could be a guess of, in arrays that the next record reuses: a file of a million rows has a hundred million
 * keys, too many for an object each.
 */
export class GuessList {
  length = 0;
  keys = new Float64Array(1024);
  values = new Float64Array(1024);
  /** Positions in `GUESS_KINDS`. */
  kinds = new Uint8Array(1024);
  /** The record has a number of `sharedPhones`. */
  hasSharedPhone = false;
  #combined = new Float64Array(1024);
  #longer = new Float64Array(1024);

  /** Replaces the guesses with those of another record. `sharedPhones`: normalized numbers that belong to an office. */
  fill(person: NormalizedDemographics, sharedPhones = NO_PHONES): void {
    this.hasSharedPhone = person.phones.some((phone) => sharedPhones.has(phone));
    this.#fill(person, { ...hashed(variedOf(person)), rest: [detailsOf(person)] });
  }

  /** The same keys in the same order, with values that say nothing: hashing those takes longer. */
  fillKeys(person: NormalizedDemographics): void {
    this.#fill(person, { ...mapped(variedOf(person), nothing), rest: [0] });
  }

  #fill(person: NormalizedDemographics, varied: Record<GuessKind['varies'], readonly number[]>): void {
    this.length = 0;
    // An unnamed newborn is never linked without a review.
    if (person.given === UNNAMED_NEWBORN) return;
    const stays = hashedStays(person);
    for (let index = 0; index < GUESS_KINDS.length; index++) {
      const kind = GUESS_KINDS[index] as GuessKind;
      const values = varied[kind.varies];
      if (values.length > 0) this.#add(index, values, this.#combine(index, kind, stays));
    }
  }

  /** Adds the first `count` combined keys with each value. */
  #add(index: number, values: readonly number[], count: number): void {
    const end = this.length + count * values.length;
    if (end > this.keys.length) this.#grow(2 * end);
    let at = this.length;
    for (let v = 0; v < values.length; v++) {
      for (let i = 0; i < count; i++) {
        this.keys[at] = this.#combined[i] as number;
        this.values[at] = values[v] as number;
        this.kinds[at] = index;
        at += 1;
      }
    }
    this.length = end;
  }

  #grow(size: number): void {
    const { keys, values, kinds } = this;
    this.keys = new Float64Array(size);
    this.values = new Float64Array(size);
    this.kinds = new Uint8Array(size);
    this.keys.set(keys);
    this.values.set(values);
    this.kinds.set(kinds);
  }

  /** Combines the hashes of everything that stays, and returns how many keys there are. */
  #combine(index: number, kind: GuessKind, stays: Record<Stays, readonly number[]>): number {
    this.#combined[0] = index;
    let count = 1;
    for (const field of kind.stays) {
      const values = stays[field];
      const length = count * values.length;
      if (length > this.#longer.length) this.#longer = new Float64Array(2 * length);
      combineEach(this.#combined, count, values, this.#longer);
      [this.#combined, this.#longer] = [this.#longer, this.#combined];
      count = length;
    }
    return count;
  }

  guessAt(i: number): Guess {
    const kind = GUESS_KINDS[this.kinds[i] ?? 0] as GuessKind;
    const isShared = this.hasSharedPhone && kind.stays.includes('phone');
    return { kind, key: this.keys[i] ?? 0, value: this.values[i] ?? 0, isShared };
  }

  guesses = (): Guess[] => Array.from({ length: this.length }, (_, i) => this.guessAt(i));
}

const mapped = <K extends string>(
  values: Record<K, readonly string[]>,
  to: (value: string) => number,
): Record<K, number[]> =>
  Object.fromEntries(Object.entries<readonly string[]>(values).map(([field, each]) => [field, each.map(to)])) as Record<
    K,
    number[]
  >;

const nothing = (): number => 0;

/** Hashes every value once, since the kinds combine the same few values again and again. */
const hashed = <K extends string>(values: Record<K, readonly string[]>): Record<K, number[]> => mapped(values, hashOf);

function hashedStays(person: NormalizedDemographics): Record<Stays, number[]> {
  const { given, family, ...rest } = hashed(staysOf(person));
  const { 'given~': roughGiven, 'family~': roughFamily } = rest;
  return { ...rest, given, family, names: inAnyOrder(given, family), 'names~': inAnyOrder(roughGiven, roughFamily) };
}

/** Returns a whole number for each pair, which is the same with the two the other way round. */
const inAnyOrder = (some: readonly number[], others: readonly number[]): number[] =>
  some.flatMap((one) => others.map((other) => Math.floor((one + other) / 2)));

/** How many different values of a kind may be listed at one time in a file of so many rows. */
export const mostOf = ({ most, growth }: Pick<GuessKind, 'most' | 'growth'>, rows: number): number =>
  Math.max(most, growth * Math.sqrt(rows));

/** Hash of everything that identifies the person. */
export const detailsOf = (person: NormalizedDemographics): number => hashOf(JSON.stringify(variedOf(person)));

/** The name as one word each, in either order, and in the forms that also typos share, hashed; empty if a part is missing. */
export function nameKeys(person: NormalizedDemographics): { exact: number[]; rough: number[] } {
  if (person.given === null || person.family === null) return { exact: [], rough: [] };
  const { names: exact, 'names~': rough } = hashedStays(person);
  return { exact, rough };
}

const list = (value: string | null): readonly string[] => (value === null || value === '' ? [] : [value]);

function staysOf(person: NormalizedDemographics): Record<Exclude<Stays, 'names' | 'names~'>, readonly string[]> {
  const { givenForms, givenParts, givenWhole, familyParts, familyWhole, houseNumber, streetName, zip } = person;
  const [given, family] = [roughly(givenWhole, [...givenForms, ...givenParts]), roughly(familyWhole, familyParts)];
  const sound = streetName === '' ? null : soundex(streetName);
  const isNameless = givenWhole === '' && familyWhole === '';
  return {
    given: isName(givenWhole) ? givenForms : [],
    'given~': given,
    family: list(familyWhole),
    'family~': isNameless ? [] : family,
    birthDate: list(person.birthDate && withoutOrder(person.birthDate)),
    house: pair(houseNumber, zip),
    home: [...pair(houseNumber, zip), ...pair(houseNumber, sound), ...pair(zip, sound)],
    zip: list(zip),
    ssnLast4: list(person.ssnLast4),
    phone: person.phones,
    medicareId: list(person.medicareId),
    'medicareId~': list(person.medicareId).flatMap((id) => [`^${id.slice(0, 5)}`, `${id.slice(-5)}$`]),
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

/** Day and month may be swapped. */
const withoutOrder = (date: string): string => `${date.slice(0, 4)}:${date.slice(5).split('-').toSorted().join('-')}`;

const pair = (a: string | null, b: string | null): string[] => (a === null || b === null ? [] : [`${a}:${b}`]);

/** An initial agrees with too many names to be tried out. */
const isName = (given: string): boolean => given.length > 1;
