import { type Matching, total } from './matching.ts';
import { NO_NUMBER } from './sortable-columns.ts';

/** Returns the smallest and largest number among the matching rows and those that fail only the range's own filter; null if none has a number. */
export function extentOf(matching: Matching, name: string): { min: number; max: number } | null {
  const { store, bounds, states } = matching;
  const { parent } = store;
  const column = store.numbers.columns.get(name) ?? parent?.numbers.columns.get(name);
  if (!column) throw new RangeError(`'${name}' is not a range`);
  const via = store.numbers.columns.has(name) ? null : store.parentRows;
  const state = states.get(name);
  const spans = [[0, total(matching)]];
  if (state !== undefined) spans.push([bounds[state] as number, bounds[state + 1] as number]);
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [from, to] of spans as [number, number][]) {
    const extent = spanExtent(column, store.grouped, from, to, via);
    min = Math.min(min, extent[0]);
    max = Math.max(max, extent[1]);
  }
  return min <= max ? { min, max } : null;
}

function spanExtent(
  column: Int32Array,
  rows: Int32Array,
  from: number,
  to: number,
  via: Int32Array | null,
): [min: number, max: number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let at = from; at < to; at += 1) {
    const row = rows[at] as number;
    const value = column[via === null ? row : (via[row] as number)] as number;
    if (value === NO_NUMBER) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return [min, max];
}
