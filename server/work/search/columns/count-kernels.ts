import type { Codes } from './typed-arrays.ts';

/** The loops that count, as tight as those in `fail-kernels.ts`: over the places `from` to `to` of an array of rows. */

/** Codes of a column, which may share its bits with others. */
export function countCodes(
  counts: Int32Array,
  column: Codes,
  shift: number,
  mask: number,
  rows: Int32Array,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at += 1) {
    const code = ((column[rows[at] as number] as number) >>> shift) & mask;
    counts[code] = (counts[code] as number) + 1;
  }
}

/** As `countCodes` of two columns that have 16 bits for themselves: a row's number is read once for both. */
export function countPair(
  counts: Int32Array,
  column: Codes,
  otherCounts: Int32Array,
  otherColumn: Codes,
  rows: Int32Array,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at += 1) {
    const row = rows[at] as number;
    const code = column[row] as number;
    const other = otherColumn[row] as number;
    counts[code] = (counts[code] as number) + 1;
    otherCounts[other] = (otherCounts[other] as number) + 1;
  }
}

/** Counts the codes of each row's run from the end of the column `before` (null: from its start) to the end of `upTo`. */
export function countRuns(
  counts: Int32Array,
  heap: Codes,
  starts: Int32Array,
  before: Uint16Array | null,
  upTo: Uint16Array,
  rows: Int32Array,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at += 1) {
    const row = rows[at] as number;
    const start = starts[row] as number;
    const end = start + (upTo[row] as number);
    for (let place = before === null ? start : start + (before[row] as number); place < end; place += 1) {
      const code = heap[place] as number;
      counts[code] = (counts[code] as number) + 1;
    }
  }
}

/**
 * As `countRuns` over all rows, from the end of the column `befores[state]` (null: from the run's start) to the end of
 * `upTos[state]` by the row's state (null: not at all). One walk instead of several: each, if its rows are many, takes as
 * long as memory needs to bring the whole heap.
 */
export function countRunsByState(
  counts: Int32Array,
  heap: Codes,
  starts: Int32Array,
  befores: readonly (Uint16Array | null)[],
  upTos: readonly (Uint16Array | null)[],
  rowStates: Uint8Array,
  rows: number,
): void {
  for (let row = 0; row < rows; row += 1) {
    const state = rowStates[row] as number;
    const upTo = upTos[state] as Uint16Array | null;
    if (upTo === null) continue;
    const before = befores[state] as Uint16Array | null;
    const start = starts[row] as number;
    const end = start + (upTo[row] as number);
    for (let place = before === null ? start : start + (before[row] as number); place < end; place += 1) {
      const code = heap[place] as number;
      counts[code] = (counts[code] as number) + 1;
    }
  }
}

/** The parents of child rows into `parents`, each once, with the number of those children in `weights`; how many. */
export function gatherParents(
  parents: Int32Array,
  weights: Int32Array,
  parentRows: Int32Array,
  rows: Int32Array,
  from: number,
  to: number,
  known: number,
): number {
  let count = known;
  for (let at = from; at < to; at += 1) {
    const parent = parentRows[rows[at] as number] as number;
    const weight = weights[parent] as number;
    weights[parent] = weight + 1;
    if (weight === 0) parents[count++] = parent;
  }
  return count;
}

/** As `countCodes`, each row as often as its weight says. */
export function countWeightedCodes(
  counts: Int32Array,
  column: Codes,
  shift: number,
  mask: number,
  rows: Int32Array,
  upTo: number,
  weights: Int32Array,
): void {
  for (let at = 0; at < upTo; at += 1) {
    const row = rows[at] as number;
    const code = ((column[row] as number) >>> shift) & mask;
    counts[code] = (counts[code] as number) + (weights[row] as number);
  }
}

/** As `countRuns`, each row as often as its weight says. */
export function countWeightedRuns(
  counts: Int32Array,
  heap: Codes,
  starts: Int32Array,
  before: Uint16Array | null,
  upTo: Uint16Array,
  rows: Int32Array,
  count: number,
  weights: Int32Array,
): void {
  for (let at = 0; at < count; at += 1) {
    const row = rows[at] as number;
    const weight = weights[row] as number;
    const start = starts[row] as number;
    const end = start + (upTo[row] as number);
    for (let place = before === null ? start : start + (before[row] as number); place < end; place += 1) {
      const code = heap[place] as number;
      counts[code] = (counts[code] as number) + weight;
    }
  }
}
