import { expect, test } from 'vitest';
import { evaluateWorlds } from './evaluate-worlds.ts';
import { febrlTable, table, worldReport } from './report.ts';

const options = { people: 4000, seed: 3, runs: 1 };
const result = evaluateWorlds(options);

test('Every true pair is linked, in review or missed', () => {
  expect(result.subjects).toBeGreaterThanOrEqual(options.people);
  expect(result.pairs).toBe(result.listed);
  expect(result.automatic + result.review + result.missed).toBeCloseTo(1, 6);
  expect(result.links).toBe(Math.round(result.automatic * result.pairs) + result.false);
});

test('Most pairs are linked, and hardly any link is false', () => {
  expect(result.automatic).toBeGreaterThan(0.8);
  expect(result.false).toBeLessThan(5);
  expect(Object.values(result.falseByRelation).reduce((sum, count) => sum + count, 0)).toBe(result.false);
  for (const [relation, count] of Object.entries(result.falseByRelation)) {
    expect(result.wrongAtLimit[relation as keyof typeof result.wrongAtLimit]).toBeGreaterThanOrEqual(count);
  }
});

test('The same seed gives the same figures, and a second run adds the next world', () => {
  expect(evaluateWorlds(options)).toEqual(result);
  const [next, both] = [evaluateWorlds({ ...options, seed: 4 }), evaluateWorlds({ ...options, runs: 2 })];
  for (const count of ['subjects', 'listed', 'pairs', 'links', 'false'] as const) {
    expect(both[count]).toBe(result[count] + next[count]);
  }
});

test('Score bins hold every linked candidate once, in order', () => {
  const starts = result.scoreBins.map(({ fromExpected }) => fromExpected);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  const right = result.scoreBins.reduce((sum, bin) => sum + bin.right, 0);
  expect(right).toBeGreaterThanOrEqual(Math.round(result.automatic * result.pairs));
  for (const { right: rights, wrong, observed } of result.scoreBins) expect(observed).toBe(wrong / (rights + wrong));
});

test('Fewer wrong candidates are found the fewer are expected', () => {
  const found = result.expectedBins.map(({ observed }) => observed);
  expect(found).toEqual(found.toSorted((a, b) => b - a));
});

test('False links are described by relation and levels, without values', () => {
  const link = {
    subject: '7:2',
    linked: '7:3',
    relation: 'twin' as const,
    partnerListed: false,
    bits: 40,
    expectedFalse: 1e-7,
    levels: ['given fuzzy'],
  };
  const report = worldReport({ ...result, falseLinks: [link] });
  expect(report).toContain('7:2 linked to 7:3, twin, 40.0 bits, 1.0e-7 expected, partner absent: given fuzzy');
  expect(report).toContain('recall (true pairs linked)');
});

test('Tables have columns of one width', () => {
  expect(
    table(
      ['set', 'n'],
      [
        ['a', '100'],
        ['long', '1'],
      ],
    ),
  ).toBe('set     n\na     100\nlong    1');
  const result = { pairs: 1, automatic: 0.9, review: 0.1, missed: 0, false: 0, falseWithoutPartner: 0 };
  expect(febrlTable({ 'febrl4-with-ssn4': result })).toContain('90.00 %');
});
