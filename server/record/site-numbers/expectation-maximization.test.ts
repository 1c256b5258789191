import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '#server/record/evaluation/random.ts';
import { estimate, type ObservedPair, type Start } from './expectation-maximization.ts';

/** Three levels per row; the last rows are of the address. */
const FIELDS = 6;
const ADDRESS_FROM = 4;
const LEVELS = [0, 1, 2];
const rows = Array.from({ length: FIELDS * LEVELS.length }, (_, cell) => Math.floor(cell / LEVELS.length));
const STRANGER = [0.01, 0.04, 0.95];
const MOVED_ROW = [0.05, 0.1, 0.85];
const RELATIVE = [0.3, 0.1, 0.6];

interface Truth {
  match: readonly (readonly number[])[];
  moved: number;
  share: number;
  /** Relatives for each match. */
  relatives: number;
}

const TRUTH: Truth = {
  match: [
    [0.9, 0.06, 0.04],
    [0.8, 0.15, 0.05],
    [0.7, 0.1, 0.2],
    [0.95, 0.02, 0.03],
    [0.85, 0.1, 0.05],
    [0.6, 0.25, 0.15],
  ],
  moved: 0.15,
  share: 0.1,
  relatives: 0.2,
};

/** Draws pairs of matches, relatives and strangers. A tenth of all values is missing. */
function draw(
  { match, moved, share, relatives }: Truth,
  count: number,
  seed: number,
): (ObservedPair & { truth: boolean })[] {
  const random = new Random(seed, 1, 1);
  const level = (shares: readonly number[]): number => {
    const at = random.next();
    return at < (shares[0] ?? 0) ? 0 : at < (shares[0] ?? 0) + (shares[1] ?? 0) ? 1 : 2;
  };
  return Array.from({ length: count }, () => {
    const isRelated = random.chance(share);
    const truth = isRelated && random.chance(1 / (1 + relatives));
    const hasMoved = random.chance(moved);
    const pair = { cells: [] as number[], address: [] as number[], moved: 1, rest: 1 / (1 + relatives), stranger: 1 };
    let ofRelatives = relatives / (1 + relatives);
    for (let row = 0; row < FIELDS; row++) {
      if (random.chance(0.1)) continue;
      const isAddress = row >= ADDRESS_FROM;
      const own = isAddress && hasMoved ? MOVED_ROW : (match[row] ?? []);
      const seen = level(truth ? own : isRelated ? RELATIVE : STRANGER);
      (isAddress ? pair.address : pair.cells).push(row * LEVELS.length + seen);
      if (isAddress) pair.moved *= MOVED_ROW[seen] ?? 0;
      pair.stranger *= STRANGER[seen] ?? 0;
      ofRelatives *= RELATIVE[seen] ?? 0;
    }
    return { ...pair, relatives: ofRelatives, truth };
  });
}

const START: Start = { rows, match: rows.map((_, cell) => [0.7, 0.2, 0.1][cell % 3] ?? 0), moved: 0.3, share: 0.02 };
const flat = (match: Truth['match']): number[] => match.flat();

test('the numbers from which pairs were drawn are found again, within 0.03', () => {
  const found = estimate(draw(TRUTH, 40_000, 1), START);
  for (const [cell, truth] of flat(TRUTH.match).entries())
    expect(Math.abs((found.match[cell] ?? 0) - truth), `cell ${cell}`).toBeLessThan(0.03);
  expect(Math.abs(found.moved - TRUTH.moved)).toBeLessThan(0.03);
  expect(Math.abs(found.share - TRUTH.share)).toBeLessThan(0.005);
});

const row = fc
  .tuple(
    fc.double({ min: 0.05, max: 1, noNaN: true }),
    fc.double({ min: 0.05, max: 1, noNaN: true }),
    fc.double({ min: 0.05, max: 1, noNaN: true }),
  )
  .map(([a, b, c]) => [a / (a + b + c), b / (a + b + c), c / (a + b + c)]);
const truths = fc.record({
  match: fc.array(row, { minLength: FIELDS, maxLength: FIELDS }),
  moved: fc.double({ min: 0.02, max: 0.5, noNaN: true }),
  share: fc.double({ min: 0.02, max: 0.8, noNaN: true }),
  relatives: fc.double({ min: 0, max: 1, noNaN: true }),
});

test('no round makes the pairs less likely, and the levels of a field add up to one', () => {
  fc.assert(
    fc.property(truths, fc.integer(), fc.double({ min: 0, max: 1, noNaN: true }), (truth, seed, known) => {
      const random = new Random(seed, 2, 2);
      const pairs = draw(truth, 300, seed).map(({ truth: isMatch, ...pair }) => ({
        ...pair,
        isMatch: random.chance(known) ? isMatch : undefined,
      }));
      const { likelihoods, match } = estimate(pairs, START);
      for (const [round, likelihood] of likelihoods.entries())
        expect(likelihood).toBeGreaterThanOrEqual((likelihoods[round - 1] ?? Number.NEGATIVE_INFINITY) - 1e-6);
      for (let field = 0; field < FIELDS; field++)
        expect(match.slice(3 * field, 3 * field + 3).reduce((sum, m) => sum + m, 0)).toBeCloseTo(1, 9);
    }),
  );
});

test('what people decided counts as it is, however unlikely it looks', () => {
  const pairs = draw(TRUTH, 2000, 3).map(({ truth, ...pair }) => ({ ...pair, isMatch: truth }));
  const found = estimate(pairs, START);
  const matches = pairs.filter(({ isMatch }) => isMatch);
  for (const cell of [0, 1, 2])
    expect(found.counts[cell]).toBeCloseTo(matches.filter(({ cells }) => cells.includes(cell)).length, 6);
});

test('without a match the numbers stay as they were', () => {
  const pairs = draw(TRUTH, 100, 4).map(({ truth: _, ...pair }) => ({ ...pair, isMatch: false }));
  expect(estimate(pairs, START).match).toEqual(START.match.map((m) => expect.closeTo(m, 12)));
});
