import { expect, test } from 'vitest';
import { longText, plainText, realInstant } from './primitives.ts';

test.each(['2026-11-21T15:42:00Z', '2024-02-29T00:00Z', '2026-12-31T23:59:59.123+14:00', '0001-01-01T00:00-05:30'])(
  '%s exists',
  (text) => {
    expect(realInstant.safeParse(text).success).toBe(true);
  },
);

test.each([
  '2026-02-29T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2026-11-22T24:00:00Z',
  '2026-11-22T00:60:00Z',
  '2026-11-22T00:00:60Z',
  '2026-11-22T00:00:00+99:99',
  '2026-11-22T00:00:00+23:59',
  '2026-11-22T00:00+05:60',
])('%s does not exist', (text) => {
  expect(realInstant.safeParse(text).success).toBe(false);
});

test.each(['', 'Núñez', '   ', 'می\u200cخواهم', '👩\u200d⚕️'])('%j is readable text', (text) => {
  expect([plainText(50).safeParse(text).success, longText(50).safeParse(text).success]).toEqual([true, true]);
});

test.each(['\u200b', ' \u2060 ', '\u202elian', 'a\u2066b', '\ud800', 'a\u0000'])('%j is not', (text) => {
  expect([plainText(50).safeParse(text).success, longText(50).safeParse(text).success]).toEqual([false, false]);
});

test('only text on several lines has ends of lines', () => {
  expect([plainText(50).safeParse('a\nb').success, longText(50).safeParse('a\n\tb').success]).toEqual([false, true]);
});
