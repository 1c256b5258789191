/**
 * Estimates how often two records of one person agree in each field, from pairs of which nobody knows who is who: expectation-maximization (Dempster,
 * Laird and Rubin, 1977; for linkage Winkler, 1988). Each round asks how likely each pair is a match by the present numbers, and then counts levels, every
 * pair as much as it is likely a match.
 */

/** A pair of records, reduced to what the estimate needs. Contains no values. Probabilities are relative: a common factor of all changes nothing. */
export interface ObservedPair {
  /** Positions in `Estimate.match` of what was observed, except for the address. */
  cells: readonly number[];
  /** The same for the parts of the address, and how often someone who moved has such a one. */
  address: readonly number[];
  moved: number;
  /** How often the rest occurs between two records of one person. */
  rest: number;
  /** How often all of it occurs between relatives, times how many of them come with each match. */
  relatives: number;
  /** How often all of it occurs between strangers. */
  stranger: number;
  /** Whether a person decided that the pair is a match. */
  isMatch?: boolean | undefined;
}

/** Cells of one row are the levels of one field: their probabilities add up to 1. */
export interface Start {
  /** By cell: its row, and how often it occurs between two records of one person. */
  rows: readonly number[];
  match: readonly number[];
  /** How many records of one person are from before and after a move. */
  moved: number;
  /** The share of pairs that are matches or relatives. */
  share: number;
}

export interface Estimate {
  match: number[];
  moved: number;
  share: number;
  /** How many matches were counted by cell, in all, and with an address. */
  counts: number[];
  matches: number;
  addresses: number;
  /** The log-likelihood of the pairs before each round. Never falls. */
  likelihoods: number[];
}

const MOST_ROUNDS = 500;
/** It ends when a round adds less than this per pair. */
const LEAST_GAIN = 1e-9;

/** Returns the estimate; a row that no match has keeps what it started with. */
export function estimate(pairs: readonly ObservedPair[], start: Start): Estimate {
  let now: Estimate = {
    ...start,
    match: normalized(start.match, start.rows),
    counts: [],
    matches: 0,
    addresses: 0,
    likelihoods: [],
  };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = improve(pairs, start.rows, now);
    const [before, after] = [now.likelihoods.at(-1) ?? Number.NEGATIVE_INFINITY, next.likelihoods.at(-1) ?? 0];
    now = next;
    if (after - before < LEAST_GAIN * pairs.length) break;
  }
  return now;
}

/** One round. */
function improve(pairs: readonly ObservedPair[], rows: readonly number[], before: Estimate): Estimate {
  const counts: number[] = before.match.map(() => 0);
  let [likelihood, related, matches, addresses, moved] = [0, 0, 0, 0, 0];
  const product = (cells: readonly number[]): number => cells.reduce((all, cell) => all * (before.match[cell] ?? 0), 1);
  for (const pair of pairs) {
    const stayed = (1 - before.moved) * product(pair.address);
    const atHome = stayed + before.moved * pair.moved;
    const asMatch = before.share * pair.rest * product(pair.cells) * atHome;
    const { match, others, strangers } = byKnowledge(pair, asMatch, before.share);
    const all = match + others + strangers;
    likelihood += Math.log(all);
    related += (match + others) / all;
    const weight = match / all;
    matches += weight;
    for (const cell of pair.cells) counts[cell] = (counts[cell] ?? 0) + weight;
    if (pair.address.length === 0) continue;
    const home = atHome > 0 ? weight * (stayed / atHome) : 0;
    for (const cell of pair.address) counts[cell] = (counts[cell] ?? 0) + home;
    addresses += weight;
    moved += weight - home;
  }
  return {
    match: normalized(counts, rows, before.match),
    moved: addresses > 0 ? moved / addresses : before.moved,
    share: related / pairs.length,
    counts,
    matches,
    addresses,
    likelihoods: [...before.likelihoods, likelihood],
  };
}

/** What the pair may be, without what a person ruled out. */
function byKnowledge(
  { relatives, stranger, isMatch }: ObservedPair,
  asMatch: number,
  share: number,
): { match: number; others: number; strangers: number } {
  const nonMatch = { others: share * relatives, strangers: (1 - share) * stranger };
  if (isMatch === undefined) return { match: asMatch, ...nonMatch };
  return isMatch ? { match: asMatch, others: 0, strangers: 0 } : { match: 0, ...nonMatch };
}

/** Makes the cells of each row add up to 1. Rows without any count become those of `otherwise`. */
function normalized(
  counts: readonly number[],
  rows: readonly number[],
  otherwise: readonly number[] = counts,
): number[] {
  const sums: number[] = [];
  for (const [cell, row] of rows.entries()) sums[row] = (sums[row] ?? 0) + (counts[cell] ?? 0);
  return rows.map((row, cell) => {
    const sum = sums[row] ?? 0;
    return sum > 0 ? (counts[cell] ?? 0) / sum : (otherwise[cell] ?? 0);
  });
}
