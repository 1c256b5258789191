import type { Codes } from './typed-arrays.ts';

/**
 * The loops over rows that evaluate filters. Each works on arrays of one type only, so that the compiler emits tight code: no branch on a
 * row's value, no call, no allocation.
 */

/** State of a row that fails more than one filter, or a filter that counts are never taken without. */
export const EXCLUDED = 255;

/**
 * Returns a row's state after one more filter. `failing`: -1 if the row fails the filter `state`, else 0. A row that already failed another
 * filter becomes EXCLUDED.
 */
const after = (before: number, failing: number, state: number): number =>
  before | (failing & (state | -((before + 255) >> 8)));

export function failAll(rowStates: Uint8Array, rows: number, state: number): void {
  for (let row = 0; row < rows; row += 1) rowStates[row] = after(rowStates[row] as number, -1, state);
}

/** `passing[code]`: 0 if the code passes, else -1. */
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

/** Returns -1 if the number is outside `low` to `low + width`, else 0: the borrow of the unsigned subtraction `width - (value - low)`. */
function outside(value: number, low: number, width: number): number {
  const above = (value - low) | 0;
  return ((~width & above) | ((~width | above) & (width - above))) >> 31;
}

/** `low` is above `NO_NUMBER`, so rows without a number fail. `width` is a difference modulo 2^32. */
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

/** Fails rows inside the range, and rows whose value is `none`. */
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

/** `hits`: how many wanted values the row has, plus 65,536 for each unwanted one. `wanted`: 1 if a wanted value is required, else 0. */
export function failByHits(rowStates: Uint8Array, rows: number, hits: Int32Array, wanted: number, state: number): void {
  for (let row = 0; row < rows; row += 1) {
    const hit = hits[row] as number;
    const failing = (((hit & 0xffff) - wanted) >> 31) | ((0xffff - hit) >> 31);
    rowStates[row] = after(rowStates[row] as number, failing, state);
  }
}

/** Copies each parent's state to its child rows. */
export function lift(rowStates: Uint8Array, rows: number, above: Uint8Array, parentRows: Int32Array): void {
  for (let row = 0; row < rows; row += 1) rowStates[row] = above[parentRows[row] as number] as number;
}

export function orFromParent(target: Int32Array, rows: number, above: Int32Array, parentRows: Int32Array): void {
  for (let row = 0; row < rows; row += 1)
    target[row] = (target[row] as number) | (above[parentRows[row] as number] as number);
}

/** How many of a row's words match a search word: ten bits for each kind of match, better matches in higher bits. */
export const FITS = { typo: 1, prefix: 1 << 10, exact: 1 << 20 };

/** Adds the best match (1 to 3) to each row's score; rows without a match fail. */
export function failByFit(rowStates: Uint8Array, scores: Uint8Array, rows: number, fits: Int32Array): void {
  for (let row = 0; row < rows; row += 1) {
    const fit = fits[row] as number;
    const best = (-fit >>> 31) + ((1023 - fit) >>> 31) + (((1 << 20) - 1 - fit) >>> 31);
    scores[row] = (scores[row] as number) + best;
    rowStates[row] = (rowStates[row] as number) | ((best - 1) >> 31);
  }
}

/** Counts the rows in each state, as 257 prefix sums: `bounds[s]` rows are in states below s. */
export function boundsOf(rowStates: Uint8Array, rows: number, bounds: Int32Array): void {
  const counts = new Int32Array(1024);
  let row = 0;
  // Four counters for each state, so that neighboring rows in the same state don't wait for each other's store.
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

/** Sorts the rows by state; ascending within each state. */
export function group(rowStates: Uint8Array, rows: number, bounds: Int32Array, grouped: Int32Array): void {
  const next = bounds.slice(0, 256);
  for (let row = 0; row < rows; row += 1) {
    const state = rowStates[row] as number;
    const at = next[state] as number;
    grouped[at] = row;
    next[state] = at + 1;
  }
}
