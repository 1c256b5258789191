import { expect, test } from 'vitest';
import { type CandidateVisit, visitToShow } from './current-stay.ts';

/** A visit that began on that day, and whose newest event was on that one. */
const visit = (
  setting: CandidateVisit['setting'],
  begun: number,
  newestAt: number,
  status: CandidateVisit['status'] = 'IN_PROGRESS',
): CandidateVisit => ({ setting, status, begun, newestAt });

const resident = visit('SNF', 1, 1);
const ended = visit('INPATIENT', 20, 25, 'FINISHED');

test('a resident back from the hospital is shown at the nursing facility, also on leave or after an outpatient visit', () => {
  expect(visitToShow([resident, ended], false)).toBe(resident);
  const onLeave = visit('SNF', 1, 20, 'ON_LEAVE');
  expect(visitToShow([onLeave, ended, visit('OUTPATIENT', 26, 26, 'FINISHED')], false)).toBe(onLeave);
});

test('a resident in hospital is shown at the hospital', () => {
  const inpatient = visit('INPATIENT', 20, 20);
  expect(visitToShow([resident, inpatient], false)).toBe(inpatient);
});

test('what home health reports hides no open stay', () => {
  const inpatient = visit('INPATIENT', 20, 20);
  expect(visitToShow([inpatient, visit('HHA', 5, 21, 'FINISHED')], false)).toBe(inpatient);
  expect(visitToShow([visit('HHA', 5, 21), inpatient], false)).toBe(inpatient);
});

test('a hospital stay whose discharge is missing is not current once something later was reported', () => {
  const forgotten = visit('INPATIENT', 1, 1);
  for (const later of [visit('SNF', 5, 20, 'FINISHED'), visit('EMERGENCY', 9, 9, 'FINISHED'), visit('HHA', 5, 5)])
    expect(visitToShow([forgotten, later], false)).toBe(later);
});

test('without an open stay, and after a death, the newest event decides', () => {
  const earlier = visit('SNF', 1, 10, 'FINISHED');
  expect(visitToShow([earlier, ended], false)).toBe(ended);
  expect(visitToShow([ended, resident], true)).toBe(ended);
  expect(visitToShow([], false)).toBeNull();
});
