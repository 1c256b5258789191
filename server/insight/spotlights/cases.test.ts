import { expect, test } from 'vitest';
import { FEDERAL_HOLIDAYS } from '#server/platform/calendar/business-days.ts';
import type { RuleVisit } from '#server/record/rules/rule-visit.ts';
import { visit } from '#server/testing/rule-visits.ts';
import { CASES_OF_PERSON, type PersonHistory } from './cases.ts';

const at = (time: string): number => Date.parse(time);

/** An inpatient stay at a hospital in Chicago, of someone whom a list in New York has. */
const stay = (from: string, to: string, over: Partial<RuleVisit> = {}): RuleVisit =>
  visit('INPATIENT', 1, 0, { timeZone: 'America/Chicago', admittedAt: at(from), dischargedAt: at(to), ...over });
const listed = (visits: RuleVisit[], over: Partial<PersonHistory> = {}): PersonHistory => ({
  personId: '7',
  timeZone: 'America/New_York',
  visits,
  attempts: [],
  holidays: FEDERAL_HOLIDAYS,
  nightsOf: () => 4,
  now: at('2027-02-01T12:00:00-05:00'),
  ...over,
});
const found = (name: keyof typeof CASES_OF_PERSON, history: PersonHistory) =>
  CASES_OF_PERSON[name](history).map(({ day, value }) => [day, value]);

test('a stay counts with the nights that lists show, on the day of its discharge at the hospital', () => {
  const [morning, night] = ['2026-11-20T08:00:00-06:00', '2026-11-23T23:30:00-06:00'];
  expect(found('length-of-stay', listed([stay(morning, night)]))).toEqual([['2026-11-23', 4]]);
  expect(found('length-of-stay', listed([stay(morning, night)], { nightsOf: () => null }))).toEqual([]);
});

test('a call is in time by the day of the discharge at the hospital, like the clock of the row', () => {
  // Monday, 11:30 PM: due on Wednesday. In New York it is Tuesday.
  const discharged = stay('2026-11-12T08:00:00-06:00', '2026-11-16T23:30:00-06:00');
  const call = (day: string) => [
    { at: at(`${day}T10:00:00-05:00`), day, channel: 'CALL' as const, outcome: 'REACHED' as const },
  ];
  const called = (day: string) => found('follow-up', listed([discharged], { attempts: call(day) }));
  expect(called('2026-11-18')).toEqual([['2026-11-16', 1]]);
  expect(called('2026-11-19')).toEqual([['2026-11-16', 0]]);
});

test('who is in a hospital again before the contact was due is counted neither with a call nor without', () => {
  const index = stay('2026-10-12T08:00:00-05:00', '2026-10-16T10:00:00-05:00');
  const again = (day: string) => stay(`${day}T15:00:00-05:00`, '2026-11-25T10:00:00-06:00', { disposition: '20' });
  const call = { at: at('2026-10-19T10:00:00-05:00'), day: '2026-10-19', channel: 'CALL', outcome: 'REACHED' } as const;
  const cases = (day: string, attempts: PersonHistory['attempts']) =>
    found('follow-up', listed([index, again(day)], { attempts }));
  expect([cases('2026-10-19', [call]), cases('2026-10-19', []), cases('2026-10-20', [call])]).toEqual([[], [], []]);
  // After the last day, Tuesday.
  expect(cases('2026-10-21', [call])).toEqual([['2026-10-16', 1]]);
  expect(cases('2026-10-21', [])).toEqual([['2026-10-16', 0]]);
});

test('a readmission on the 30th day at the hospital is one, and counts on the day of the discharge there', () => {
  const index = stay('2026-10-15T08:00:00-05:00', '2026-10-20T23:30:00-05:00');
  const again = stay('2026-11-19T23:30:00-06:00', '2026-11-25T10:00:00-06:00');
  expect(found('readmissions', listed([index, again]))).toEqual([
    ['2026-10-20', 1],
    ['2026-11-25', 0],
  ]);
  expect(found('admissions-and-ed-use', listed([index, again])).map(([day]) => day)).toEqual([
    '2026-10-15',
    '2026-11-19',
  ]);
});

test('stays under observation count for the readmissions of plans, and not for those of hospitals', () => {
  const index = stay('2026-10-12T08:00:00-05:00', '2026-10-16T10:00:00-05:00');
  const observed = visit('OBSERVATION', 1, 0, {
    timeZone: 'America/Chicago',
    admittedAt: at('2026-10-30T08:00:00-05:00'),
    dischargedAt: at('2026-10-31T10:00:00-05:00'),
  });
  expect(found('readmissions', listed([index, observed]))).toEqual([['2026-10-16', 0]]);
  expect(found('plan-readmissions', listed([index, observed]))).toEqual([
    ['2026-10-16', 1],
    ['2026-10-31', 0],
  ]);
});
