/** How well two records agree, and how many others would agree as well: a Fellegi-Sunter score (docs/matching.md). */

import { commonShare, type NameSnapshot } from './common-values.ts';
import type { Comparison, Level } from './comparison.ts';
import type { NormalizedDemographics } from './demographics.ts';
import {
  ADDRESS,
  ADDRESS_FIELDS,
  type AddressRow,
  COUNTS,
  EXPECTED_FALSE_LIMIT,
  FEWEST_STRANGERS,
  GROWN,
  MOVED,
  OMITTED,
  PARAMETERS,
  type Population,
  RELATIVES,
  type Relative,
  type Row,
  type Rows,
  SHARED,
} from './parameters.ts';
import { type Outcome, tailOf } from './tail.ts';

export interface Score {
  /** Log2 of how much likelier the agreement is between two records of one person than between strangers. */
  bits: number;
  /** How many people other than the right one are expected to agree as well, per subject. */
  expectedFalse: number;
  /** How much likelier it is that the two are relatives than that they are one person. */
  relatives: number;
}

/** A review is expected for at most this share of the subjects who are on no list. */
const MOST_STRANGERS = 0.1;
const MOST_RELATIVES = 2;

/** The share of strangers with so high a score is not taken to be smaller than its upper bound by more than this. */
const MOST_GAIN = 16;

/** Whether a person has to look: hardly any stranger agrees so well, and no relative is much likelier. */
export const isWorthReview = ({ bits, relatives }: Score): boolean =>
  FEWEST_STRANGERS * 2 ** -bits <= MOST_STRANGERS && relatives <= MOST_RELATIVES;

/** How often an agreement occurs between two records of one person, and between those of two people. */
export type Probabilities = Record<Population | 'match', number>;

/** Scores a comparison of two records. `names`: how common names are on the installation's own lists; without, published shares count alone. */
export function scoreOf(
  a: NormalizedDemographics,
  b: NormalizedDemographics,
  levels: Comparison,
  names: NameSnapshot | null = null,
): Score {
  const parts = partsOf(levels, commonShare(a, b, levels, names));
  const observed = parts.map(({ observed }) => observed);
  const bits = observed.reduce((sum, { match, stranger }) => sum + Math.log2(match / stranger), 0);
  const relatives = relativesIn(observed, possibleRelatives(a, b));
  const mistaken = relatives * omittedIn(levels);
  // At most 1 in 2^bits strangers scores so high; how many exactly takes longer to find out, and matters near the limit only.
  // Fields are not quite as independent as the sum assumes, so that it counts up to a point.
  const most = FEWEST_STRANGERS * 2 ** -bits;
  const isNearLimit =
    most > EXPECTED_FALSE_LIMIT && most < EXPECTED_FALSE_LIMIT * MOST_GAIN && mistaken < EXPECTED_FALSE_LIMIT;
  const share = isNearLimit
    ? tailOf(
        parts.map(({ outcomes }) => outcomes()),
        bits,
      )
    : 1;
  const strangers = Math.min(most, Math.max(FEWEST_STRANGERS * share, most / MOST_GAIN));
  return { bits: rounded(bits), expectedFalse: rounded(strangers + mistaken), relatives };
}

/** Platforms differ in the last digits of a logarithm. */
const rounded = (value: number): number => Number(value.toPrecision(6));

function relativesIn(observed: readonly Probabilities[], possible: readonly Relative[]): number {
  const of = (relative: Relative): number =>
    observed.reduce((product, part) => product * (part[relative] / part.match), COUNTS[relative]);
  return possible.reduce((sum, relative) => sum + of(relative), 0);
}

/** Which relatives two records may be of: twins are grown or not. */
export function possibleRelatives(a: NormalizedDemographics, b: NormalizedDemographics): readonly Relative[] {
  const never: Relative = isGrown(a) && isGrown(b) ? 'twin' : 'grownTwin';
  return RELATIVES.filter((relative) => relative !== never);
}

const isGrown = ({ birthDate }: NormalizedDemographics): boolean => birthDate !== null && birthDate < GROWN;

/**
 * How often a record lacks what these two lack. Of someone who lacks two of name, family name and birth date next to nothing is known, so
 * that rarity counts for nothing.
 */
function omittedIn({ given, family, birthDate }: Comparison): number {
  if ([given, family, birthDate].filter((level) => level === 'missing').length > 1) return 1;
  const share = birthDate === 'missing' ? OMITTED.birthDate : 1;
  if (given === 'missing') return share * OMITTED.given;
  return given === 'initial' ? share * OMITTED.initial : share;
}

/** Fields that are independent of all others, with what was observed and what else could have been. */
export interface Part {
  field: keyof typeof PARAMETERS | 'address';
  observed: Probabilities;
  outcomes: () => readonly Outcome[];
}

const FIELDS = Object.keys(PARAMETERS) as (keyof typeof PARAMETERS)[];

/** Returns how often the agreement in each field that both records have occurs. `shares`: `commonShare` of the two. */
export function partsOf(levels: Comparison, shares: ReturnType<typeof commonShare>): Part[] {
  const parts: Part[] = [];
  for (const field of FIELDS) {
    const rows = PARAMETERS[field];
    const row = rows[levels[field]];
    if (row === undefined) continue;
    const share = shares[field] ?? 0;
    const isExact = levels[field] === 'exact';
    const observed =
      field in SHARED.twin
        ? ofShared(row, field as keyof typeof SHARED.twin, isExact ? share : 0)
        : ofRow(row, isExact ? share : 0);
    parts.push({ field, observed, outcomes: () => outcomesOf(rows, share) });
  }
  if (ADDRESS_FIELDS.some((field) => levels[field] !== 'missing'))
    parts.push({ field: 'address', observed: ofAddress(levels), outcomes: () => addressOutcomes(levels) });
  return parts;
}

const forAll = (of: (population: Population) => number, match: number): Probabilities => ({
  match,
  stranger: of('stranger'),
  neighbor: of('neighbor'),
  contact: of('contact'),
  household: of('household'),
  sibling: of('sibling'),
  twin: of('twin'),
  grownTwin: of('grownTwin'),
  namesake: of('namesake'),
});

function ofRow([match, least, relatives = {}]: Row, share: number): Probabilities {
  const stranger = Math.max(least, share);
  return forAll((population) => {
    if (population === 'stranger') return stranger;
    return relatives[population] ?? (population === 'grownTwin' ? relatives.twin : undefined) ?? stranger;
  }, match);
}

/** Relatives who share a value have it as one person would, the others as strangers do. */
function ofShared([match, least]: Row, field: keyof typeof SHARED.twin, share: number): Probabilities {
  const stranger = Math.max(least, share);
  return forAll((population) => {
    const shared = population === 'stranger' ? 0 : SHARED[population][field];
    return shared * match + (1 - shared) * stranger;
  }, match);
}

/** The parts of an address depend on each other: they are those of someone who stayed, or who moved. */
export function ofAddress(levels: AddressLevels): Probabilities {
  const rows = addressLevels(levels).map(([row, level]) => ADDRESS[row][level] as AddressRow);
  const product = (column: 0 | 1 | 2): number => rows.reduce((all, row) => all * row[column], 1);
  const [stayed, moved, stranger] = [product(0), product(1), product(2)];
  return forAll(
    (population) => {
      if (population === 'stranger') return stranger;
      // Relatives who live elsewhere live in the same region, as someone who moved does.
      const shared = SHARED[population].address;
      return shared * stayed + (1 - shared) * moved;
    },
    (1 - MOVED) * stayed + MOVED * moved,
  );
}

type AddressLevels = Pick<Comparison, (typeof ADDRESS_FIELDS)[number]>;

/** Returns the rows of the table and the levels in them that an address is compared by. */
export function addressLevels({
  zip,
  city,
  street,
  houseNumber,
  unit,
}: AddressLevels): [row: keyof typeof ADDRESS, level: Level][] {
  const isSameZip = zip === 'exact';
  const levels: [keyof typeof ADDRESS, Level][] = [
    ['zip', zip],
    [isSameZip ? 'cityInZip' : 'city', city],
    [isSameZip ? 'streetInZip' : 'street', street],
    ['houseNumber', houseNumber],
    ['unit', unit],
  ];
  return levels.filter(([row, level]) => ADDRESS[row][level] !== undefined);
}

function outcomesOf(rows: Rows, share: number): Outcome[] {
  return Object.entries(rows).map(([level, [match, least]]) => {
    const stranger = level === 'exact' ? Math.max(least, share) : least;
    return { bits: Math.log2(match / stranger), probability: stranger };
  });
}

const known = new Map<string, readonly Outcome[]>();

/** All combinations of levels of the parts that both addresses have. */
function addressOutcomes(levels: Comparison): readonly Outcome[] {
  const present = ADDRESS_FIELDS.filter((field) => levels[field] !== 'missing');
  const key = present.join();
  const before = known.get(key);
  if (before !== undefined) return before;
  let combinations: Record<string, Level>[] = [{}];
  for (const field of present)
    combinations = combinations.flatMap((each) =>
      (Object.keys(ADDRESS[field]) as Level[]).map((level) => ({ ...each, [field]: level })),
    );
  const outcomes = combinations.map((each) => {
    const { match, stranger } = ofAddress({ ...levels, ...each });
    return { bits: Math.log2(match / stranger), probability: stranger };
  });
  known.set(key, outcomes);
  return outcomes;
}
