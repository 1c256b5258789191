import type { Codes } from './typed-arrays.ts';

/** The counting loops, over positions `from` to `to` of an array of rows. As tight as those in `filter-kernels.ts`. */

/** Counts the codes of a column that may share its words with other columns. */
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

/** `countCodes` for two unpacked columns at once, so that each row number is read only once. */
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

/** Counts the codes of each row's run between the end of column `before` (null: the start of the run) and the end of column `upTo`. */
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
 * `countRuns` over all rows, where the row's state selects the columns: from `befores[state]` (null: the start of the run) to
 * `upTos[state]` (null: the row is skipped). One scan replaces several, because a scan over many rows takes as long as reading the
 * whole heap from memory.
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

/** Writes the distinct parents of child rows into `parents` and their child counts into `weights`. Returns how many parents there are. */
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

/** `countCodes` with a weight for each row. */
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

/** `countRuns` with a weight for each row. */
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
