import { expect, test } from 'vitest';
import type { Encounter } from '#contract/patients.ts';
import { patientWith, pingWith } from '../testing/patients.ts';
import { asOfNow, durationInWords, stayDay } from './stay.ts';

const stay = (over: Partial<Encounter>): Encounter => ({
  ...(patientWith().currentPingEncounter as Encounter),
  ...over,
});

const LOADED_AT = Date.parse('2026-11-21T20:00:00Z');
/** Returns what is shown at `now` of a stay that was loaded on its sixth day, at a facility in `timeZone`. */
const dayAt = (now: string, timeZone = 'America/New_York', over: Partial<Encounter> = {}): string | null => {
  const { facility } = pingWith();
  const patient = patientWith({
    currentPingEncounter: stay({ lengthOfStay: 5, admittingFacility: { ...facility, timeZone }, ...over }),
  });
  return stayDay(asOfNow([patient], LOADED_AT, new Date(now))[0]?.currentPingEncounter as Encounter);
};

test('a listed stay is one day longer after midnight at its facility', () => {
  expect(dayAt('2026-11-22T04:59:59Z')).toBe('Day 6');
  expect(dayAt('2026-11-22T05:00:00Z')).toBe('Day 7');
  expect(dayAt('2026-11-22T05:00:00Z', 'America/Chicago')).toBe('Day 6');
  expect(dayAt('2026-11-22T06:00:00Z', 'America/Chicago')).toBe('Day 7');
  expect(dayAt('2026-11-24T12:00:00Z')).toBe('Day 9');
});

test('an ended stay, a stay of unknown length, and a clock set back count no day', () => {
  const ended = { status: 'FINISHED', dischargedDate: '2026-11-20', visitDuration: '5 days' } as const;
  expect(dayAt('2026-11-24T12:00:00Z', 'America/New_York', ended)).toBe('5 days');
  expect(dayAt('2026-11-24T12:00:00Z', 'America/New_York', { lengthOfStay: null })).toBeNull();
  expect(dayAt('2026-11-19T12:00:00Z')).toBe('Day 6');
});

test('an inpatient’s nights go on with the days, those under observation do not, and a death ends both', () => {
  const nightsOf = (over: Partial<Encounter>, deceased = false) => {
    const patient = patientWith({ currentPingEncounter: stay({ lengthOfStay: 5, ...over }), deceased });
    return asOfNow([patient], LOADED_AT, new Date('2026-11-23T12:00:00Z'))[0]?.currentPingEncounter;
  };
  expect(nightsOf({ setting: 'INPATIENT', inpatientNights: 4 })).toMatchObject({ lengthOfStay: 7, inpatientNights: 6 });
  expect(nightsOf({ setting: 'OBSERVATION', inpatientNights: 0 })).toMatchObject({
    lengthOfStay: 7,
    inpatientNights: 0,
  });
  expect(nightsOf({ setting: 'SNF', inpatientNights: null })?.inpatientNights).toBeNull();
  expect(nightsOf({ setting: 'INPATIENT', inpatientNights: 4 }, true)).toMatchObject({
    lengthOfStay: 5,
    inpatientNights: 4,
  });
});

test('a leave adds no day to the stay, and the nights after one wait for the next load', () => {
  const later = (over: Partial<Encounter>) => {
    const patient = patientWith({ currentPingEncounter: stay({ lengthOfStay: 5, inpatientNights: 4, ...over }) });
    return asOfNow([patient], LOADED_AT, new Date('2026-11-23T12:00:00Z'))[0]?.currentPingEncounter;
  };
  expect(later({ status: 'ON_LEAVE', leaveDays: 1 })).toMatchObject({ lengthOfStay: 5, inpatientNights: 4 });
  expect(later({ leaveDays: 1 })).toMatchObject({ lengthOfStay: 7, inpatientNights: 4 });
});

test('the duration says how many days on leave it leaves out', () => {
  expect(durationInWords(stay({ visitDuration: '5 days' }))).toBe('5 days');
  expect(durationInWords(stay({ visitDuration: '5 days', leaveDays: 2 }))).toBe('5 days, not counting 2 days on leave');
  expect(durationInWords(stay({ visitDuration: null, leaveDays: null }))).toBeNull();
});
