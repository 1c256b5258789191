import { readRange } from '#contract/ranges.ts';
import type { Criteria } from '../filters/criteria.ts';

/** Stays of `begin` to `end` days, both included; `end` null: and more. */
export interface Bin {
  begin: number;
  end: number | null;
  label: string;
}

const BINS = 10;
const USUAL_END = 99;

const bin = (begin: number, end: number | null): Bin => ({
  begin,
  end,
  label: end === null ? `${begin} or more` : begin === end ? String(begin) : `${begin}–${end}`,
});

/** The range of days that is filtered, in about ten parts of the same width; the last one is open where the range is. */
export const binsOf = ({ filters }: Criteria): Bin[] => {
  const held = filters.lengthOfStay?.find(({ negated }) => !negated);
  const ends = held ? readRange('lengthOfStay', held) : null;
  const first = Math.max(0, Number(ends?.begin ?? 0));
  const last = ends?.end == null ? null : Number(ends.end);
  const until = last ?? Math.max(USUAL_END, first + USUAL_END);
  const width = Math.max(1, Math.floor((until - first + 1) / BINS));
  const bins: Bin[] = [];
  for (let begin = first; begin <= until; begin += width) {
    // What is left over is no bin of its own: the last one takes it.
    const rest = until - begin + 1 < 2 * width;
    bins.push(bin(begin, rest ? until : begin + width - 1));
    if (rest) break;
  }
  return last === null ? [...bins, bin(until + 1, null)] : bins;
};
