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

/** From one place of the grouped rows to another. */
export type Span = readonly [from: number, to: number];

/** Rows that are counted, and how: `inverse` where they are those that do not count. */
export type Part = { spans: readonly Span[]; inverse: boolean };

const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, [from, to]) => sum + to - from, 0);

/** How many rows are counted. */
export const sizeOf = ({ spans }: Part): number => lengthOf(spans);

/** A column that has all its bits for itself, and where its codes are counted. */
export type Counted = { counts: Int32Array; column: Codes };

/** Rows of a table, or of its parent as often as their children are in the set. */
export type RowSet = {
  size: number;
  /** Adds up the codes of a column by `counts[code]`. */
  codes(counts: Int32Array, column: Codes, shift: number, mask: number): void;
  /** Adds up the codes of whole columns. */
  columns(each: readonly Counted[]): void;
  /** Adds up the codes of the columns `first` to `last` of the runs. */
  runs(counts: Int32Array, runs: MultiColumns, first: number, last: number): void;
  /** Gives the set's scratch back; before the next set is made. */
  end(): void;
};

/** The matching rows, or the others where those are fewer. */
export function matchingPart(matching: Matching): Part {
  const matched = total(matching);
  const { bound } = matching.store;
  return matched <= bound - matched
    ? { spans: [[0, matched]], inverse: false }
    : { spans: [[matched, bound]], inverse: true };
}

/** What a filtered facet counts beyond the matching rows: those that fail its filter alone; or all that do not count. */
export function ownPart({ store, bounds }: Matching, state: number): Part {
  const [from, to, matched] = [bounds[state], bounds[state + 1], bounds[1]] as [number, number, number];
  const rest: Span[] = [
    [matched, from],
    [to, store.bound],
  ];
  return to - from <= lengthOf(rest) ? { spans: [[from, to]], inverse: false } : { spans: rest, inverse: true };
}

/** The rows of a part, in the table itself. */
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

/** The parents of a part's rows, each weighing as much as it has rows there. */
export function parentRows(store: ColumnStore, parent: ColumnStore, { spans, inverse }: Part): RowSet {
  const { grouped: parents, weights } = parent;
  let size = 0;
  for (const [from, to] of spans)
    size = gatherParents(parents, weights, store.parentRows, store.grouped, from, to, size);
  // Free places are among those that do not match.
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
