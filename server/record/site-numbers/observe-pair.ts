/** Reduces a compared pair to what the estimate needs, by the table of the matcher (`scoring/parameters.ts`). */
import { commonShare, type ListSnapshot } from '#server/record/scoring/common-values.ts';
import { type Comparison, compare, type Level } from '#server/record/scoring/comparison.ts';
import type { NormalizedDemographics } from '#server/record/scoring/demographics.ts';
import {
  ADDRESS,
  ADDRESS_FIELDS,
  COUNTS,
  MOVED,
  PARAMETERS,
  type Population,
} from '#server/record/scoring/parameters.ts';
import { addressPart, addressRow, type Part, partsOf, relativesOf } from '#server/record/scoring/score.ts';
import type { ObservedPair, Start } from './expectation-maximization.ts';

type PartField = Part['field'];
export type Row = keyof typeof PARAMETERS | keyof typeof ADDRESS;

/** A number of the table: how often a level occurs between two records of one person. */
export interface Cell {
  row: Row;
  level: Level;
  match: number;
}

/**
 * Pairs that share a kind of blocking key (`scoring/blocking.ts`). What is in the key agrees because of it and says nothing about how often it
 * does, so another kind of pairs estimates it.
 */
export interface Sample {
  /** The letter of the key. */
  key: 'D' | 'Z';
  name: string;
  inKey: readonly PartField[];
  /** Whether the ZIP code is in the key. */
  hasZip: boolean;
  /** Undefined for all fields that are not in the key. */
  estimated?: readonly PartField[];
}

export const SAMPLES: readonly Sample[] = [
  { key: 'D', name: 'the same birth date', inKey: ['birthDate'], hasZip: false },
  {
    key: 'Z',
    name: 'names that sound the same, in one ZIP code',
    inKey: ['given', 'family'],
    hasZip: true,
    estimated: ['birthDate'],
  },
];

/** Whether the pairs of the sample say how often the field agrees. */
export const isEstimated = ({ inKey, estimated }: Sample, field: PartField): boolean =>
  estimated?.includes(field) ?? !inKey.includes(field);

/** Returns the field that a row of the table is of. */
export const fieldOf = (row: Row): PartField => (row in ADDRESS ? 'address' : (row as keyof typeof PARAMETERS));

const toCells = (row: Row, levels: Partial<Record<Level, readonly [number, ...unknown[]]>>): Cell[] =>
  // A name that is in the other's field is counted as a given name.
  Object.entries(levels)
    .filter(([level]) => row !== 'family' || level !== 'swapped')
    .map(([level, [match]]) => ({ row, level: level as Level, match }));

/** All numbers that can be estimated, in the order of the table. Those of an address are of people who stayed. */
export const CELLS: readonly Cell[] = [
  ...Object.entries(PARAMETERS).flatMap(([row, levels]) => toCells(row as Row, levels)),
  ...Object.entries(ADDRESS).flatMap(([row, levels]) => toCells(row as Row, levels)),
];

const ROWS = [...new Set(CELLS.map(({ row }) => row))];
const POSITIONS = new Map(CELLS.map(({ row, level }, position) => [`${row} ${level}`, position]));

/** What the estimate starts with: the table. Few pairs of a kind of key are matches. */
export const START: Start = {
  rows: CELLS.map(({ row }) => ROWS.indexOf(row)),
  match: CELLS.map(({ match }) => match),
  moved: MOVED,
  share: 0.05,
};

/** An observed pair, and whether given and family name both differ. */
export type ComparedPair = ObservedPair & { isOtherName: boolean };

/** What is known beside the two records. */
export interface Knowledge {
  snapshot?: ListSnapshot | null;
  /** What a person decided about the two. */
  isMatch?: boolean | undefined;
}

/** Compares two records that share a key of the sample. */
export function observePair(
  sample: Sample,
  a: NormalizedDemographics,
  b: NormalizedDemographics,
  { snapshot = null, isMatch }: Knowledge = {},
): ComparedPair {
  const levels = compare(a, b);
  const { inKey, others } = splitParts(sample, levels, partsOf(levels, commonShare(a, b, levels, snapshot)));
  const product = (parts: readonly Part[], of: Population | 'match'): number =>
    parts.reduce((all, part) => all * likelihoodOf(part, of), 1);
  const relatives = relativesOf(a, b).map((relative) => ({
    // How many relatives with such a key come with each match.
    number: (COUNTS[relative] * product(inKey, relative)) / product(inKey, 'match'),
    likelihood: product(others, relative),
  }));
  const all = 1 + relatives.reduce((sum, { number }) => sum + number, 0);
  const estimated = others.filter(({ field }) => isEstimated(sample, field));
  const rest = others.filter(({ field }) => !isEstimated(sample, field));
  const address = estimated.some(({ field }) => field === 'address') ? addressLevels(levels) : [];
  const cells = estimated.flatMap(({ field }): [Row, Level][] => (field === 'address' ? [] : [[field, levels[field]]]));
  return {
    cells: positionsOf(cells),
    address: positionsOf(address),
    moved: address.reduce((product, [row, level]) => product * (ADDRESS[row][level]?.[1] ?? 1), 1),
    rest: product(rest, 'match') / all,
    relatives: relatives.reduce((sum, { number, likelihood }) => sum + number * likelihood, 0) / all,
    stranger: product(others, 'stranger'),
    isMatch,
    isOtherName: levels.given === 'differs' && levels.family === 'differs',
  };
}

function likelihoodOf(part: Part, of: Population | 'match'): number {
  return of === 'match' || of === 'stranger' ? part[of] : part.relative(of);
}

/** Returns the rows of the table that an address is compared by, and its levels in them. */
const addressLevels = (levels: Comparison): [row: keyof typeof ADDRESS, level: Level][] =>
  ADDRESS_FIELDS.map((field): [keyof typeof ADDRESS, Level] => [addressRow(field, levels), levels[field]]).filter(
    ([row, level]) => ADDRESS[row][level] !== undefined,
  );

function splitParts(sample: Sample, levels: Comparison, parts: readonly Part[]): { inKey: Part[]; others: Part[] } {
  const inKey = parts.filter(({ field }) => sample.inKey.includes(field));
  const others = parts.filter(({ field }) => !sample.inKey.includes(field));
  if (!sample.hasZip) return { inKey, others };
  // The ZIP code is in the key, the rest of the address is not.
  const zip = { ...addressPart({ ...NO_ADDRESS, zip: levels.zip }), outcomes: () => [] };
  const withinZip = (part: Part): Part => ({
    ...part,
    match: part.match / zip.match,
    stranger: part.stranger / zip.stranger,
    relative: (relative) => part.relative(relative) / zip.relative(relative),
  });
  return {
    inKey: [...inKey, zip],
    others: others.map((part) => (part.field === 'address' ? withinZip(part) : part)),
  };
}

const NO_ADDRESS = {
  zip: 'missing',
  city: 'missing',
  street: 'missing',
  houseNumber: 'missing',
  unit: 'missing',
} as const;

const positionsOf = (levels: readonly (readonly [Row, Level])[]): number[] =>
  levels.flatMap(([row, level]) => POSITIONS.get(`${row} ${level}`) ?? []);

/** So many pairs weigh as much as the table says about strangers' addresses. */
const WEIGHT_OF_TABLE = 200;

/**
 * Strangers on the same lists live near one another: the table, which holds for a whole country, is replaced by what is seen in pairs whose names both
 * differ. Otherwise everyone with the same birth date in the same ZIP code would look like a match.
 */
export function withLocalAddresses(pairs: readonly ComparedPair[]): ObservedPair[] {
  const table = CELLS.map(({ row, level }) =>
    row in ADDRESS ? (ADDRESS[row as keyof typeof ADDRESS][level]?.[2] ?? 0) : 0,
  );
  const seen = table.map((stranger) => stranger * WEIGHT_OF_TABLE);
  const totals = ROWS.map(() => WEIGHT_OF_TABLE);
  for (const { address, isOtherName } of pairs) {
    if (!isOtherName) continue;
    for (const cell of address) {
      seen[cell] = (seen[cell] ?? 0) + 1;
      const row = START.rows[cell] ?? 0;
      totals[row] = (totals[row] ?? 0) + 1;
    }
  }
  const ratio = (cell: number): number => (seen[cell] ?? 0) / (totals[START.rows[cell] ?? 0] ?? 1) / (table[cell] ?? 1);
  return pairs.map((pair) => ({
    ...pair,
    stranger: pair.address.reduce((all, cell) => all * ratio(cell), pair.stranger),
  }));
}
