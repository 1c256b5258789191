import type { ColumnStore } from './column-store.ts';
import { countRunsByState } from './count-kernels.ts';
import type { Dictionary } from './dictionary.ts';
import { EXCLUDED } from './filter-kernels.ts';
import type { Matching } from './matching.ts';
import {
  type Counted,
  matchingPart,
  ownPart,
  ownRows,
  type Part,
  parentRows,
  type RowSet,
  type Span,
  sizeOf,
} from './row-sets.ts';
import type { SingleColumn, Word } from './single-columns.ts';
import { roomFor } from './typed-arrays.ts';

/** From this many rows on, one histogram of a packed word is cheaper than a histogram of each column in it. */
const MANY = 4096;
/** From one row in this many on, a single scan over all rows is cheaper than a scan over the rows of each state. */
const DENSE = 8;

/** A facet's counts by code. `kind`: which of the dictionary's codes belong to the facet. */
export type Counts = { dictionary: Dictionary; kind: number; counts: Int32Array };

/** Zeroed arrays for one query, cut from a buffer that is kept between queries. */
class Arena {
  #array = new Int32Array(1 << 16);
  #used = 0;

  reset(): void {
    this.#used = 0;
  }

  take(length: number): Int32Array {
    if (this.#used + length > this.#array.length) {
      this.#array = new Int32Array(roomFor(this.#array, this.#used + length).length);
      this.#used = 0;
    }
    this.#used += length;
    return this.#array.subarray(this.#used - length, this.#used).fill(0);
  }
}

const arena = new Arena();

/** Counts the facets over the grouped rows, each without its own filter. Throws RangeError for an unknown facet. */
export function countFacets(matching: Matching, names: readonly string[]): Map<string, Counts> {
  arena.reset();
  const { store } = matching;
  const { parent } = store;
  const result = new Map<string, Counts>();
  const own = names.filter((name) => store.has(name));
  const above = names.filter((name) => !store.has(name));
  countIn({ matching, store, weighting: 0, over: (part) => ownRows(store, part) }, own, result);
  if (above.length === 0) return result;
  if (!parent) throw new RangeError(`'${above[0]}' is not a facet`);
  const over = (part: Part): RowSet => parentRows(store, parent, part);
  countIn({ matching, store: parent, weighting: store.weighting, over }, above, result);
  return result;
}

/** Where columns are counted: in the table itself, or in its parent, weighted by the table's rows. */
type Place = { matching: Matching; store: ColumnStore; weighting: number; over: (part: Part) => RowSet };

function countIn(place: Place, names: readonly string[], result: Map<string, Counts>): void {
  if (names.length === 0) return;
  const singles = names.flatMap((name) => place.store.single(name) ?? []);
  const kinds = names.map((name) => place.store.multi(name)).filter((kind) => kind >= 0);
  if (singles.length + kinds.length < names.length) throw new RangeError('Only facets can be counted');
  const part = matchingPart(place.matching);
  const rows = place.over(part);
  const ofSingles = countSingles(place.store, rows, singles);
  const ofMultis = countMultis(place, part, rows, kinds);
  rows.end();
  finishSingles(place, part, ofSingles, result);
  finishMultis(place, part, kinds, ofMultis, result);
}

function countSingles(
  store: ColumnStore,
  rows: RowSet,
  singles: readonly SingleColumn[],
): Map<SingleColumn, Int32Array> {
  const counts = new Map(singles.map((single) => [single, arena.take(single.dictionary.bound)]));
  if (rows.size < MANY)
    for (const [single, array] of counts) rows.codes(array, single.column, single.shift, single.mask);
  else countColumns(rows, store.singles.words, counts);
  return counts;
}

function finishSingles(
  place: Place,
  part: Part,
  counts: Map<SingleColumn, Int32Array>,
  result: Map<string, Counts>,
): void {
  for (const [single, array] of counts) {
    const totals = single.totals[place.weighting] as Int32Array;
    if (part.inverse) subtractFrom(totals, array);
    countOwnPart(place, single.name, array, totals, (set, into) =>
      set.codes(into, single.column, single.shift, single.mask),
    );
    result.set(single.name, { dictionary: single.dictionary, kind: 0, counts: array });
  }
}

/** Counts packed words by one histogram each, from which the counts of its columns are unpacked. Large columns are counted directly. */
function countColumns(rows: RowSet, words: readonly Word[], counts: ReadonlyMap<SingleColumn, Int32Array>): void {
  const wanted = words.filter((word) => word.singles.some((single) => counts.has(single)));
  const histograms = wanted.map((word) => ({ counts: arena.take(1 << word.bits), column: word.column }));
  const packed = new Set(words.flatMap((word) => word.singles));
  const large = [...counts].filter(([single]) => !packed.has(single));
  rows.columns([...histograms, ...large.map(([single, array]) => ({ counts: array, column: single.column }))]);
  for (const [index, { singles }] of wanted.entries()) {
    const histogram = (histograms[index] as Counted).counts;
    let length = histogram.length;
    for (const single of singles) length = unpack(counts.get(single), histogram, length, single.bits);
  }
}

/**
 * Unpacks the lowest column of a histogram: counts its codes and merges the cells that differ only in that column. Returns how many cells
 * are left.
 */
function unpack(counts: Int32Array | undefined, histogram: Int32Array, length: number, bits: number): number {
  const left = length >>> bits;
  const codes = 1 << bits;
  for (let cell = 0; cell < left; cell += 1) {
    let sum = 0;
    for (let code = 0; code < codes; code += 1) {
      const count = histogram[(cell << bits) | code] as number;
      if (count === 0) continue;
      sum += count;
      if (counts !== undefined) counts[code] = (counts[code] as number) + count;
    }
    histogram[cell] = sum;
  }
  return left;
}

/** Counts by code of all multi-valued facets. `together`: the kinds whose own part is already included. */
type MultiCounts = { counts: Int32Array; together: readonly number[] };

function countMultis(place: Place, part: Part, rows: RowSet, kinds: readonly number[]): MultiCounts {
  const { multis } = place.store;
  const counts = arena.take(multis.dictionary.bound);
  if (kinds.length === 0) return { counts, together: [] };
  const columns: Span = [Math.min(...kinds), Math.max(...kinds)];
  const together = place.weighting === 0 ? countedTogether(place.matching, part, kinds) : [];
  if (together.length > 0) countInOneWalk(place.matching, counts, columns, together);
  else rows.runs(counts, multis, ...columns);
  return { counts, together };
}

function finishMultis(
  place: Place,
  part: Part,
  kinds: readonly number[],
  { counts, together }: MultiCounts,
  result: Map<string, Counts>,
): void {
  const { multis } = place.store;
  const totals = multis.totals(place.weighting);
  if (part.inverse) subtractFrom(totals, counts);
  for (const kind of kinds) {
    const name = multis.names[kind] as string;
    result.set(name, { dictionary: multis.dictionary, kind, counts });
    if (together.includes(kind)) continue;
    const isOwn = (code: number) => multis.dictionary.kinds[code] === kind + 1;
    countOwnPart(place, name, counts, totals, (set, into) => set.runs(into, multis, kind, kind), isOwn);
  }
}

/**
 * Returns the filtered kinds whose own part is best counted in one scan with the matching rows: both parts are added, and both are
 * large.
 */
function countedTogether(matching: Matching, part: Part, kinds: readonly number[]): number[] {
  if (part.inverse) return [];
  const { store, states } = matching;
  const own = kinds.flatMap((kind) => {
    const state = states.get(store.multis.names[kind] as string);
    const its = state === undefined ? null : ownPart(matching, state);
    return its === null || its.inverse ? [] : [{ kind, size: sizeOf(its) }];
  });
  const rows = own.reduce((sum, { size }) => sum + size, sizeOf(part));
  return rows * DENSE < store.bound ? [] : own.map(({ kind }) => kind);
}

/** Counts the columns `first` to `last` of the matching rows, and each kind's own column of the rows that fail only its filter. */
function countInOneWalk(
  { store, states }: Matching,
  counts: Int32Array,
  [first, last]: Span,
  kinds: readonly number[],
): void {
  const { heap, starts, ends, names } = store.multis;
  const befores = Array.from({ length: EXCLUDED + 1 }, (): Uint16Array | null => null);
  const upTos = befores.slice();
  const walk = (state: number, from: number, to: number): void => {
    befores[state] = ends[from - 1] ?? null;
    upTos[state] = ends[to] as Uint16Array;
  };
  walk(0, first, last);
  for (const kind of kinds) walk(states.get(names[kind] as string) as number, kind, kind);
  countRunsByState(counts, heap, starts, befores, upTos, store.rowStates, store.bound);
}

/** Corrects a filtered facet's counts over the matching rows to its counts without its own filter. */
function countOwnPart(
  { matching, over }: Place,
  name: string,
  counts: Int32Array,
  totals: Int32Array,
  count: (rows: RowSet, into: Int32Array) => void,
  isOwn: (code: number) => boolean = () => true,
): void {
  const state = matching.states.get(name);
  if (state === undefined) return;
  const part = ownPart(matching, state);
  const rows = over(part);
  if (!part.inverse) count(rows, counts);
  else {
    const others = arena.take(counts.length);
    count(rows, others);
    for (let code = 1; code < counts.length; code += 1)
      if (isOwn(code)) counts[code] = (totals[code] as number) - (others[code] as number);
  }
  rows.end();
}

function subtractFrom(totals: Int32Array, counts: Int32Array): void {
  const length = Math.min(totals.length, counts.length);
  for (let code = 0; code < length; code += 1) counts[code] = (totals[code] as number) - (counts[code] as number);
}
