/** How well two records agree, and how many others would agree as well: a Fellegi-Sunter score (docs/matching.md). */

import { commonShare, type ListSnapshot } from './common-values.ts';
import type { Comparison, Level } from './comparison.ts';
import type { NormalizedDemographics } from './demographics.ts';
import {
  ADDRESS,
  ADDRESS_FIELDS,
  type AddressField,
  COUNTS,
  EXPECTED_FALSE_LIMIT,
  FEWEST_STRANGERS,
  GROWN,
  MOVED,
  OMITTED,
  PARAMETERS,
  RELATIVES,
  type Relative,
  type Row,
  type Rows,
  SHARED,
  ZIP_OF_NAME,
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
const MOST_RELATIVES = 10;

/** The share of strangers with so high a score is not taken to be smaller than its upper bound by more than this. */
const MOST_GAIN = 64;

/** Whether hardly any stranger agrees so well. */
export const mayBeWorthReview = (bits: number): boolean => FEWEST_STRANGERS * 2 ** -bits <= MOST_STRANGERS;

/** Whether a person has to look: hardly any stranger agrees so well, and no relative is much likelier. */
export const isWorthReview = ({ bits, relatives }: Score): boolean =>
  mayBeWorthReview(bits) && relatives <= MOST_RELATIVES;

/** Fields that are independent of all others: how often what was observed occurs, and what else could have been. */
export interface Part {
  field: keyof typeof PARAMETERS | 'address';
  match: number;
  stranger: number;
  relative(relative: Relative): number;
  outcomes(): readonly Outcome[];
}

/**
 * Scores a comparison of two records. `snapshot`: what the installation's own lists are like; without, the published shares and our counts of
 * relatives hold. That a name is more common on its lists makes no link that the published shares would not make.
 */
export function scoreOf(
  a: NormalizedDemographics,
  b: NormalizedDemographics,
  levels: Comparison,
  snapshot: ListSnapshot | null = null,
): Score {
  const score = scoreBy(a, b, levels, snapshot);
  if (snapshot === null || score.expectedFalse > EXPECTED_FALSE_LIMIT) return score;
  // The shares of strangers are approximate, and may be smaller with more common names by a few times.
  const published = scoreBy(a, b, levels, { ...snapshot, given: NO_NAMES, family: NO_NAMES });
  return { ...score, expectedFalse: Math.max(score.expectedFalse, published.expectedFalse) };
}

const NO_NAMES: ReadonlyMap<string, number> = new Map();

function scoreBy(
  a: NormalizedDemographics,
  b: NormalizedDemographics,
  levels: Comparison,
  snapshot: ListSnapshot | null,
): Score {
  const shares = commonShare(a, b, levels, snapshot);
  const bits = bitsOf(levels, shares);
  const people = Math.max(FEWEST_STRANGERS, snapshot?.persons ?? 0);
  // At most 1 in 2^bits strangers scores so high.
  const most = people * 2 ** -bits;
  if (!mayBeWorthReview(bits)) return { bits, expectedFalse: most, relatives: 0 };
  const parts = partsOf(levels, shares);
  const relatives = relativesIn(parts, relativesOf(a, b)) * shareOfRelatives(snapshot);
  const mistaken = relatives * omittedIn(levels);
  const strangers = mistaken < EXPECTED_FALSE_LIMIT ? strangersIn(parts, bits, people) : most;
  return { bits: rounded(bits), expectedFalse: rounded(strangers + mistaken), relatives };
}

/**
 * How many strangers score so high, which takes longer to find out than the upper bound, and matters near the limit only. Fields are
 * not quite as independent as the sum assumes, so it counts up to a point.
 */
function strangersIn(parts: readonly Part[], bits: number, people: number): number {
  const most = people * 2 ** -bits;
  if (most <= EXPECTED_FALSE_LIMIT || most >= EXPECTED_FALSE_LIMIT * MOST_GAIN) return most;
  const share = tailOf(
    parts.map((part) => part.outcomes()),
    bits,
  );
  return Math.min(most, Math.max(people * share, most / MOST_GAIN));
}

/** Platforms differ in the last digits of a logarithm. */
const rounded = (value: number): number => Number(value.toPrecision(6));

function relativesIn(parts: readonly Part[], relatives: readonly Relative[]): number {
  let sum = 0;
  for (const relative of relatives) {
    sum += parts.reduce((product, part) => product * (part.relative(relative) / part.match), COUNTS[relative]);
  }
  return sum;
}

/** How many of the expected relatives share the subject's home. */
const HOUSEMATES = RELATIVES.filter((relative) => relative !== 'contact' && relative !== 'neighbor').reduce(
  (sum, relative) => sum + COUNTS[relative] * SHARED[relative].address,
  0,
);

/**
 * How many of the expected relatives the lists have: a list of a few people of each street has hardly any, and a state's has all. Someone
 * who isn't listed is taken to have as many listed relatives as someone who is.
 */
const shareOfRelatives = (snapshot: ListSnapshot | null): number =>
  snapshot === null ? 1 : Math.min(1, snapshot.housemates / HOUSEMATES);

const isGrown = ({ birthDate }: NormalizedDemographics): boolean => birthDate !== null && birthDate < GROWN;

const RELATIVES_OF_THE_GROWN = RELATIVES.filter((relative) => relative !== 'twin');
const RELATIVES_OF_THE_YOUNG = RELATIVES.filter((relative) => !relative.startsWith('grownTwin'));

/** Returns the relatives that two people of their age may be. */
export const relativesOf = (a: NormalizedDemographics, b: NormalizedDemographics): readonly Relative[] =>
  isGrown(a) && isGrown(b) ? RELATIVES_OF_THE_GROWN : RELATIVES_OF_THE_YOUNG;

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

const FIELDS = Object.keys(PARAMETERS) as (keyof typeof PARAMETERS)[];
const isShared = (field: string): field is keyof typeof SHARED.twin => field in SHARED.twin;

/** Populations that agree as another one does, where the table has no number of their own. */
const KIN: Partial<Record<Relative, Relative>> = {
  grownTwin: 'twin',
  grownTwinAtHome: 'grownTwin',
  namesakeAtHome: 'namesake',
};

/** A field besides the address. A class, because a message or a row has thousands of them. */
class FieldPart implements Part {
  readonly field: keyof typeof PARAMETERS;
  readonly match: number;
  readonly stranger: number;
  readonly #relatives: Partial<Record<Relative, number>> | undefined;
  readonly #common: 'exact' | 'former';
  readonly #share: number;

  /** `share`: how common the value is that both have. */
  constructor(field: keyof typeof PARAMETERS, level: Level, row: Row, share: number) {
    const [match, , relatives] = row;
    this.field = field;
    this.match = match;
    this.#relatives = relatives;
    this.#common = commonOf(level);
    this.#share = share;
    this.stranger = strangerOf(level, row, share);
  }

  relative(each: Relative): number {
    const known = this.#relatives?.[each] ?? this.#relatives?.[KIN[each] ?? each];
    if (known !== undefined) return known;
    return isShared(this.field) ? mixed(SHARED[each][this.field], this.match, this.stranger) : this.stranger;
  }

  outcomes(): Outcome[] {
    return outcomesOf(PARAMETERS[this.field], this.#common, this.#share);
  }
}

/** Returns the fields that both records have. `shares`: `commonShare` of the two. */
export function partsOf(levels: Comparison, shares: ReturnType<typeof commonShare>): Part[] {
  const parts: Part[] = [];
  for (const field of FIELDS) {
    const row = PARAMETERS[field][levels[field]];
    if (row !== undefined) parts.push(new FieldPart(field, levels[field], row, shares[field] ?? 0));
  }
  if (hasAddress(levels)) parts.push(addressOf(levels, shares.family ?? 0));
  return parts;
}

/** Returns what the fields add up to. Most pairs are strangers, so their fields are not made into parts. */
function bitsOf(levels: Comparison, shares: ReturnType<typeof commonShare>): number {
  let bits = 0;
  for (const field of FIELDS) {
    const level = levels[field];
    const row = PARAMETERS[field][level];
    if (row !== undefined) bits += Math.log2(row[0] / strangerOf(level, row, shares[field] ?? 0));
  }
  if (!hasAddress(levels)) return bits;
  const { match, stranger } = addressPart(levels, zipOfNameOf(levels, shares.family ?? 0));
  return bits + Math.log2(match / stranger);
}

/** The level that is about a value that both have, which may be common. */
const commonOf = (level: Level): 'exact' | 'former' => (level === 'former' ? 'former' : 'exact');

const strangerOf = (level: Level, [, least]: Row, share: number): number =>
  level === commonOf(level) ? Math.max(least, share) : least;

const hasAddress = (levels: Comparison): boolean => ADDRESS_FIELDS.some((field) => levels[field] !== 'missing');

function zipOfNameOf({ family }: Comparison, familyShare: number): number {
  if (family !== 'exact') return 1;
  return familyShare >= ZIP_OF_NAME.from ? ZIP_OF_NAME.common : ZIP_OF_NAME.rare;
}

function addressOf(levels: Comparison, familyShare: number): Part {
  const zipOfName = zipOfNameOf(levels, familyShare);
  return { ...addressPart(levels, zipOfName), outcomes: () => addressOutcomes(levels, zipOfName) };
}

/** Relatives who share a value have it as one person would, the others in another way. */
const mixed = (shared: number, asOne: number, otherwise: number): number => shared * asOne + (1 - shared) * otherwise;

/** The parts of an address depend on each other: they are those of someone who stayed, or who moved. */
export function addressPart(levels: AddressLevels, zipOfName = 1): Omit<Part, 'outcomes'> {
  let [stayed, moved, stranger] = [1, 1, 1];
  for (const field of ADDRESS_FIELDS) {
    const row = ADDRESS[addressRow(field, levels)][levels[field]];
    if (row === undefined) continue;
    stayed *= row[0];
    moved *= row[1];
    stranger *= row[2];
  }
  if (levels.zip === 'exact') stranger *= zipOfName;
  // Relatives who live elsewhere live in the same region, as someone who moved does.
  const relative = (each: Relative): number => mixed(SHARED[each].address, stayed, moved);
  return { field: 'address', match: mixed(MOVED, moved, stayed), stranger, relative };
}

type AddressLevels = Pick<Comparison, AddressField>;

/** Returns the row of the table that a part of an address is compared by. */
export function addressRow(field: AddressField, { zip }: Pick<Comparison, 'zip'>): keyof typeof ADDRESS {
  if (zip !== 'exact') return field;
  return field === 'city' ? 'cityInZip' : field === 'street' ? 'streetInZip' : field;
}

/** `share`: of the value that the level `common` is about. */
function outcomesOf(rows: Rows, common: 'exact' | 'former', share: number): Outcome[] {
  return Object.entries(rows).flatMap(([level, [match, least]]) => {
    // Most records have no former name that could agree.
    if (level === 'former' && common !== 'former') return [];
    const stranger = level === common ? Math.max(least, share) : least;
    return { bits: Math.log2(match / stranger), probability: stranger };
  });
}

const known = new Map<string, readonly Outcome[]>();

/** All combinations of levels of the parts that both addresses have. */
function addressOutcomes(levels: Comparison, zipOfName: number): readonly Outcome[] {
  const present = ADDRESS_FIELDS.filter((field) => levels[field] !== 'missing');
  const key = `${present.join()} ${zipOfName}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  let combinations: Record<string, Level>[] = [{}];
  for (const field of present)
    combinations = combinations.flatMap((each) =>
      (Object.keys(ADDRESS[field]) as Level[]).map((level) => ({ ...each, [field]: level })),
    );
  const outcomes = combinations.map((each) => {
    const { match, stranger } = addressPart({ ...levels, ...each }, zipOfName);
    return { bits: Math.log2(match / stranger), probability: stranger };
  });
  known.set(key, outcomes);
  return outcomes;
}
