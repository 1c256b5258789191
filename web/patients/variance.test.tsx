import { expect, test } from 'vitest';
import type { Encounter } from '#contract/patients.ts';
import { patientWith } from '../testing/patients.ts';
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
])('an ongoing stay of %s days where %s were expected: %s', (lengthOfStay, expectedLengthOfStay, words) =>
  expect(varianceInWords(stay({ lengthOfStay, expectedLengthOfStay }))).toBe(words),
);

test.each([
  [21, 18, '+3 days over expected 18'],
  [18, 18, 'As expected, 18 days'],
  [17, 18, '1 day under expected 18'],
])('an ended stay of %s days where %s were expected: %s', (lengthOfStay, expectedLengthOfStay, words) => {
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
])('the bar of %s days where %s were expected ends at %s; the mark is at 80', (days, expected, end) =>
  expect(endOfBar(days, expected)).toBe(end),
);
