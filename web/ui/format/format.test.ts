import { describe, expect, test } from 'vitest';
import { age, localDay } from './age.ts';
import {
  ago,
  eventTime,
  formatDate,
  formatDateTime,
  formatMinutes,
  formatTime,
  longDate,
  setReaderZone,
} from './date.ts';
import { familyFirst, groupedId } from './name.ts';

const NEW_YORK = 'America/New_York';
const CHICAGO = 'America/Chicago';
const NOW = new Date('2026-11-21T16:00:00Z');

describe('dates and times', () => {
  test('a day is the same in every time zone', () => {
    expect(formatDate('1956-11-02')).toBe('11/02/1956');
    expect(longDate('1956-11-02')).toBe('November 2, 1956');
  });
  test('an instant is shown in the facility’s time zone', () => {
    expect(formatDateTime('2026-11-21T04:30:00Z', NEW_YORK, NEW_YORK)).toBe('11/20/2026 11:30 PM');
    expect(formatDateTime('2026-11-20', NEW_YORK)).toBe('11/20/2026');
  });
  test('the zone is named only if the user’s clock shows another time', () => {
    expect(formatTime('2026-11-21T14:58:00Z', NEW_YORK, NEW_YORK)).toBe('09:58 AM');
    expect(formatTime('2026-11-21T16:42:00Z', CHICAGO, NEW_YORK)).toBe('10:42 AM CT');
    expect(formatTime('2026-11-21T14:58:00Z', NEW_YORK, 'America/Detroit')).toBe('09:58 AM');
  });
  test('the hour that comes twice in fall says which one it is', () => {
    const times = ['2026-11-01T04:59:00Z', '2026-11-01T05:30:00Z', '2026-11-01T06:15:00Z', '2026-11-01T07:00:00Z'];
    expect(times.map((at) => formatTime(at, NEW_YORK, NEW_YORK))).toEqual([
      '12:59 AM',
      '01:30 AM EDT',
      '01:15 AM EST',
      '02:00 AM',
    ]);
    expect(formatTime('2026-11-01T06:30:00Z', CHICAGO, NEW_YORK)).toBe('01:30 AM CDT');
    expect(formatTime('2026-11-01T08:30:00Z', 'America/Phoenix', null)).toBe('01:30 AM MST');
    expect(formatTime('2026-11-02T06:30:00Z', NEW_YORK, NEW_YORK)).toBe('01:30 AM');
  });
  test('midnight and noon are 12, not 0', () => {
    expect(formatTime('2026-11-21T05:00:00Z', NEW_YORK, NEW_YORK)).toBe('12:00 AM');
    expect(formatTime('2026-11-21T17:00:00Z', NEW_YORK, NEW_YORK)).toBe('12:00 PM');
  });
  test('a time today comes with its age, an older one with its date', () => {
    expect(eventTime('2026-11-21T15:42:00Z', NEW_YORK, NOW, NEW_YORK)).toBe('10:42 AM · 18 min ago');
    expect(eventTime('2026-11-20T22:02:00Z', NEW_YORK, NOW, NEW_YORK)).toBe('11/20/2026 · 05:02 PM');
    expect(eventTime('2026-11-20', NEW_YORK, NOW)).toBe('11/20/2026');
  });
  test('relative times stop after a day, and there are none for the future', () => {
    expect(ago('2026-11-21T15:59:40Z', NOW)).toBe('just now');
    expect(ago('2026-11-21T13:00:00Z', NOW)).toBe('3 hr ago');
    expect(ago('2026-11-20T16:00:00Z', NOW)).toBeNull();
    expect(ago('2026-11-21T16:01:00Z', NOW)).toBeNull();
  });
  test('durations are in whole units', () => {
    expect([1, 59, 60, 2879, 2880].map(formatMinutes)).toEqual([
      '1 minute',
      '59 minutes',
      '1 hour',
      '47 hours',
      '2 days',
    ]);
  });
});

describe('age', () => {
  test.each([
    ['2026-11-21', '0d'],
    ['2026-10-25', '27d'],
    ['2026-10-24', '4w'],
    ['2026-10-23', '4w 1d'],
    ['2025-11-22', '52w'],
    ['2025-11-21', '12m'],
    ['2025-10-13', '13m 8d'],
    ['2024-11-21', '2y'],
    ['2021-09-21', '5y 2m'],
    ['2008-11-22', '17y 11m'],
    ['2008-11-21', '18y'],
    ['1956-11-02', '70y'],
    ['1956-11-22', '69y'],
  ])('of a person born %s is %s on 11/21/2026', (born, expected) => {
    expect(age(born, '2026-11-21')).toBe(expected);
  });
  test('a month that began on the 31st ends on the last day of a shorter one', () => {
    expect(age('2025-01-31', '2026-03-01')).toBe('13m 1d');
  });
  test('a birth date in the future has no age', () => expect(age('2027-01-01', '2026-11-21')).toBeNull());
});

describe('names and identifiers', () => {
  test('the family name comes first, in capitals', () => {
    expect(familyFirst({ firstName: 'Adaeze', middleName: null, lastName: 'Okonkwo-Reyes' })).toBe(
      'OKONKWO-REYES, Adaeze',
    );
    expect(familyFirst({ firstName: 'Minh', middleName: 'Anh', lastName: 'Tran', nameSuffix: 'Jr.' })).toBe(
      'TRAN, Minh Anh Jr.',
    );
  });
  test('plain digits are grouped in threes, other identifiers stay as they are', () => {
    expect(groupedId('004418273')).toBe('004 418 273');
    expect(groupedId('1EG4-TE5-MK72')).toBe('1EG4-TE5-MK72');
  });
});

test('the user’s day is that of the time zone in the profile, whatever the browser’s', () => {
  const lateEvening = new Date('2026-11-28T04:25:00Z');
  for (const [zone, day] of [
    [NEW_YORK, '2026-11-27'],
    ['Pacific/Guam', '2026-11-28'],
  ] as const) {
    setReaderZone(zone);
    expect(localDay(lateEvening)).toBe(day);
  }
  setReaderZone(null);
});
