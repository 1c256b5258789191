import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FEWEST_CASES, type SpotlightFigure } from '#contract/spotlights.ts';
import { compare, figureOf, hideSubtractable, medianOf } from './figures.ts';
import { before, daysOf, monthsOf } from './periods.ts';

const counted = (values: (number | null)[], people = 1000, days = 90) => ({ values, people, days });
const share = (hits: number, of: number) => counted(Array.from({ length: of }, (_, at) => Number(at < hits)));

test('a share has its numerator and denominator; fewer than eleven cases show nothing', () => {
  expect(figureOf('SHARE', share(128, 902))).toEqual({ value: 128 / 902, numerator: 128, denominator: 902 });
  expect(figureOf('SHARE', share(0, 11))).toEqual({ value: 0, numerator: 0, denominator: 11 });
  expect(figureOf('SHARE', share(5, 10))).toEqual({ value: null, numerator: null, denominator: null });
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

test('two hidden parts or none can be shown beside the whole, one cannot', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 40 }), { maxLength: 8 }), (sizes) => {
      const parts = sizes.map((of) => ({ figure: figureOf('SHARE', share(Math.floor(of / 2), of)) }));
      const shown = hideSubtractable(parts);
      const hidden = (figure: SpotlightFigure) => figure.denominator === null;
      const count = shown.filter(({ figure }) => hidden(figure)).length;
      expect(count === 1 && shown.length > 1).toBe(false);
      for (const [at, { figure }] of shown.entries()) {
        if (!hidden(figure)) expect(figure).toEqual(parts[at]?.figure);
        if ((sizes[at] ?? 0) < FEWEST_CASES) expect(hidden(figure)).toBe(true);
      }
    }),
  );
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

test('the period before is as long and ends the day before; months cover a period once', () => {
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
