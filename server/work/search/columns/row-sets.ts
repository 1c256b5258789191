import type { ColumnStore } from './column-store.ts';
import {
  countCodes,
  countPair,
  countRuns,
  countWeightedCodes,
  countWeightedRuns,
  gatherParents,
} from './count-kernels.ts';
import { type Matching, total } from './matching.ts';
import type { MultiColumns } from './multi-columns.ts';
import type { Codes } from './typed-arrays.ts';

/** A span of the grouped rows. */
export type Span = readonly [from: number, to: number];

/** Rows to count. `inverse`: they are the complement, to be subtracted from the totals. */
export type Part = { spans: readonly Span[]; inverse: boolean };

const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, [from, to]) => sum + to - from, 0);

/** Returns how many rows are counted. */
export const sizeOf = ({ spans }: Part): number => lengthOf(spans);

/** An unpacked column, and the counts of its codes. */
export type Counted = { counts: Int32Array; column: Codes };

/** Rows of a table, or of its parent weighted by their children in the set. */
export type RowSet = {
  size: number;
  /** Counts the codes of a column into `counts[code]`. */
  codes(counts: Int32Array, column: Codes, shift: number, mask: number): void;
  /** Counts the codes of unpacked columns. */
  columns(each: readonly Counted[]): void;
  /** Counts the codes of the columns `first` to `last` of the runs. */
  runs(counts: Int32Array, runs: MultiColumns, first: number, last: number): void;
  /** Releases the set's scratch memory. Required before the next set is made. */
  end(): void;
};

/** Returns the matching rows, or the complement if it is smaller. */
export function matchingPart(matching: Matching): Part {
  const matched = total(matching);
  const { bound } = matching.store;
  return matched <= bound - matched
    ? { spans: [[0, matched]], inverse: false }
    : { spans: [[matched, bound]], inverse: true };
}

/** Returns the rows that a filtered facet counts beyond the matching ones, which fail only its filter; or the complement if it is smaller. */
export function ownPart({ store, bounds }: Matching, state: number): Part {
  const [from, to, matched] = [bounds[state], bounds[state + 1], bounds[1]] as [number, number, number];
  const rest: Span[] = [
    [matched, from],
    [to, store.bound],
  ];
  return to - from <= lengthOf(rest) ? { spans: [[from, to]], inverse: false } : { spans: rest, inverse: true };
}

/** Returns the rows of a part in the table itself. */
export function ownRows(store: ColumnStore, { spans }: Part): RowSet {
  const { grouped } = store;
  return {
    size: lengthOf(spans),
    codes(counts, column, shift, mask) {
      for (const [from, to] of spans) countCodes(counts, column, shift, mask, grouped, from, to);
    },
    columns(each) {
      for (let at = 0; at < each.length; at += 2) {
        const [one, other] = [each[at], each[at + 1]] as [Counted, Counted | undefined];
        for (const [from, to] of spans)
          if (other) countPair(one.counts, one.column, other.counts, other.column, grouped, from, to);
          else countCodes(one.counts, one.column, 0, -1, grouped, from, to);
      }
    },
    runs(counts, { heap, starts, ends }, first, last) {
      const before = first === 0 ? null : (ends[first - 1] as Uint16Array);
      for (const [from, to] of spans)
        countRuns(counts, heap, starts, before, ends[last] as Uint16Array, grouped, from, to);
    },
    end() {},
  };
}

/** Returns the parents of a part's rows, each weighted by its rows in the part. */
export function parentRows(store: ColumnStore, parent: ColumnStore, { spans, inverse }: Part): RowSet {
  const { grouped: parents, weights } = parent;
  let size = 0;
  for (const [from, to] of spans)
    size = gatherParents(parents, weights, store.parentRows, store.grouped, from, to, size);
  // Free rows are among those that don't match.
  const change = (by: number): void => {
    for (const row of store.free) {
      const place = store.parentRows[row] as number;
      weights[place] = (weights[place] as number) + by;
    }
  };
  if (inverse) change(-1);
  return {
    size,
    columns(each) {
      for (const { counts, column } of each) countWeightedCodes(counts, column, 0, -1, parents, size, weights);
    },
    codes: (counts, column, shift, mask) => countWeightedCodes(counts, column, shift, mask, parents, size, weights),
    runs(counts, { heap, starts, ends }, first, last) {
      const before = first === 0 ? null : (ends[first - 1] as Uint16Array);
      countWeightedRuns(counts, heap, starts, before, ends[last] as Uint16Array, parents, size, weights);
    },
    end() {
      for (let at = 0; at < size; at += 1) weights[parents[at] as number] = 0;
    },
  };
}
