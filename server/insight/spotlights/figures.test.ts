import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FEWEST_CASES } from '#contract/spotlights.ts';
import { compare, figureOf, hideSubtractable, medianOf } from './figures.ts';
import { before, daysOf, monthsOf } from './periods.ts';

const counted = (values: (number | null)[], people = 1000, days = 90) => ({ values, people, days });
const share = (hits: number, of: number) => counted(Array.from({ length: of }, (_, at) => Number(at < hits)));

test('a share has its numerator and denominator; fewer than eleven cases show nothing', () => {
  expect(figureOf('SHARE', share(128, 902))).toEqual({ value: 128 / 902, numerator: 128, denominator: 902 });
  expect(figureOf('SHARE', share(0, 11))).toEqual({ value: 0, numerator: 0, denominator: 11 });
  expect(figureOf('SHARE', share(5, 10))).toEqual({ value: null, numerator: null, denominator: null });
});

test('none is told as none: of a share, a median, and a rate without anyone listed; not of a hidden part', () => {
  const none = { value: null, numerator: 0, denominator: 0 };
  expect([
    figureOf('SHARE', counted([])),
    figureOf('MEDIAN_DAYS', counted([])),
    figureOf('RATE', counted([], 0)),
  ]).toEqual([none, none, none]);
  expect(figureOf('SHARE', counted([null])).denominator).toBeNull();
  const part = (own: ReturnType<typeof counted>) => ({ figure: figureOf('SHARE', own), counted: own });
  const shown = hideSubtractable('SHARE', [part(counted([])), part(share(3, 9)), part(share(20, 50))]);
  expect(shown.map(({ figure }) => figure.denominator)).toEqual([0, null, null]);
});

test('a rate is for each 1,000 people and year; one of one to ten cases shows nothing', () => {
  const cases = (count: number, people = 1000) => counted(Array(count).fill(1), people, 73);
  expect(figureOf('RATE', cases(20))).toEqual({ value: 100, numerator: 20, denominator: 1000 });
  expect(figureOf('RATE', cases(0)).value).toBe(0);
  expect(figureOf('RATE', cases(10)).value).toBeNull();
  expect(figureOf('RATE', cases(0, 10)).value).toBeNull();
});

test('a median is of the values that are known, and says of how many', () => {
  const values = [...Array.from({ length: 12 }, (_, at) => at + 1), null, null];
  expect(figureOf('MEDIAN_DAYS', counted(values))).toEqual({ value: 6.5, numerator: 12, denominator: 14 });
  expect(medianOf([5, 1, 3])).toBe(3);
  expect(figureOf('MEDIAN_DAYS', counted([...values.slice(2, 12), null, null, null])).value).toBeNull();
});

/** Whether a number may be known: none, or enough. */
const isHarmless = (count: number) => count === 0 || count >= FEWEST_CASES;

/** What a reader can work out of one hidden part: the least and the most that its numbers can be, each part having `least` cases. */
function rangesOf(hidden: { hits: number; misses: number }[], least: number): [number, number][] {
  const others = hidden.length - 1;
  const [hits, misses] = [sum(hidden, 'hits'), sum(hidden, 'misses')];
  const most = hits + misses - others * least;
  if (others === 0) return [hits, misses, hits + misses].map((exact) => [exact, exact]);
  const lowest = (rest: number) => (rest === 0 ? least : 0);
  return [
    [lowest(misses), Math.min(hits, most)],
    [lowest(hits), Math.min(misses, most)],
    [least, most],
  ];
}

const sum = <K extends string>(parts: readonly Record<K, number>[], key: K) =>
  parts.reduce((total, part) => total + part[key], 0);

test('no number of 1 to 10 can be worked out from a share, its months and its facilities', () => {
  const sizes = fc.record({ hits: fc.nat({ max: 40 }), misses: fc.nat({ max: 40 }) });
  const small = fc.record({ hits: fc.nat({ max: 4 }), misses: fc.nat({ max: 4 }) });
  const all = fc.array(fc.oneof(sizes, small), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(all, (parts) => {
      const counts = parts.filter(({ hits, misses }) => hits + misses > 0);
      const rows = counts.map(({ hits, misses }) => {
        const own = share(hits, hits + misses);
        return { figure: figureOf('SHARE', own), counted: own };
      });
      const whole = figureOf('SHARE', share(sum(counts, 'hits'), sum(counts, 'hits') + sum(counts, 'misses')));
      const shown = hideSubtractable('SHARE', rows);
      for (const { figure } of [...shown, { figure: whole }]) {
        const { value, numerator, denominator } = figure;
        // Nothing to count, which may be told.
        if (denominator === 0) continue;
        expect([value === null, denominator === null]).toEqual([numerator === null, numerator === null]);
        for (const count of [numerator ?? 0, denominator ?? 0, (denominator ?? 0) - (numerator ?? 0)])
          expect(isHarmless(count)).toBe(true);
      }
      const hidden = counts.filter((_, at) => shown[at]?.figure.value === null);
      if (whole.value === null || hidden.length === 0) return;
      for (const key of ['hits', 'misses'] as const) expect(isHarmless(sum(hidden, key))).toBe(true);
      // Where each of many facilities has one case, the facilities are not listed.
      const areListed = hidden.length < counts.length || sum(hidden, 'hits') + sum(hidden, 'misses') > hidden.length;
      for (const [least, most] of areListed ? rangesOf(hidden, 1) : [])
        expect(least < most || isHarmless(least)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('what is shown is as it was counted, and nothing is hidden without a reason', () => {
  const part = (hits: number, of: number) => ({ figure: figureOf('SHARE', share(hits, of)), counted: share(hits, of) });
  const shownOf = (parts: ReturnType<typeof part>[]) =>
    hideSubtractable('SHARE', parts).map(({ figure }) => figure.denominator);
  expect(shownOf([part(20, 58), part(21, 43), part(0, 13)])).toEqual([58, 43, 13]);
  // 9 of 110 are left, then 52 of 110.
  expect(shownOf([part(32, 58), part(25, 43), part(0, 5), part(0, 4)])).toEqual([58, null, null, null]);
  expect(shownOf([part(20, 58), part(2, 30), part(3, 25)])).toEqual([null, null, null]);
});

test('a number of visits by month can’t be worked out either; a month without any is shown', () => {
  const month = (count: number) => {
    const own = counted(Array(count).fill(1));
    return { figure: figureOf('RATE', own), counted: own };
  };
  const numbers = hideSubtractable('RATE', [month(30), month(0), month(4), month(15)]).map(
    ({ figure }) => figure.numerator,
  );
  expect(numbers).toEqual([30, 0, null, null]);
});

test('periods differ only where chance would not explain it', () => {
  expect(compare('SHARE', share(128, 902), share(140, 915))).toBe('NOT_SIGNIFICANT');
  expect(compare('SHARE', share(180, 902), share(120, 915))).toBe('HIGHER');
  expect(compare('SHARE', share(120, 915), share(180, 902))).toBe('LOWER');
  expect(compare('SHARE', share(5, 10), share(180, 902))).toBe('TOO_FEW');
  expect(compare('SHARE', share(0, 50), share(0, 50))).toBe('NOT_SIGNIFICANT');
  const rate = (count: number) => counted(Array(count).fill(1));
  expect(compare('RATE', rate(200), rate(150))).toBe('HIGHER');
  expect(compare('RATE', rate(160), rate(150))).toBe('NOT_SIGNIFICANT');
  const days = (shift: number) => counted(Array.from({ length: 60 }, (_, at) => (at % 9) + shift));
  expect(compare('MEDIAN_DAYS', days(2), days(0))).toBe('HIGHER');
  expect(compare('MEDIAN_DAYS', days(0), days(0))).toBe('NOT_SIGNIFICANT');
  expect(compare('MEDIAN_DAYS', counted(Array(20).fill(3)), counted(Array(20).fill(3)))).toBe('NOT_SIGNIFICANT');
});

test('what a comparison says is reversed when the periods are', () => {
  const values = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 11, maxLength: 60 });
  const reversed = { HIGHER: 'LOWER', LOWER: 'HIGHER', NOT_SIGNIFICANT: 'NOT_SIGNIFICANT', TOO_FEW: 'TOO_FEW' };
  fc.assert(
    fc.property(values, values, fc.constantFrom('RATE' as const, 'MEDIAN_DAYS' as const), (a, b, unit) => {
      expect(compare(unit, counted(b), counted(a))).toBe(reversed[compare(unit, counted(a), counted(b))]);
    }),
  );
});

test('a calendar period is compared with the one before, a running one with as many of its days', () => {
  const last = { from: '2026-07-01', to: '2026-09-30' };
  expect(before(last, 'QUARTER')).toEqual({ from: '2026-04-01', to: '2026-06-30' });
  expect(before({ from: '2026-11-01', to: '2026-11-27' }, 'MONTH')).toEqual({ from: '2026-10-01', to: '2026-10-27' });
  expect(before({ from: '2026-10-01', to: '2026-11-27' }, 'QUARTER')).toEqual({ from: '2026-07-01', to: '2026-08-27' });
  expect(before({ from: '2026-02-01', to: '2026-02-28' }, 'MONTH')).toEqual({ from: '2026-01-01', to: '2026-01-31' });
  expect(before({ from: '2026-03-01', to: '2026-03-30' }, 'MONTH')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(before({ from: '2026-01-01', to: '2026-01-05' }, 'QUARTER')).toEqual({ from: '2025-10-01', to: '2025-10-05' });
});

test('any other period is compared with the days before; months cover a period once', () => {
  expect(before({ from: '2026-07-01', to: '2026-09-30' })).toEqual({ from: '2026-03-31', to: '2026-06-30' });
  expect(monthsOf({ from: '2026-01-30', to: '2026-03-02' })).toEqual([
    { from: '2026-01-30', to: '2026-01-31' },
    { from: '2026-02-01', to: '2026-02-28' },
    { from: '2026-03-01', to: '2026-03-02' },
  ]);
  const day = fc.date({ min: new Date('2024-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(day, fc.nat({ max: 366 }), (start, length) => {
      const from = start.toISOString().slice(0, 10);
      const to = new Date(Date.parse(from) + length * 86_400_000).toISOString().slice(0, 10);
      const sum = monthsOf({ from, to }).reduce((days, month) => days + daysOf(month), 0);
      expect([sum, daysOf(before({ from, to }))]).toEqual([length + 1, length + 1]);
    }),
  );
});
