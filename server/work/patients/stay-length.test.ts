import { expect, test } from 'vitest';
import type { VisitState } from '#server/record/fold/visit-state.ts';
import { moment } from '#server/testing/facts.ts';
import { stayLength } from './stay-length.ts';

const span = (from: string, to: string | null) => ({ from: moment(from), to: to === null ? null : moment(to) });
const now = Date.parse(moment('10 12:00').instant);
const hour = 60;

function lengthOf(admitted: string, over: Partial<VisitState> = {}, until = now) {
  const state = { status: 'IN_PROGRESS' as const, admittedAt: moment(admitted), dischargedAt: null, ...over };
  const length = stayLength(state, 'UTC', until);
  return length && [length.days, length.leaveDays, length.minutes / hour, length.isInDays];
}

test('days are midnights, without those on leave', () => {
  expect(lengthOf('1 08:00')).toEqual([9, 0, 220, true]);
  expect(lengthOf('1 08:00', { leaves: [span('3 10:00', '3 18:00')] })).toEqual([9, 0, 212, true]);
  expect(lengthOf('1 08:00', { leaves: [span('3 18:00', '5 18:00'), span('7 12:00', '8 12:00')] })).toEqual([
    6,
    3,
    148,
    true,
  ]);
  expect(lengthOf('1 08:00', { leaves: [span('3', '5')] })).toEqual([7, 2, 172, true]);
});

test('a leave that has no end lasts until now or the discharge', () => {
  const leaves = [span('3 18:00', null)];
  expect(lengthOf('1 08:00', { status: 'ON_LEAVE', leaves })).toEqual([2, 7, 58, true]);
  const ended = { status: 'FINISHED' as const, dischargedAt: moment('6 09:00') };
  expect(lengthOf('1 08:00', { ...ended, leaves })).toEqual([2, 3, 58, true]);
});

test('time on leave does not make a short stay one of days', () => {
  expect(lengthOf('8 09:00', { leaves: [span('8 12:00', '10 10:00')] })).toEqual([0, 2, 5, false]);
  expect(lengthOf('9 11:00')).toEqual([1, 0, 25, false]);
  expect(lengthOf('9')).toEqual([1, 0, 36, true]);
});

test('a leave reported for a time before the admission counts nothing', () => {
  expect(lengthOf('5 08:00', { leaves: [span('3 10:00', '6 08:00')] })).toEqual([4, 1, 100, true]);
  expect(lengthOf('5 08:00', { leaves: [span('3 10:00', '4 08:00')] })).toEqual([5, 0, 124, true]);
});

test('a planned visit, an unknown admission and an unknown end have no length', () => {
  expect(lengthOf('1 08:00', { status: 'PLANNED' })).toBeNull();
  expect(lengthOf('1 08:00', { admittedAt: null })).toBeNull();
  expect(lengthOf('1 08:00', { status: 'FINISHED' })).toBeNull();
});

test('a stay ends with the death, whatever a later discharge says, unless it began after it', () => {
  const died = Date.parse(moment('3 10:00').instant);
  const ended = { status: 'FINISHED' as const, dischargedAt: moment('6 09:00') };
  expect(lengthOf('1 08:00', ended, died)).toEqual([2, 0, 50, true]);
  expect(lengthOf('4 08:00', ended, died)).toEqual([2, 0, 49, true]);
});
