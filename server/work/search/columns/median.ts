import { type Matching, total } from './matching.ts';
import { NO_NUMBER } from './sortable-columns.ts';

/** `rows`: how many of the matching rows have the number. `median`: the lower of the two middle numbers if their count is even. */
export type Median = { rows: number; median: number | null };

/** Returns the median of one of the table's own numbers among the matching rows. */
export function medianOf(matching: Matching, name: string): Median {
  const { store } = matching;
  const column = store.numbers.columns.get(name);
  if (!column) throw new RangeError(`'${name}' is not a number of this table`);
  const values = new Int32Array(total(matching));
  let rows = 0;
  for (let at = 0; at < values.length; at += 1) {
    const value = column[store.grouped[at] as number] as number;
    if (value !== NO_NUMBER) values[rows++] = value;
  }
  const sorted = values.subarray(0, rows).sort();
  return { rows, median: sorted[(rows - 1) >> 1] ?? null };
}
