/** Numbers of cases, and what may be said about them. */
import { FEWEST_CASES, type Spotlight, type SpotlightFigure, type SpotlightUnit } from '#contract/spotlights.ts';

/** What is counted. `people` and `days`: what a rate is of. */
export interface Counted {
  values: readonly (number | null)[];
  people: number;
  days: number;
}

/** What a rate's cases for each person and day are multiplied by: 1,000 people and a year, 100 people and a day. */
const PER = { RATE: 365_000, LOAD: 100 } as const;
const HIDDEN: SpotlightFigure = { value: null, numerator: null, denominator: null };
const NONE: SpotlightFigure = { value: null, numerator: 0, denominator: 0 };

/** Returns the figure: zeros if there is nothing to count, without numbers if one of them is too small to be shown, or could be worked out from the others and is. */
export function figureOf(unit: SpotlightUnit, counted: Counted): SpotlightFigure {
  const { values, people, days } = counted;
  const known = valuesOf(values);
  if (isRate(unit) ? people === 0 : values.length === 0) return NONE;
  if (!countsOf(unit, counted).every(mayBeShown)) return HIDDEN;
  if (isRate(unit)) {
    if (people < FEWEST_CASES) return HIDDEN;
    return { value: (known.length * PER[unit]) / (people * days), numerator: known.length, denominator: people };
  }
  if (known.length === 0) return HIDDEN;
  if (unit === 'SHARE') {
    const hits = hitsOf(known);
    return { value: hits / known.length, numerator: hits, denominator: known.length };
  }
  return { value: medianOf(known), numerator: known.length, denominator: values.length };
}

/** Returns whether a number of cases is none or enough; one from 1 to 10 could point to people. */
export const mayBeShown = (count: number): boolean => count === 0 || count >= FEWEST_CASES;

const hitsOf = (known: readonly number[]): number => known.reduce((sum, value) => sum + value, 0);

/** Returns the numbers of cases that a figure shows. Of a share, the rest is one of them: who sees "25 of 28" sees the 3. */
function countsOf(unit: SpotlightUnit, { values }: Pick<Counted, 'values'>): number[] {
  const known = valuesOf(values);
  if (isRate(unit)) return [known.length];
  if (unit === 'SHARE') return [known.length, hitsOf(known), known.length - hitsOf(known)];
  return [values.length, known.length];
}

/** Whether the unit is one of cases for so many people and days. */
export const isRate = (unit: SpotlightUnit): unit is keyof typeof PER => Object.hasOwn(PER, unit);

const valuesOf = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

/** Of an even number of values the mean of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return (low + high) / 2;
}

interface Part {
  figure: SpotlightFigure;
  counted: Counted;
}

/** Whether what is left when the shown parts are subtracted from the whole tells no number of 1 to 10. */
function isSafeRest(unit: SpotlightUnit, hidden: readonly Counted[]): boolean {
  const counts = countsOf(unit, { values: hidden.flatMap(({ values }) => values) });
  const [all = 0] = counts;
  const parts = hidden.filter(({ values }) => values.length > 0).length;
  // As many cases as parts that have some: each has one.
  return counts.every(mayBeShown) && (parts < 2 || all > parts);
}

/**
 * Returns the parts of a whole that is shown, with further ones hidden, the smallest first, until what is hidden can't be worked out by subtracting
 * those that are shown.
 */
export function hideSubtractable<T extends Part>(unit: SpotlightUnit, parts: readonly T[]): T[] {
  const isHidden = ({ figure }: Part) => figure.value === null;
  const [hidden, shown] = [parts.filter(isHidden), parts.filter((part) => !isHidden(part))];
  const sizeOf = ({ counted }: Part) => valuesOf(counted.values).length;
  const smallestFirst = shown.filter((part) => sizeOf(part) > 0).toSorted((a, b) => sizeOf(a) - sizeOf(b));
  while (
    smallestFirst.length > 0 &&
    !isSafeRest(
      unit,
      hidden.map(({ counted }) => counted),
    )
  )
    hidden.push(...smallestFirst.splice(0, 1));
  const more = hidden.filter((part) => !isHidden(part));
  return parts.map((part) => (more.includes(part) ? { ...part, figure: HIDDEN } : part));
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
  const z = unit === 'SHARE' ? zOfShares(a, b) : isRate(unit) ? zOfRates(now, then) : zOfRanks(now.values, then.values);
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
