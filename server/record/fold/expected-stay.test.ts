import { expect, test } from 'vitest';
import { moment } from '#server/testing/facts.ts';
import { againstExpected, expectedDays, expectedDischargeDay } from './expected-stay.ts';

const unknown = { admittedAt: moment('1 08:00'), expectedDischargeAt: null, estimatedDays: null };

test.each([
  ['an expected day', { expectedDischargeAt: moment('19') }, '2026-03-19', 18],
  ['an expected day and time', { expectedDischargeAt: moment('19 23:30') }, '2026-03-19', 18],
  ['a time of day earlier than that of the admission', { expectedDischargeAt: moment('2 07:00') }, '2026-03-02', 1],
  ['the day of admission', { expectedDischargeAt: moment('1') }, '2026-03-01', 0],
  ['estimated days', { estimatedDays: 18 }, '2026-03-19', 18],
  ['zero estimated days', { estimatedDays: 0 }, '2026-03-01', 0],
  ['estimated days beyond the month', { estimatedDays: 31 }, '2026-04-01', 31],
  ['both: the expected day counts', { expectedDischargeAt: moment('5'), estimatedDays: 18 }, '2026-03-05', 4],
  ['an admission without a time of day', { admittedAt: moment('3'), estimatedDays: 2 }, '2026-03-05', 2],
  ['neither', {}, null, null],
  ['estimated days without a known admission', { admittedAt: null, estimatedDays: 3 }, null, null],
  [
    'an expected day without a known admission',
    { admittedAt: null, expectedDischargeAt: moment('5') },
    '2026-03-05',
    null,
  ],
  [
    'an expected day before the admission',
    { admittedAt: moment('6 10:00'), expectedDischargeAt: moment('5') },
    '2026-03-05',
    null,
  ],
])('the expected discharge from %s', (_, expectation, day, days) => {
  const state = { ...unknown, ...expectation };
  expect([expectedDischargeDay(state), expectedDays(state)]).toEqual([day, days]);
});

test('a date that means "unknown" is not an expectation', () => {
  const expectedDischargeAt = { instant: '9999-12-31T00:00:00Z', localDate: '9999-12-31', precision: 'day' as const };
  expect(expectedDays({ ...unknown, expectedDischargeAt })).toBeNull();
});

test('counts calendar days at the facility across a change to daylight saving time', () => {
  // 7 March, 11:30 p.m. in New York, to the early morning of the 9th: the 8th has 23 hours.
  const admittedAt = { instant: '2026-03-08T04:30:00Z', localDate: '2026-03-07', precision: 'minute' as const };
  const expectedDischargeAt = {
    instant: '2026-03-09T04:15:00Z',
    localDate: '2026-03-09',
    precision: 'minute' as const,
  };
  expect(expectedDays({ admittedAt, expectedDischargeAt, estimatedDays: null })).toBe(2);
});

test.each([
  [17, 18, 'WITHIN'],
  [18, 18, 'WITHIN'],
  [19, 18, 'OVER'],
  [0, 0, 'WITHIN'],
  [1, 0, 'OVER'],
  [40, null, 'NO_BENCHMARK'],
] as const)('a stay of %s days with %s expected is %s', (days, expected, comparison) =>
  expect(againstExpected(days, expected)).toBe(comparison),
);
