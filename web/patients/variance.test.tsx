import { expect, test } from 'vitest';
import type { Encounter } from '#contract/patients.ts';
import { asOfNow, stayDay } from '../patient/stay.ts';
import { patientWith, pingWith } from '../testing/patients.ts';
import { endOfBar, varianceInWords } from './variance.tsx';

const stay = (over: Partial<Encounter>): Encounter => ({
  ...(patientWith().currentPingEncounter as Encounter),
  ...over,
});

test.each([
  [21, 18, '+3 days over expected 18'],
  [19, 18, '+1 day over expected 18'],
  [18, 18, 'On the expected day'],
  [17, 18, '1 day left of 18'],
  [16, 18, '2 days left of 18'],
  [0, 0, 'On the expected day'],
  [1, 0, '+1 day over expected 0'],
  [5, null, null],
  [null, 18, null],
])('a stay that goes on, of %s days where %s were expected: %s', (lengthOfStay, expectedLengthOfStay, words) =>
  expect(varianceInWords(stay({ lengthOfStay, expectedLengthOfStay }))).toBe(words),
);

test.each([
  [21, 18, '+3 days over expected 18'],
  [18, 18, 'As expected, 18 days'],
  [17, 18, '1 day under expected 18'],
])('a stay that is over, of %s days where %s were expected: %s', (lengthOfStay, expectedLengthOfStay, words) => {
  const ended = { status: 'FINISHED', dischargedDate: '2026-11-20' } as const;
  expect(varianceInWords(stay({ ...ended, lengthOfStay, expectedLengthOfStay }))).toBe(words);
});

test.each([
  [0, 18, 0],
  [9, 18, 40],
  [18, 18, 80],
  [33, 32, 86],
  [25, 20, 100],
  [90, 20, 120],
  [0, 0, 80],
  [1, 0, 120],
])('the bar of %s days where %s were expected ends at %s, the mark being at 80', (days, expected, end) =>
  expect(endOfBar(days, expected)).toBe(end),
);

const READ_AT = Date.parse('2026-11-21T20:00:00Z');
/** Of a stay that was read on its sixth day, in a facility of that zone. */
const dayAt = (now: string, timeZone = 'America/New_York', over: Partial<Encounter> = {}): string | null => {
  const { facility } = pingWith();
  const patient = patientWith({
    currentPingEncounter: stay({ lengthOfStay: 5, admittingFacility: { ...facility, timeZone }, ...over }),
  });
  return stayDay(asOfNow([patient], READ_AT, new Date(now))[0]?.currentPingEncounter as Encounter);
};

test('a day is counted at midnight where the facility is, while the list stands', () => {
  expect(dayAt('2026-11-22T04:59:59Z')).toBe('Day 6');
  expect(dayAt('2026-11-22T05:00:00Z')).toBe('Day 7');
  expect(dayAt('2026-11-22T05:00:00Z', 'America/Chicago')).toBe('Day 6');
  expect(dayAt('2026-11-22T06:00:00Z', 'America/Chicago')).toBe('Day 7');
  expect(dayAt('2026-11-24T12:00:00Z')).toBe('Day 9');
});

test('no day is counted of a stay that is over, of one that nobody can count, and by a clock that goes back', () => {
  const ended = { status: 'FINISHED', dischargedDate: '2026-11-20', visitDuration: '5 days' } as const;
  expect(dayAt('2026-11-24T12:00:00Z', 'America/New_York', ended)).toBe('5 days');
  expect(dayAt('2026-11-24T12:00:00Z', 'America/New_York', { lengthOfStay: null })).toBeNull();
  expect(dayAt('2026-11-19T12:00:00Z')).toBe('Day 6');
});
