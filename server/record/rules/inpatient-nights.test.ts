import { expect, test } from 'vitest';
import { daysAgo, NOW, visit } from '#server/testing/rule-visits.ts';
import { inpatientNights, inpatientRun } from './inpatient-nights.ts';
import type { RuleVisit } from './rule-visit.ts';

const nights = (one: RuleVisit, ...others: RuleVisit[]) => inpatientNights(one, [one, ...others], NOW);

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
  expect(nights(visit('INPATIENT', 6, 1, { diedAt: daysAgo(4) }))).toBe(2);
  expect(nights(visit('INPATIENT', null, null))).toBeNull();
  expect(nights(visit('INPATIENT', 6, null, { status: 'FINISHED' }))).toBeNull();
  expect(nights(visit('INPATIENT', 6, 1, { isInpatientUndated: true }))).toBeNull();
  expect(nights(visit('SNF', 30, 3))).toBeNull();
});

test('a stay whose discharge is missing or was entered late continues nothing, and its own nights are unknown', () => {
  const open = visit('INPATIENT', 21, null);
  const short = visit('INPATIENT', 2, 1, { facilityId: 'brendan' });
  expect(nights(short, open)).toBe(1);
  expect(nights(open, short)).toBeNull();
  expect(nights(short, visit('INPATIENT', 21, 0))).toBe(1);
  expect(nights(open, visit('EMERGENCY', 2, 1.9, { facilityId: 'brendan' }))).toBe(21);
});

test('an admission shortly before midnight continues a stay whose discharge was entered after it', () => {
  const onward = visit('INPATIENT', 5.4, 3, { facilityId: 'brendan' });
  expect(nights(onward, visit('INPATIENT', 7, 5.2))).toBe(4);
});

test('each hospital’s nights are counted by its own clock', () => {
  const at = (time: string) => Date.parse(time);
  const [admittedAt, inTime] = [at('2026-11-09T10:00:00-06:00'), at('2026-11-15T10:00:00-05:00')];
  const west = { facilityId: 'brendan', timeZone: 'America/Chicago', admittedAt };
  // 11:30 PM there: in New York it is the next day already, on which the second stay began, after a night at home.
  const first = visit('INPATIENT', 9, 5, { ...west, dischargedAt: at('2026-11-14T23:30:00-06:00') });
  const second = visit('INPATIENT', 5, null, { admittedAt: at('2026-11-15T22:00:00-05:00') });
  expect(nights(first, second)).toBe(5);
  expect(nights(second, first)).toBe(5);
  const noon = visit('INPATIENT', 9, 5, { ...west, dischargedAt: inTime });
  expect(inpatientRun(second, [second, noon], NOW)).toEqual({ nights: 11, own: 5, since: '2026-11-09' });
});

test('nights on leave are none, and only those in a row count together', () => {
  const leave = (from: number, to: number | null) => ({ from: daysAgo(from), to: to === null ? null : daysAgo(to) });
  const stay = (...leaves: RuleVisit['leaves']) => visit('INPATIENT', 10, 1, { leaves });
  expect(nights(stay(leave(8, 7.9)))).toBe(9);
  expect(nights(stay(leave(8, 6)))).toBe(5);
  expect(nights(stay(leave(4, 3)))).toBe(6);
  expect(nights(stay(leave(8, 6), leave(4, 2)))).toBe(2);
  expect(nights(visit('INPATIENT', 10, null, { leaves: [leave(7, null)] }))).toBe(3);
  expect(nights(visit('INPATIENT', 10, 1, { inpatientFrom: daysAgo(6), leaves: [leave(9, 8)] }))).toBe(5);
  expect(nights(visit('INPATIENT', 10, 1, { inpatientFrom: daysAgo(6), leaves: [leave(9, 4)] }))).toBe(3);
  const onward = visit('REHAB', 1, 0, { facilityId: 'brendan' });
  expect(nights(onward, stay(leave(4, 3)))).toBe(6);
  expect(nights(onward, stay(leave(8, 4)))).toBe(4);
});

test.each(['61', '89', '51'])(
  'only the nights before a bed that is no hospital care count: disposition %s',
  (disposition) => {
    const acute = visit('INPATIENT', 20, 18, { disposition });
    const bed = visit('INPATIENT', 17.99, 1);
    expect(nights(bed, acute)).toBe(2);
    expect(nights(acute, bed)).toBe(2);
    expect(nights(visit('INPATIENT', 1, 0), acute, bed)).toBe(1);
  },
);

test('nights in rehabilitation and long-term acute care count together with those before', () => {
  const acute = visit('INPATIENT', 20, 18, { disposition: '62' });
  expect(nights(visit('INPATIENT', 17.99, 10), acute)).toBe(10);
});

test('the nights of the stay alone are told apart from those in a row with an earlier one, after hours at home on the same day too', () => {
  const run = (one: RuleVisit, ...others: RuleVisit[]) => inpatientRun(one, [one, ...others], NOW);
  const first = visit('INPATIENT', 7, 5.1, { disposition: '01' });
  const second = visit('INPATIENT', 5, 3);
  expect(run(second, first)).toEqual({ nights: 4, own: 2, since: '2026-11-13' });
  expect(run(second)).toEqual({ nights: 2, own: 2, since: null });
  expect(run(visit('INPATIENT', 4, 3), first)).toEqual({ nights: 1, own: 1, since: null });
});
