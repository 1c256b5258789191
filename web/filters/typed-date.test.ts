import { expect, test } from 'vitest';
import { readTypedDate, TYPED_DATE } from './typed-date.ts';

const NOW = new Date('2026-11-21T12:00:00');

test.each([
  ['11/2/56', '1956-11-02'],
  ['11021956', '1956-11-02'],
  ['11/02/1956', '1956-11-02'],
  ['1956-11-02', '1956-11-02'],
  [' 3.7.25 ', '2025-03-07'],
])('%s is read as %s', (typed, day) => expect(readTypedDate(typed, NOW)).toBe(day));

test.each(['', '13/01/1956', '02/30/1956', '11/2', 'Lindqvist', '1102195'])('%s is not a date', (typed) =>
  expect(readTypedDate(typed, NOW)).toBeNull(),
);

test.each(['', '11/2/1956', '11021956', '1956-11-02', ' 3.7.1925 '])('"%s" is complete', (typed) =>
  expect(TYPED_DATE.isWhole(typed)).toBe(true),
);

test.each(['1', '1102', '11/2', '11/2/19', '11/2/195', '1102195'])('"%s" may still grow', (typed) =>
  expect(TYPED_DATE.isWhole(typed)).toBe(false),
);
