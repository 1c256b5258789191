import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { AMBIGUOUS, readBirthDate, readMoment } from './time.ts';

const NEW_YORK = 'America/New_York';
const RULES = { timeZone: NEW_YORK, dateOrder: null };
const read = (text: string, timeZone = NEW_YORK) => readMoment(text, { ...RULES, timeZone }).moment;

describe('readMoment', () => {
  test.each([
    ['20261121104200', '2026-11-21T15:42:00Z', 'second'],
    ['202611211042', '2026-11-21T15:42:00Z', 'minute'],
    ['2026112110', '2026-11-21T15:00:00Z', 'minute'],
    ['20261121', '2026-11-21T05:00:00Z', 'day'],
    ['20261121104200.1234', '2026-11-21T15:42:00Z', 'second'],
    ['20261121104200987654321', '2026-11-21T15:42:00Z', 'second'],
    ['20261121104200-0600', '2026-11-21T16:42:00Z', 'second'],
    ['20261121104200+0215', '2026-11-21T08:27:00Z', 'second'],
    ['202611211042Z', '2026-11-21T10:42:00Z', 'minute'],
    ['20261121+0215', '2026-11-21T05:00:00Z', 'day'],
    [' 20261121 ', '2026-11-21T05:00:00Z', 'day'],
  ])('%s is %s', (text, instant, precision) => {
    expect(read(text)).toMatchObject({ instant, precision, localDate: '2026-11-21' });
  });

  test('the local date is the day at the facility, whatever the offset', () => {
    expect(read('20261121013000+0000')).toMatchObject({ instant: '2026-11-21T01:30:00Z', localDate: '2026-11-20' });
  });

  test('a time that the clocks skip is moved forward by the skipped hour', () => {
    expect(read('20260308023000')?.instant).toBe('2026-03-08T07:30:00Z');
    expect(read('20260308015959')?.instant).toBe('2026-03-08T06:59:59Z');
    expect(read('20260308030000')?.instant).toBe('2026-03-08T07:00:00Z');
  });

  test('a time that the clocks show twice is the first one', () => {
    expect(read('20261101013000')?.instant).toBe('2026-11-01T05:30:00Z');
    expect(read('20261101005959')?.instant).toBe('2026-11-01T04:59:59Z');
    expect(read('20261101020000')?.instant).toBe('2026-11-01T07:00:00Z');
  });

  test('a day starts at midnight, even if the clocks change that day or skip midnight', () => {
    expect(read('20260308')?.instant).toBe('2026-03-08T05:00:00Z');
    expect(read('20180812', 'America/Santiago')?.instant).toBe('2018-08-12T04:00:00Z');
    expect(read('20260101', 'Asia/Kolkata')?.instant).toBe('2025-12-31T18:30:00Z');
  });

  test.each(['', ' ', '""', '00000000', '00000000000000'])('%j is empty', (text) => {
    expect(readMoment(text, RULES)).toEqual({ moment: null, problem: null });
  });

  test.each([
    ['2026', 'has no day'],
    ['202611', 'has no day'],
    ['20230231', "isn't a valid date or time"],
    ['20261321', "isn't a valid date or time"],
    ['20261121250000', "isn't a valid date or time"],
    ['20261121106000', "isn't a valid date or time"],
    ['99991231', 'is out of range'],
    ['YYYYMMDDHHMMSS', "isn't an HL7 timestamp"],
    ['2026-13-21', "isn't a valid date or time"],
    ['2026-11-21 14:20 PM', "isn't a valid date or time"],
    ['11/21/2026 00:20 AM', "isn't a valid date or time"],
    ['13/14/2026', "isn't a valid date or time"],
    ['11/21/26', "isn't an HL7 timestamp"],
    ['11/21-2026', "isn't an HL7 timestamp"],
    ['11/21/2026 noon', "isn't an HL7 timestamp"],
    ['11/21/1026', 'is out of range'],
    ['202611211', "isn't an HL7 timestamp"],
    ['20261121104200+9900', "isn't an HL7 timestamp"],
  ])('%s %s', (text, problem) => {
    expect(readMoment(text, RULES)).toMatchObject({ moment: null, problem });
  });

  test.each([
    ['2026-11-21T10:42:00-05:00', '2026-11-21T15:42:00Z', 'second'],
    ['2026-11-21T15:42:00.123Z', '2026-11-21T15:42:00Z', 'second'],
    ['2026-11-21t15:42z', '2026-11-21T15:42:00Z', 'minute'],
    ['2026-11-21T10:42:00-05', '2026-11-21T15:42:00Z', 'second'],
    ['2026-11-21 10:42', '2026-11-21T15:42:00Z', 'minute'],
    ['20261121T104200', '2026-11-21T15:42:00Z', 'second'],
    ['20261121 10:42', '2026-11-21T15:42:00Z', 'minute'],
    ['2026/11/21 10:42 AM', '2026-11-21T15:42:00Z', 'minute'],
    ['2026-11-21', '2026-11-21T05:00:00Z', 'day'],
    ['11/21/2026', '2026-11-21T05:00:00Z', 'day'],
    ['21/11/2026', '2026-11-21T05:00:00Z', 'day'],
    ['11-21-2026 10:42', '2026-11-21T15:42:00Z', 'minute'],
    ['11/21/2026 10:42:07 PM', '2026-11-22T03:42:07Z', 'second'],
    ['11/21/2026 12:05am', '2026-11-21T05:05:00Z', 'minute'],
    ['11/21/2026, 12:05 PM', '2026-11-21T17:05:00Z', 'minute'],
    ['11/21/2026 10:42:00 -0600', '2026-11-21T16:42:00Z', 'second'],
  ])('%s is %s', (text, instant, precision) => {
    expect(read(text)).toEqual({ instant, precision, localDate: '2026-11-21' });
  });

  test('a date with the year last is read if only one of its numbers can be the month, or if both are the same', () => {
    expect(readMoment('03/25/2026', RULES)).toMatchObject({ moment: { localDate: '2026-03-25' }, seen: 'MDY' });
    expect(readMoment('25/03/2026', RULES)).toMatchObject({ moment: { localDate: '2026-03-25' }, seen: 'DMY' });
    expect(readMoment('3/3/2026', RULES)).toEqual({ moment: read('20260303'), problem: null });
  });

  test('a date that can be read in two ways is read only by the order that the feed sets', () => {
    const text = '03/04/2026 2:20 PM';
    expect(readMoment(text, RULES)).toEqual({ moment: null, problem: AMBIGUOUS, seen: 'EITHER' });
    expect(readMoment(text, { ...RULES, dateOrder: 'MDY' }).moment).toEqual(read('202603041420'));
    expect(readMoment(text, { ...RULES, dateOrder: 'DMY' }).moment).toEqual(read('202604031420'));
    expect(readMoment('25/03/2026', { ...RULES, dateOrder: 'MDY' }).moment).toEqual(read('20260325'));
  });

  test('midnight is marked, because it often stands for a day', () => {
    expect(
      ['202611210000', '20261121000000', '2026-11-21T00:00:00', '11/21/2026 12:00 AM'].map(
        (text) => read(text)?.isMidnight,
      ),
    ).toEqual([true, true, true, true]);
    expect(['20261121', '202611210001', '202611211200'].map((text) => read(text)?.isMidnight)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('a time in any form is the same moment', () => {
    const two = (value: number) => String(value).padStart(2, '0');
    const anyTime = fc.record({
      month: fc.integer({ min: 1, max: 12 }),
      day: fc.integer({ min: 1, max: 28 }),
      hour: fc.integer({ min: 0, max: 23 }),
      minute: fc.integer({ min: 0, max: 59 }),
    });
    fc.assert(
      fc.property(anyTime, ({ month, day, hour, minute }) => {
        const [m, d, h, min] = [month, day, hour, minute].map(two);
        const expected = read(`2026${m}${d}${h}${min}`);
        const half = `${hour % 12 || 12}:${min} ${hour < 12 ? 'AM' : 'PM'}`;
        const rules = { ...RULES, dateOrder: 'MDY' as const };
        for (const text of [
          `2026-${m}-${d}T${h}:${min}`,
          `2026/${month}/${day} ${h}:${min}`,
          `${month}/${day}/2026 ${half}`,
        ]) {
          expect(readMoment(text, rules).moment, text).toEqual(expected);
        }
        expect(readMoment(`${day}/${month}/2026 ${h}:${min}`, { ...RULES, dateOrder: 'DMY' }).moment).toEqual(expected);
      }),
    );
  });

  test('an instant in the local time of any zone is read back to the second, except in the hour that is shown twice', () => {
    const zones = [
      'America/New_York',
      'America/Phoenix',
      'Europe/Berlin',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
    ];
    const anyInstant = fc
      .integer({ min: Date.UTC(1975, 0), max: Date.UTC(2037, 0) })
      .map((ms) => Math.floor(ms / 1000) * 1000);
    fc.assert(
      fc.property(anyInstant, fc.constantFrom(...zones), (instant, zone) => {
        const local = new Date(instant).toLocaleString('sv-SE', { timeZone: zone });
        const moment = read(local.replace(/\D/g, ''), zone);
        const readBack = Date.parse(moment?.instant ?? '');
        expect(new Date(readBack).toLocaleString('sv-SE', { timeZone: zone })).toBe(local);
        expect([0, 1_800_000, 3_600_000]).toContain(instant - readBack);
        expect(moment?.localDate).toBe(local.slice(0, 10));
        expect(localDateOf(instant, zone)).toBe(local.slice(0, 10));
      }),
    );
  });

  test('any text gives a moment or a problem, never an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.stringMatching(/^[0-9.+-]{0,25}$/),
          fc.stringMatching(/^[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}[T ,]{0,3}[0-9:APMZ. +-]{0,20}$/),
        ),
        (text) => {
          const { moment, problem } = readMoment(text, RULES);
          expect(moment === null || problem === null).toBe(true);
          if (moment !== null) expect(moment.instant).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        },
      ),
    );
  });
});

describe('readBirthDate', () => {
  test.each([
    ['19560129', '1956-01-29'],
    ['19850101000000', '1985-01-01'],
    ['2018080800000000000', '2018-08-08'],
    ['20000229', '2000-02-29'],
    ['1941-03-14', '1941-03-14'],
    ['1941-03-14T00:00:00', '1941-03-14'],
    ['3/14/1941', '1941-03-14'],
  ])('%s is %s', (text, date) => {
    expect(readBirthDate(text)).toBe(date);
  });

  test.each(['', '""', '1956', '195601', '19560230', '00000000', '10131113', 'Aug 15, 1942', '99991231', '03/04/1941'])(
    '%s is not a date of birth',
    (text) => {
      expect(readBirthDate(text)).toBeNull();
    },
  );

  test('a date that can be read in two ways follows the order that the feed sets', () => {
    expect([readBirthDate('03/04/1941', 'MDY'), readBirthDate('03/04/1941', 'DMY')]).toEqual([
      '1941-03-04',
      '1941-04-03',
    ]);
  });
});
