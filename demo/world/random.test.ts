import { expect, test } from 'vitest';
import { makeRandom } from './random.ts';

const draw = (seed: string, count: number) => {
  const random = makeRandom(seed);
  return Array.from({ length: count }, () => random.next());
};

test('the same seed gives the same sequence, and another seed a different one', () => {
  expect(draw('harbor', 50)).toEqual(draw('harbor', 50));
  expect(draw('harbor', 50)).not.toEqual(draw('harbour', 50));
});

test('a fork depends on the seed and the label, not on what was drawn before', () => {
  const fresh = makeRandom('harbor').fork('people').next();
  const used = makeRandom('harbor');
  used.next();
  expect(used.fork('people').next()).toBe(fresh);
  expect(used.fork('visits').next()).not.toBe(fresh);
});

test('draws are spread evenly', () => {
  const tenths = Array.from({ length: 10 }, () => 0);
  for (const value of draw('even', 20_000)) tenths[Math.floor(value * 10)] = (tenths[Math.floor(value * 10)] ?? 0) + 1;
  expect(Math.min(...tenths)).toBeGreaterThan(1800);
  expect(Math.max(...tenths)).toBeLessThan(2200);
});

test('weighted choices are drawn in proportion, and a weight of zero never', () => {
  const random = makeRandom('weights');
  const drawn = Array.from({ length: 4000 }, () =>
    random.weighted([
      ['often', 3],
      ['seldom', 1],
      ['never', 0],
    ] as const),
  );
  expect(drawn.filter((choice) => choice === 'often').length).toBeGreaterThan(2800);
  expect(drawn.filter((choice) => choice === 'often').length).toBeLessThan(3200);
  expect(drawn).not.toContain('never');
});

test('a shuffle keeps every item and leaves its argument alone', () => {
  const items = Array.from({ length: 40 }, (_, index) => index);
  const shuffled = makeRandom('shuffle').shuffle(items);
  expect(shuffled).not.toEqual(items);
  expect([...shuffled].sort((one, other) => one - other)).toEqual(items);
});
