import type { ColumnStore } from './column-store.ts';
import {
  boundsOf,
  EXCLUDED,
  failAll,
  failByCode,
  failByHits,
  failInside,
  failOutside,
  group,
  lift,
} from './filter-kernels.ts';
import type { SingleColumn } from './single-columns.ts';
import { NO_NUMBER } from './sortable-columns.ts';
import type { Condition, FacetFilter, Filter, RangeFilter } from './types.ts';
import { searchWords } from './word-search.ts';

const LOWEST = NO_NUMBER + 1;
const HIGHEST = 0x7fff_ffff;

/** A filter, and the state of the rows that fail only this filter. */
type Test = { filter: Filter; state: number };

/**
 * The result of a condition: `store.grouped` holds the rows sorted by state. The rows in state s are those from `bounds[s]` to
 * `bounds[s + 1]`. State 0 matches, a filter's state fails only that filter, 255 is the rest.
 */
export type Matching = { store: ColumnStore; bounds: Int32Array; states: ReadonlyMap<string, number> };

export const nameOf = (filter: Filter): string => ('facet' in filter ? filter.facet : filter.range);

/** Evaluates a condition. Throws RangeError for an unknown column, a column that is filtered twice, or more than 254 filters. */
export function match(store: ColumnStore, condition: Condition): Matching {
  const states = statesOf(condition.filters);
  const tests: Test[] = [
    ...condition.where.map((filter) => ({ filter, state: EXCLUDED })),
    ...condition.filters.map((filter, index) => ({ filter, state: index + 1 })),
  ];
  begin(store, tests);
  for (const test of tests) if (store.has(nameOf(test.filter))) apply(store, test);
  if (condition.words?.length) searchWords(store, condition.words);
  else store.scores.fill(0, 0, store.bound);
  for (const key of condition.without ?? []) {
    const row = store.keys.find(key);
    if (row >= 0) store.rowStates[row] = EXCLUDED;
  }
  for (const row of store.free) store.rowStates[row] = EXCLUDED;
  const bounds = new Int32Array(257);
  boundsOf(store.rowStates, store.bound, bounds);
  return { store, bounds, states };
}

/** Returns how many rows match. */
export const total = ({ bounds }: Matching): number => bounds[1] as number;

/** Fills `store.grouped`, which everything but the total needs. */
export function groupRows({ store, bounds }: Matching): void {
  group(store.rowStates, store.bound, bounds, store.grouped);
}

function statesOf(filters: readonly Filter[]): Map<string, number> {
  const states = new Map(filters.map((filter, index) => [nameOf(filter), index + 1]));
  if (states.size !== filters.length) throw new RangeError('A facet or range is filtered twice');
  if (filters.length >= EXCLUDED) throw new RangeError('More than 254 facets and ranges are filtered');
  return states;
}

/** Starts each row with its parent's state. The parent's filters are evaluated once for each parent row. */
function begin(store: ColumnStore, tests: readonly Test[]): void {
  const { parent } = store;
  const above = tests.filter(({ filter }) => !store.has(nameOf(filter)));
  if (above.length === 0) {
    store.rowStates.fill(0, 0, store.bound);
    return;
  }
  const unknown = above.find(({ filter }) => !parent?.has(nameOf(filter)));
  if (!parent || unknown) throw new RangeError(`There is no facet or range '${unknown && nameOf(unknown.filter)}'`);
  parent.rowStates.fill(0, 0, parent.bound);
  for (const test of above) apply(parent, test);
  lift(store.rowStates, store.bound, parent.rowStates, store.parentRows);
}

function apply(store: ColumnStore, { filter, state }: Test): void {
  if ('range' in filter) return applyRange(store, filter, state);
  const single = store.single(filter.facet);
  if (single) applySingle(store, single, filter, state);
  else applyMulti(store, filter, state);
}

function applySingle(store: ColumnStore, single: SingleColumn, { any, none }: FacetFilter, state: number): void {
  if (any.length === 0 && none.length === 0) return;
  const passing = new Int8Array(single.dictionary.bound).fill(any.length > 0 ? -1 : 0);
  for (const value of any) passing[single.dictionary.find(0, value)] = 0;
  for (const value of none) passing[single.dictionary.find(0, value)] = -1;
  // Code 0 means no value; values that no row has are found as 0 too.
  passing[0] = any.length > 0 ? -1 : 0;
  failByCode(store.rowStates, store.bound, single.column, single.shift, single.mask, passing, state);
}

function applyMulti(store: ColumnStore, { facet, any, none }: FacetFilter, state: number): void {
  const kind = store.multi(facet);
  if (kind < 0) throw new RangeError(`'${facet}' is not a facet`);
  const { dictionary, postings } = store.multis;
  store.scratch.fill(0, 0, store.bound);
  const addAll = (values: readonly string[], weight: number): void => {
    for (const value of new Set(values)) {
      const code = dictionary.find(kind, value);
      if (code !== 0) postings.addTo(store.scratch, code, weight);
    }
  };
  addAll(any, 1);
  addAll(none, 0x1_0000);
  failByHits(store.rowStates, store.bound, store.scratch, any.length > 0 ? 1 : 0, state);
}

function applyRange(store: ColumnStore, { range, begin, end, negated }: RangeFilter, state: number): void {
  const column = store.numbers.columns.get(range);
  if (!column) throw new RangeError(`'${range}' is not a range`);
  const low = Math.min(Math.max(Math.ceil(begin ?? LOWEST), LOWEST), HIGHEST);
  const high = Math.max(Math.min(Math.floor(end ?? HIGHEST), HIGHEST), LOWEST);
  const isEmpty = low > high || (begin ?? LOWEST) > HIGHEST || (end ?? HIGHEST) < LOWEST;
  const { rowStates, bound } = store;
  if (isEmpty && !negated) return failAll(rowStates, bound, state);
  // An empty range holds only the number that represents null, which fails anyway.
  const [from, width] = isEmpty ? [NO_NUMBER, 0] : [low, (high - low) | 0];
  if (negated) failInside(rowStates, bound, column, from, width, NO_NUMBER, state);
  else failOutside(rowStates, bound, column, from, width, state);
}
