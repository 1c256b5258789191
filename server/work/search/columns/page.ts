import type { ColumnStore } from './column-store.ts';
import { type Matching, total } from './matching.ts';
import { codeAt, type SingleColumn } from './single-columns.ts';
import { NO_NUMBER, type SortTextColumn } from './sortable-columns.ts';
import { roomFor } from './typed-arrays.ts';
import type { Sort } from './types.ts';

/** Up to this many rows are sorted directly. */
const FEW = 256;
const BUCKETS = 4096;
/** Sorts after everything, in both directions. */
const LAST = 2 ** 32;

/** Writes a number for each row of a span, ascending in the wanted order, starting at the span's position. */
type SortKey = (into: Float64Array, rows: Int32Array, from: number, to: number) => void;

let ordinals = new Float64Array(0);
const histogram = new Int32Array(BUCKETS);

/**
 * Returns the keys of the rows on a page without sorting all rows: a histogram of the first sort key shows which buckets the page falls
 * into, and only those are examined, by the next sort key where rows are equal. Leaves `grouped` unsorted.
 */
export function pageOf(matching: Matching, sort: readonly Sort[], offset: number, limit: number): number[] {
  const { store } = matching;
  const keys = [...sort.map((each) => sortKey(store, each)), byKey(store)];
  const count = total(matching);
  ordinals = roomFor(ordinals, count);
  const page: number[] = [];
  pick({ rows: store.grouped, keys, page }, { from: 0, to: count, level: 0 }, offset, offset + limit);
  return page.map((row) => store.keys.keys[row] as number);
}

type Picking = { rows: Int32Array; keys: readonly SortKey[]; page: number[] };
/** Rows that are equal by all sort keys before `level`. */
type Candidates = { from: number; to: number; level: number };

/** Appends the candidates at positions `first` to `end` (exclusive) of their order to the page. */
function pick(picking: Picking, { from, to, level }: Candidates, first: number, end: number): void {
  if (first >= Math.min(end, to - from)) return;
  if (to - from <= FEW) return sortFew(picking, from, to, level, first, end);
  const { rows, keys } = picking;
  (keys[level] as SortKey)(ordinals, rows, from, to);
  const [min, max, hasLast] = extent(ordinals, from, to);
  if (max < min || (min === max && !hasLast)) return pick(picking, { from, to, level: level + 1 }, first, end);
  const scale = max > min ? (BUCKETS - 2) / (max - min) : 1;
  histogram.fill(0);
  countBuckets(histogram, ordinals, from, to, min, scale);
  let low = 0;
  let before = 0;
  for (; before + (histogram[low] as number) <= first; low += 1) before += histogram[low] as number;
  let high = low;
  let upTo = before + (histogram[low] as number);
  for (; upTo < end && high < BUCKETS - 1; upTo += histogram[high] as number) high += 1;
  const inLow = from + (histogram[low] as number);
  const inHigh = high > low ? (histogram[high] as number) : 0;
  const all = gatherBuckets(ordinals, rows, from, to, min, scale, low, high);
  gatherBuckets(ordinals, rows, from, all, min, scale, low, low);
  if (high > low + 1) gatherBuckets(ordinals, rows, inLow, all, min, scale, low + 1, high - 1);
  pick(picking, { from, to: inLow, level }, first - before, end - before);
  if (high === low) return;
  sortFew(picking, inLow, all - inHigh, level, 0, end);
  pick(picking, { from: all - inHigh, to: all, level }, 0, end - before - (all - inHigh - from));
}

function sortFew({ rows, keys, page }: Picking, from: number, to: number, level: number, first: number, end: number) {
  if (from === to) return;
  const some = rows.slice(from, to);
  const values = keys.slice(level).map((key) => {
    const into = new Float64Array(some.length);
    key(into, some, 0, some.length);
    return into;
  });
  const order = Array.from(some.keys()).sort((a, b) => {
    for (const each of values) {
      const difference = (each[a] as number) - (each[b] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  for (const at of order.slice(first, end)) page.push(some[at] as number);
}

function extent(values: Float64Array, from: number, to: number): [min: number, max: number, hasLast: boolean] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let last = 0;
  for (let at = from; at < to; at += 1) {
    const value = values[at] as number;
    if (value === LAST) {
      last += 1;
      continue;
    }
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return [min, max, last > 0];
}

/** The last bucket is reserved for `LAST`. */
const bucketOf = (value: number, min: number, scale: number): number =>
  Math.min((value - min) * scale, BUCKETS - 1) | 0;

function countBuckets(
  into: Int32Array,
  values: Float64Array,
  from: number,
  to: number,
  min: number,
  scale: number,
): void {
  for (let at = from; at < to; at += 1) {
    const bucket = bucketOf(values[at] as number, min, scale);
    into[bucket] = (into[bucket] as number) + 1;
  }
}

/** Moves the rows of buckets `low` to `high` to the front. Returns where they end. */
function gatherBuckets(
  values: Float64Array,
  rows: Int32Array,
  from: number,
  to: number,
  min: number,
  scale: number,
  low: number,
  high: number,
): number {
  let end = from;
  for (let at = from; at < to; at += 1) {
    const value = values[at] as number;
    const bucket = bucketOf(value, min, scale);
    if (bucket < low || bucket > high) continue;
    const row = rows[at] as number;
    values[at] = values[end] as number;
    rows[at] = rows[end] as number;
    values[end] = value;
    rows[end] = row;
    end += 1;
  }
  return end;
}

/** Throws RangeError for a column that cannot be sorted by. */
function sortKey(store: ColumnStore, { by, descending, running }: Sort): SortKey {
  const sign = descending ? -1 : 1;
  if (by === 'relevance') return byScore(store.scores, sign);
  const home = store.has(by) ? store : store.parent;
  const via = home === store ? null : store.parentRows;
  const numbers = home?.numbers.columns.get(by);
  const since = running && home?.numbers.columns.get(running.since);
  if (numbers && since) return byRunning(numbers, { since, until: running.until }, via, sign);
  if (numbers) return byNumber(numbers, via, sign);
  const text = home?.sortTexts.columns.get(by);
  if (text) return byText(text, via, sign);
  const single = home?.single(by);
  if (single) return bySingle(single, via, sign);
  throw new RangeError(`Rows cannot be sorted by '${by}'`);
}

const byKey =
  ({ keys }: ColumnStore): SortKey =>
  (into, rows, from, to) => {
    const all = keys.keys;
    for (let at = from; at < to; at += 1) into[at] = all[rows[at] as number] as number;
  };

const byScore =
  (scores: Uint8Array, sign: number): SortKey =>
  (into, rows, from, to) => {
    for (let at = from; at < to; at += 1) into[at] = (scores[rows[at] as number] as number) * sign;
  };

const byNumber =
  (column: Int32Array, via: Int32Array | null, sign: number): SortKey =>
  (into, rows, from, to) => {
    for (let at = from; at < to; at += 1) {
      const row = rows[at] as number;
      const value = column[via === null ? row : (via[row] as number)] as number;
      into[at] = value === NO_NUMBER ? LAST : value * sign;
    }
  };

const byRunning =
  (
    column: Int32Array,
    { since, until }: { since: Int32Array; until: number },
    via: Int32Array | null,
    sign: number,
  ): SortKey =>
  (into, rows, from, to) => {
    for (let at = from; at < to; at += 1) {
      const row = via === null ? (rows[at] as number) : (via[rows[at] as number] as number);
      const began = since[row] as number;
      const value = began === NO_NUMBER ? (column[row] as number) : until - began;
      into[at] = value === NO_NUMBER ? LAST : value * sign;
    }
  };

function byText({ codes, dictionary }: SortTextColumn, via: Int32Array | null, sign: number): SortKey {
  const labels = dictionary.labels();
  return (into, rows, from, to) => {
    for (let at = from; at < to; at += 1) {
      const row = rows[at] as number;
      const code = codes[via === null ? row : (via[row] as number)] as number;
      into[at] = code === 0 ? LAST : (labels[code] as number) * sign;
    }
  };
}

function bySingle(single: SingleColumn, via: Int32Array | null, sign: number): SortKey {
  const labels = single.dictionary.labels();
  return (into, rows, from, to) => {
    for (let at = from; at < to; at += 1) {
      const row = rows[at] as number;
      const code = codeAt(single, via === null ? row : (via[row] as number));
      into[at] = code === 0 ? LAST : (labels[code] as number) * sign;
    }
  };
}
