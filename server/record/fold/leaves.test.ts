import { describe, expect, test } from 'vitest';
import { fact, HOSPITAL, moment, NURSING } from '#server/testing/facts.ts';
import type { Fact, FoldFacility } from './fold-input.ts';
import { foldVisit } from './fold-visit.ts';

const admit = fact('A01', '1 08:00', { class: 'INPATIENT', admitted: '1 08:00' });
const leave = fact('A21', '3 18:00', { class: 'INPATIENT' });
const back = fact('A22', '5 09:00', { class: 'INPATIENT' });
const second = fact('A21', '7 18:00', { class: 'INPATIENT' });
const end = fact('A03', '9 10:00', { class: 'INPATIENT', discharged: '9 10:00', disposition: '01' });

function leavesOf(facts: Fact[], facility: FoldFacility = HOSPITAL) {
  const { state } = foldVisit(facts, facility);
  return { status: state.status, leaves: state.leaves };
}
const span = (from: string, to: string | null) => ({ from: moment(from), to: to === null ? null : moment(to) });

test.each([HOSPITAL, NURSING])('leaves are kept as spans at any facility, also where they are no events', (where) => {
  expect(leavesOf([admit], where)).toEqual({ status: 'IN_PROGRESS', leaves: undefined });
  const away = { status: 'ON_LEAVE', leaves: [span('3 18:00', null)] };
  expect(leavesOf([admit, leave], where)).toEqual(away);
  expect(leavesOf([admit, leave, fact('A21', '4 18:00')], where)).toEqual(away);
  const closed = { status: 'IN_PROGRESS', leaves: [span('3 18:00', '5 09:00')] };
  expect(leavesOf([admit, leave, back], where)).toEqual(closed);
  expect(leavesOf([admit, leave, back, fact('A22', '6 09:00')], where)).toEqual(closed);
  expect(leavesOf([admit, leave, back, second, end], where)).toEqual({
    status: 'FINISHED',
    leaves: [span('3 18:00', '5 09:00'), span('7 18:00', null)],
  });
});

test('a canceled leave is none, and a canceled return leaves the patient on leave', () => {
  const cancelLeave = fact('A52', '3 19:00', { recorded: '3 19:00' });
  expect(leavesOf([admit, leave, cancelLeave])).toEqual({ status: 'IN_PROGRESS', leaves: undefined });
  const cancelReturn = fact('A53', '5 10:00', { recorded: '5 10:00' });
  expect(leavesOf([admit, leave, back, cancelReturn])).toEqual({
    status: 'ON_LEAVE',
    leaves: [span('3 18:00', null)],
  });
});

test('leaves that staff entered count as well', () => {
  const entered = (manual: Fact['manualCode'], day: string) =>
    fact('MANUAL', day, { manual, occurred: day, sent: '9 12:00', recorded: '9 12:00' });
  const stay = [entered('ADMIT', '1'), entered('MEDICAL_LEAVE_OF_ABSENCE', '3'), entered('RESUMED_SERVICES', '5')];
  expect(leavesOf(stay, NURSING).leaves).toEqual([span('3', '5')]);
});

test('someone who arrives again during a leave is back', () => {
  const again = fact('A01', '5 09:00', { class: 'INPATIENT', admitted: '5 09:00' });
  expect(leavesOf([admit, leave, again])).toEqual({ status: 'IN_PROGRESS', leaves: [span('3 18:00', '5 09:00')] });
  const afterEnd = fact('A01', '12 09:00', { class: 'INPATIENT', admitted: '12 09:00' });
  expect(leavesOf([admit, second, end, afterEnd])).toEqual({
    status: 'IN_PROGRESS',
    leaves: [span('7 18:00', '12 09:00')],
  });
});

describe('a leave or return dated before its stay', () => {
  const early = { class: 'INPATIENT', occurred: '1 07:00', admitted: '1 08:00' } as const;

  test.each([HOSPITAL, NURSING])('is dated by when it was recorded, with and without its own PV1-44', (where) => {
    const away = { status: 'ON_LEAVE', leaves: [span('3 18:00', null)] };
    expect(leavesOf([admit, fact('A21', '3 18:00', early)], where)).toEqual(away);
    expect(leavesOf([admit, fact('A21', '3 18:00', { ...early, admitted: undefined })], where)).toEqual(away);
    const returned = fact('A22', '5 09:00', early);
    expect(leavesOf([admit, leave, returned], where)).toEqual({
      status: 'IN_PROGRESS',
      leaves: [span('3 18:00', '5 09:00')],
    });
  });

  test('gives an event after the admission, and a warning in what became of the message', () => {
    const message = fact('A21', '3 18:00', early);
    const { events, outcomes } = foldVisit([admit, message], NURSING);
    expect(events.map(({ code }) => code)).toEqual(['ADMIT', 'MEDICAL_LEAVE_OF_ABSENCE']);
    expect(outcomes.get(message.id)).toBe('Created: medical leave, not dated by EVN-6, which is before the admission');
    expect(foldVisit([admit, message], HOSPITAL).outcomes.get(message.id)).toBe(
      'No new event: leaves create none at this facility, not dated by EVN-6, which is before the admission',
    );
  });

  test('doesn’t count an EVN-6 without a time on the day of the admission as one', () => {
    const sameDay = fact('A21', '1 18:00', { class: 'INPATIENT', occurred: '1', admitted: '1 08:00' });
    const { outcomes } = foldVisit([admit, sameDay], NURSING);
    expect(outcomes.get(sameDay.id)).toBe('Created: medical leave');
  });
});
