import { expect, test } from 'vitest';
import { moment } from '#server/testing/facts.ts';
import { againstExpected, expectedDays, expectedDischargeDay } from './expected-stay.ts';

const unsaid = { admittedAt: moment('1 08:00'), expectedDischargeAt: null, estimatedDays: null };

test.each([
  ['the day that the sender gave', { expectedDischargeAt: moment('19') }, '2026-03-19', 18],
  ['the same with a time of day', { expectedDischargeAt: moment('19 23:30') }, '2026-03-19', 18],
  [
    'a time of day that is earlier than that of the admission',
    { expectedDischargeAt: moment('2 07:00') },
    '2026-03-02',
    1,
  ],
  ['the day of the admission', { expectedDischargeAt: moment('1') }, '2026-03-01', 0],
  ['days', { estimatedDays: 18 }, '2026-03-19', 18],
  ['no day', { estimatedDays: 0 }, '2026-03-01', 0],
  ['days beyond the month', { estimatedDays: 31 }, '2026-04-01', 31],
  ['both: the day counts', { expectedDischargeAt: moment('5'), estimatedDays: 18 }, '2026-03-05', 4],
  ['an admission that is a day without a time', { admittedAt: moment('3'), estimatedDays: 2 }, '2026-03-05', 2],
  ['neither', {}, null, null],
  ['days of a stay whose admission nobody knows', { admittedAt: null, estimatedDays: 3 }, null, null],
  [
    'a day of a stay whose admission nobody knows',
    { admittedAt: null, expectedDischargeAt: moment('5') },
    '2026-03-05',
    null,
  ],
  [
    'a day before the admission',
    { admittedAt: moment('6 10:00'), expectedDischargeAt: moment('5') },
    '2026-03-05',
    null,
  ],
])('what is expected, from %s', (_, said, day, days) => {
  const state = { ...unsaid, ...said };
  expect([expectedDischargeDay(state), expectedDays(state)]).toEqual([day, days]);
});

test('a day that stands for an unknown one is no expectation', () => {
  const expectedDischargeAt = { instant: '9999-12-31T00:00:00Z', localDate: '9999-12-31', precision: 'day' as const };
  expect(expectedDays({ ...unsaid, expectedDischargeAt })).toBeNull();
});

test('days are those of the calendar at the facility, also where the clocks change between', () => {
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
] as const)('%s days, expected %s: %s', (days, expected, comparison) =>
  expect(againstExpected(days, expected)).toBe(comparison),
);
