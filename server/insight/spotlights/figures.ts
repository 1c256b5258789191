/** Numbers of cases, and what may be said about them. */
import { FEWEST_CASES, type Spotlight, type SpotlightFigure, type SpotlightUnit } from '#contract/spotlights.ts';

/** What is counted. `people` and `days`: what a rate is of. */
export interface Counted {
  values: readonly (number | null)[];
  people: number;
  days: number;
}

const YEAR = 365;
const THOUSAND = 1000;
const HIDDEN: SpotlightFigure = { value: null, numerator: null, denominator: null };

/** Returns the figure; without numbers if it has fewer cases, or a rate fewer people, than may be shown. */
export function figureOf(unit: SpotlightUnit, { values, people, days }: Counted): SpotlightFigure {
  const known = valuesOf(values);
  if (unit === 'RATE') {
    const count = known.length;
    if (people < FEWEST_CASES || (count > 0 && count < FEWEST_CASES)) return HIDDEN;
    return { value: perYear(count, people, days), numerator: count, denominator: people };
  }
  if (values.length < FEWEST_CASES || known.length < FEWEST_CASES) return HIDDEN;
  if (unit === 'SHARE') {
    const hits = known.reduce((sum, value) => sum + value, 0);
    return { value: hits / known.length, numerator: hits, denominator: known.length };
  }
  return { value: medianOf(known), numerator: known.length, denominator: values.length };
}

const perYear = (count: number, people: number, days: number): number => (count * YEAR * THOUSAND) / (people * days);

const valuesOf = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

/** Of an even number of values the mean of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return (low + high) / 2;
}

/** Hides one more figure if only one of the parts is hidden: it could be found by subtracting the others from the whole. */
export function hideSubtractable<T extends { figure: SpotlightFigure }>(parts: readonly T[]): T[] {
  const isHidden = ({ figure }: T) => figure.denominator === null;
  if (parts.filter(isHidden).length !== 1) return [...parts];
  const smallest = parts
    .filter((part) => !isHidden(part))
    .toSorted((a, b) => (a.figure.numerator ?? 0) - (b.figure.numerator ?? 0))[0];
  return parts.map((part) => (part === smallest ? { ...part, figure: HIDDEN } : part));
}

/** The quantile of the normal distribution for a confidence of 95 %, both sides. */
const CONFIDENT = 1.96;

/**
 * Says whether a period's figure differs from the previous one's: shares by the test of two proportions, rates by that of two Poisson counts, medians
 * by that of Mann and Whitney, each in its normal approximation.
 */
export function compare(unit: SpotlightUnit, now: Counted, then: Counted): Spotlight['comparison'] {
  const [a, b] = [figureOf(unit, now), figureOf(unit, then)];
  if (a.value === null || b.value === null) return 'TOO_FEW';
  const z =
    unit === 'SHARE' ? zOfShares(a, b) : unit === 'RATE' ? zOfRates(now, then) : zOfRanks(now.values, then.values);
  if (Math.abs(z) < CONFIDENT) return 'NOT_SIGNIFICANT';
  return z > 0 ? 'HIGHER' : 'LOWER';
}

function zOfShares(a: SpotlightFigure, b: SpotlightFigure): number {
  const [hitsA, hitsB, ofA, ofB] = [a.numerator ?? 0, b.numerator ?? 0, a.denominator ?? 1, b.denominator ?? 1];
  const pooled = (hitsA + hitsB) / (ofA + ofB);
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / ofA + 1 / ofB));
  return deviation === 0 ? 0 : (hitsA / ofA - hitsB / ofB) / deviation;
}

function zOfRates(a: Counted, b: Counted): number {
  const rate = ({ values, people, days }: Counted) => values.length / people / days;
  const variance = ({ values, people, days }: Counted) => values.length / (people * days) ** 2;
  const deviation = Math.sqrt(variance(a) + variance(b));
  return deviation === 0 ? 0 : (rate(a) - rate(b)) / deviation;
}

function zOfRanks(first: readonly (number | null)[], second: readonly (number | null)[]): number {
  const [a, b] = [valuesOf(first), valuesOf(second)];
  const sorted = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))].sort(
    (x, y) => x.value - y.value,
  );
  let [ranks, ties, at] = [0, 0, 0];
  while (at < sorted.length) {
    let end = at;
    while (end < sorted.length && sorted[end]?.value === sorted[at]?.value) end += 1;
    const size = end - at;
    ties += size ** 3 - size;
    // Equal values share the mean of their ranks.
    for (let index = at; index < end; index += 1) if (sorted[index]?.isA) ranks += (at + 1 + end) / 2;
    at = end;
  }
  const count = sorted.length;
  const expected = (a.length * (count + 1)) / 2;
  const variance = ((a.length * b.length) / 12) * (count + 1 - ties / (count * (count - 1)));
  return variance <= 0 ? 0 : (ranks - expected) / Math.sqrt(variance);
}
