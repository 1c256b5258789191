import { readRange } from '#contract/ranges.ts';
import type { Criteria } from '../filters/criteria.ts';

/** Stays of `begin` to `end` days, both inclusive; `end` null means `begin` or more. */
export interface Bin {
  begin: number;
  end: number | null;
  label: string;
}

const BINS = 10;
const DEFAULT_END = 99;

const bin = (begin: number, end: number | null): Bin => ({
  begin,
  end,
  label: end === null ? `${begin} or more` : begin === end ? String(begin) : `${begin}–${end}`,
});

/** Returns the filtered range of days in about ten bins of equal width. The last bin is open if the range is. */
export const binsOf = ({ filters }: Criteria): Bin[] => {
  const filter = filters.lengthOfStay?.find(({ negated }) => !negated);
  const ends = filter ? readRange('lengthOfStay', filter) : null;
  const first = Math.max(0, Number(ends?.begin ?? 0));
  const last = ends?.end == null ? null : Number(ends.end);
  const until = last ?? Math.max(DEFAULT_END, first + DEFAULT_END);
  const width = Math.max(1, Math.floor((until - first + 1) / BINS));
  const bins: Bin[] = [];
  for (let begin = first; begin <= until; begin += width) {
    // The last bin takes what would not fill one of its own.
    const isLast = until - begin + 1 < 2 * width;
    bins.push(bin(begin, isLast ? until : begin + width - 1));
    if (isLast) break;
  }
  return last === null ? [...bins, bin(until + 1, null)] : bins;
};
