import type { Codes } from './typed-arrays.ts';

/**
 * The loops over rows that find out which match. Each sees arrays of one kind and does nothing else, so that the compiler makes tight code of it:
 * no branch on a row's value, no call, no allocation.
 */

/** State of a row that fails more than one filter, or one that is never left out. */
export const EXCLUDED = 255;

/**
 * A row's state after one more test: `failing` is -1 where it fails the filter `state`, else 0. A row that failed another
 * one before fails both from now on.
 */
const after = (before: number, failing: number, state: number): number =>
  before | (failing & (state | -((before + 255) >> 8)));

export function failAll(rowStates: Uint8Array, rows: number, state: number): void {
  for (let row = 0; row < rows; row += 1) rowStates[row] = after(rowStates[row] as number, -1, state);
}

/** `passing[code]` is 0 or, where the code does not pass, -1. */
export function failByCode(
  rowStates: Uint8Array,
  rows: number,
  column: Codes,
  shift: number,
  mask: number,
  passing: Int8Array,
  state: number,
): void {
  for (let row = 0; row < rows; row += 1) {
    const failing = passing[((column[row] as number) >>> shift) & mask] as number;
    rowStates[row] = after(rowStates[row] as number, failing, state);
  }
}

/** -1 where the number lies outside of `low` to `low + width`, else 0: the borrow of `width - (value - low)`, unsigned. */
function outside(value: number, low: number, width: number): number {
  const above = (value - low) | 0;
  return ((~width & above) | ((~width | above) & (width - above))) >> 31;
}

/** `low` is above `NO_NUMBER`, which therefore fails. `width` is a difference modulo 2^32. */
export function failOutside(
  rowStates: Uint8Array,
  rows: number,
  column: Int32Array,
  low: number,
  width: number,
  state: number,
): void {
  for (let row = 0; row < rows; row += 1) {
    const failing = outside(column[row] as number, low, width);
    rowStates[row] = after(rowStates[row] as number, failing, state);
  }
}

/** What lies inside fails, and `none` too. */
export function failInside(
  rowStates: Uint8Array,
  rows: number,
  column: Int32Array,
  low: number,
  width: number,
  none: number,
  state: number,
): void {
  for (let row = 0; row < rows; row += 1) {
    const value = column[row] as number;
    const other = value ^ none;
    const failing = ~outside(value, low, width) | ~((other | -other) >> 31);
    rowStates[row] = after(rowStates[row] as number, failing, state);
  }
}

/** `hits`: how many wanted values the row has, plus 65,536 for each unwanted one. `wanted`: 1 where one is needed, else 0. */
export function failByHits(rowStates: Uint8Array, rows: number, hits: Int32Array, wanted: number, state: number): void {
  for (let row = 0; row < rows; row += 1) {
    const hit = hits[row] as number;
    const failing = (((hit & 0xffff) - wanted) >> 31) | ((0xffff - hit) >> 31);
    rowStates[row] = after(rowStates[row] as number, failing, state);
  }
}

/** A child row fails what its parent row fails. */
export function lift(rowStates: Uint8Array, rows: number, above: Uint8Array, parentRows: Int32Array): void {
  for (let row = 0; row < rows; row += 1) rowStates[row] = above[parentRows[row] as number] as number;
}

export function orFromParent(target: Int32Array, rows: number, above: Int32Array, parentRows: Int32Array): void {
  for (let row = 0; row < rows; row += 1)
    target[row] = (target[row] as number) | (above[parentRows[row] as number] as number);
}

/** Words that fit a row: each kind of fit has ten bits, the better the higher. */
export const FITS = { typo: 1, prefix: 1 << 10, exact: 1 << 20 };

/** Adds the best fit (1 to 3) to the row's score; a row without one fails. */
export function failByFit(rowStates: Uint8Array, scores: Uint8Array, rows: number, fits: Int32Array): void {
  for (let row = 0; row < rows; row += 1) {
    const fit = fits[row] as number;
    const best = (-fit >>> 31) + ((1023 - fit) >>> 31) + (((1 << 20) - 1 - fit) >>> 31);
    scores[row] = (scores[row] as number) + best;
    rowStates[row] = (rowStates[row] as number) | ((best - 1) >> 31);
  }
}

/** How many rows are in each state, into 257 sums: `bounds[s]` rows are in states below s. */
export function boundsOf(rowStates: Uint8Array, rows: number, bounds: Int32Array): void {
  const counts = new Int32Array(1024);
  let row = 0;
  // Four counters for each state: two neighbours in the same state do not wait for each other.
  for (; row + 3 < rows; row += 4) {
    counts[rowStates[row] as number]! += 1;
    counts[256 + (rowStates[row + 1] as number)]! += 1;
    counts[512 + (rowStates[row + 2] as number)]! += 1;
    counts[768 + (rowStates[row + 3] as number)]! += 1;
  }
  for (; row < rows; row += 1) counts[rowStates[row] as number]! += 1;
  let sum = 0;
  for (let state = 0; state < 256; state += 1) {
    bounds[state] = sum;
    for (let part = state; part < 1024; part += 256) sum += counts[part] as number;
  }
  bounds[256] = sum;
}

/** The rows of one state after those of another, ascending within each. */
export function group(rowStates: Uint8Array, rows: number, bounds: Int32Array, grouped: Int32Array): void {
  const next = bounds.slice(0, 256);
  for (let row = 0; row < rows; row += 1) {
    const state = rowStates[row] as number;
    const at = next[state] as number;
    grouped[at] = row;
    next[state] = at + 1;
  }
}
