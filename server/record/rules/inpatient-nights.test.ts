import { expect, test } from 'vitest';
import { daysAgo, NOW, visit } from '#server/testing/rule-visits.ts';
import { inpatientNights } from './inpatient-nights.ts';
import type { RuleVisit } from './rule-visit.ts';

const nights = (one: RuleVisit, ...others: RuleVisit[]) =>
  inpatientNights(one, [one, ...others], 'America/New_York', NOW);

test('nights are midnights as an inpatient, without the nights in the ED or under observation before', () => {
  expect(nights(visit('INPATIENT', 4, 1))).toBe(3);
  expect(nights(visit('INPATIENT', 4, 1, { inpatientFrom: daysAgo(2) }))).toBe(1);
  expect(nights(visit('INPATIENT', 4, null, { inpatientFrom: daysAgo(2) }))).toBe(2);
  expect(nights(visit('OBSERVATION', 4, 1))).toBe(0);
  expect(nights(visit('EMERGENCY', 2, null))).toBe(0);
});

test('a stay at another hospital without a night in between counts together with the one before', () => {
  const first = visit('INPATIENT', 7, 5.1);
  const second = visit('INPATIENT', 5, 3, { facilityId: 'brendan' });
  const third = visit('REHAB', 3, 1);
  expect(nights(third, first, second)).toBe(6);
  expect(nights(third, first)).toBe(2);
  expect(nights(third, first, visit('OBSERVATION', 5, 3))).toBe(2);
});

test('nights end with the death, and are unknown without a time or outside hospitals', () => {
  expect(nights(visit('INPATIENT', 6, null, { diedAt: daysAgo(4) }))).toBe(2);
  expect(nights(visit('INPATIENT', null, null))).toBeNull();
  expect(nights(visit('INPATIENT', 6, null, { status: 'FINISHED' }))).toBeNull();
  expect(nights(visit('SNF', 30, 3))).toBeNull();
});
