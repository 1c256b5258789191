import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FEDERAL_HOLIDAYS } from '#server/platform/calendar/business-days.ts';
import { instantOfLocal, localHourOf, localTimeOf } from '#server/platform/calendar/time-zone.ts';
import { type FeedHistory, silenceOf, usualDay } from './silence.ts';

const HOUR = 3_600_000;
const WEEK = 168 * HOUR;
const ZONE = 'America/New_York';

/** Returns the instant of a local time in New York. */
const at = (local: string): number => instantOfLocal(Date.parse(`${local}Z`), ZONE);

/** Returns what is known of a feed from whose local hours messages come at this rate, for weeks until its last message. */
function history(
  lastAt: number,
  rate: (local: string) => number,
  { weeks = 13, timeZone = ZONE, ...over }: Partial<FeedHistory> & { weeks?: number } = {},
): FeedHistory {
  const hours = new Map<number, number>();
  const end = Math.floor(lastAt / HOUR) * HOUR;
  for (let hour = end - weeks * WEEK; hour <= end; hour += HOUR) {
    const messages = rate(localTimeOf(hour, timeZone));
    if (messages > 0) hours.set(hour, messages);
  }
  return { timeZone, hours, firstAt: end - weeks * WEEK, lastAt, holidays: FEDERAL_HOLIDAYS, ...over };
}

/** By day, 20 messages an hour; at night none. */
const daytime = (local: string): number =>
  Number(local.slice(11, 13)) >= 7 && Number(local.slice(11, 13)) < 19 ? 20 : 0;
const isSilent = (known: FeedHistory, now: number): boolean => silenceOf(known, now).isSilent;

describe('hours of the week', () => {
  test('a feed is silent once a whole hour has passed in which messages usually come', () => {
    const known = history(at('2026-10-14T10:20:00'), daytime);
    expect(isSilent(known, at('2026-10-14T11:59:00'))).toBe(false);
    expect(isSilent(known, at('2026-10-14T12:00:00'))).toBe(true);
    expect(silenceOf(known, at('2026-10-14T13:00:00')).usual).toEqual(Array(8).fill(40));
  });

  test('a night in which nothing usually comes is no silence, the morning after it is', () => {
    const known = history(at('2026-10-14T18:55:00'), daytime);
    expect(isSilent(known, at('2026-10-15T07:59:00'))).toBe(false);
    expect(isSilent(known, at('2026-10-15T08:00:00'))).toBe(true);
  });

  test('a clinic that is closed on weekends is not silent on Sunday', () => {
    const weekdays = (local: string) => ([0, 6].includes(new Date(`${local}Z`).getUTCDay()) ? 0 : daytime(local));
    const known = history(at('2026-10-16T18:30:00'), weekdays);
    expect(isSilent(known, at('2026-10-18T23:00:00'))).toBe(false);
    expect(isSilent(known, at('2026-10-19T09:00:00'))).toBe(true);
  });

  test('a batch that sometimes comes an hour later is no silence before that hour is over', () => {
    const late = (local: string) => local.slice(8, 10) === '08' || local.slice(8, 10) === '29';
    const batch = (local: string) => (local.slice(11, 13) === (late(local) ? '04' : '03') ? 300 : 0);
    const known = history(at('2026-10-15T03:10:00'), batch);
    for (const hour of ['03:59', '04:30', '05:00', '12:00', '23:00'])
      expect(isSilent(known, at(`2026-10-15T${hour}:00`))).toBe(false);
  });

  test('a rare sender is compared over weeks', () => {
    // Three a week.
    const rare = (local: string) =>
      [1, 3, 5].includes(new Date(`${local}Z`).getUTCDay()) && local.slice(11, 13) === '09' ? 1 : 0;
    const known = history(at('2026-10-14T09:10:00'), rare);
    expect(isSilent(known, at('2026-10-20T12:00:00'))).toBe(false);
    expect(isSilent(known, at('2026-10-30T12:00:00'))).toBe(true);
  });

  test('one week with an outage does not hide a silence, and a feed that stopped for good stays silent', () => {
    const outage = (local: string) => (local >= '2026-10-05' && local < '2026-10-10' ? 0 : daytime(local));
    const known = history(at('2026-10-14T10:20:00'), outage);
    expect(isSilent(known, at('2026-10-14T13:00:00'))).toBe(true);
    expect(isSilent(known, at('2027-06-01T12:00:00'))).toBe(true);
  });
});

describe('daylight saving time', () => {
  test('the same hours of earlier weeks are those on the clock', () => {
    // Clocks went back on November 1, 2026, and forward on March 14.
    for (const last of ['2026-11-01T18:30:00', '2026-03-15T18:30:00', '2026-11-04T18:30:00']) {
      const known = history(at(last), daytime);
      const next = new Date(Date.parse(`${last}Z`) + 13.4 * HOUR).toISOString().slice(0, 19);
      expect(isSilent(known, at(next))).toBe(false);
      expect(isSilent(known, at(next) + HOUR)).toBe(true);
    }
  });

  test('an hour that the clock repeats or skips counts once', () => {
    const always = () => 3;
    // Five hours on the clock from 22:00 to 3:00, six in fact; and four in fact.
    expect(silenceOf(history(at('2026-10-31T21:30:00'), always), at('2026-11-01T03:00:00')).usual).toEqual(
      Array(8).fill(15),
    );
    expect(silenceOf(history(at('2026-03-07T21:30:00'), always), at('2026-03-08T04:00:00')).usual).toEqual(
      Array(8).fill(15),
    );
  });
});

describe('new feeds', () => {
  test('a feed without history, or with less than two weeks to compare, is never silent', () => {
    const last = at('2026-10-14T10:20:00');
    for (const weeks of [0, 1, 1.5]) {
      const known = history(last, daytime, { weeks });
      for (const days of [1, 5, 30]) expect(isSilent(known, last + days * 24 * HOUR)).toBe(false);
      expect(usualDay(known, last)).toBe(null);
    }
    expect(isSilent(history(last, daytime, { weeks: 3 }), last + 3 * HOUR)).toBe(true);
  });
});

describe('holidays', () => {
  const closedOnSundays = (local: string) => (new Date(`${local}Z`).getUTCDay() === 0 ? 0 : daytime(local));

  test('a holiday is compared with Sundays, the day after with its own weekday', () => {
    // Thanksgiving is on Thursday, November 26, 2026.
    const known = history(at('2026-11-25T18:30:00'), closedOnSundays);
    expect(isSilent(known, at('2026-11-26T20:00:00'))).toBe(false);
    expect(isSilent(known, at('2026-11-27T09:00:00'))).toBe(true);
  });

  test('an ordinary day is not compared with a holiday of an earlier week', () => {
    // Columbus Day, Monday, October 12, 2026: nothing came.
    const rate = (local: string) => (local.startsWith('2026-10-12') ? 0 : closedOnSundays(local));
    const known = history(at('2026-10-26T10:30:00'), rate);
    expect(silenceOf(known, at('2026-10-26T12:00:00')).usual).toEqual(Array(7).fill(20).slice(0, 6));
    expect(isSilent(known, at('2026-10-26T12:00:00'))).toBe(true);
  });

  test("an organization's own holidays count, and those on which it works don't", () => {
    const last = at('2026-10-14T18:30:00');
    const closed = { added: ['2026-10-15'], removed: [] };
    expect(isSilent(history(last, closedOnSundays, { holidays: closed }), at('2026-10-15T15:00:00'))).toBe(false);
    const works = { added: [], removed: ['2026-11-26'] };
    const known = history(at('2026-11-25T18:30:00'), closedOnSundays, { holidays: works });
    expect(isSilent(known, at('2026-11-26T15:00:00'))).toBe(true);
  });
});

describe('for any feed', () => {
  const zones = fc.constantFrom(ZONE, 'America/Chicago', 'America/Anchorage', 'Pacific/Honolulu', 'Asia/Kolkata');
  const instants = fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2027-12-31') });
  const openHours = fc.array(fc.boolean(), { minLength: 24, maxLength: 24 });
  const gaps = fc.integer({ min: 0, max: 60 * 24 });

  test('it is never silent while no message is usual since the last one', () => {
    fc.assert(
      fc.property(zones, instants, openHours, gaps, (timeZone, lastAt, open, gapHours) => {
        const known = history(lastAt, (local) => (open[Number(local.slice(11, 13))] ? 30 : 0), { timeZone });
        const now = lastAt + gapHours * HOUR;
        const first = Math.floor(lastAt / HOUR) * HOUR + HOUR;
        const isUsual = Array.from({ length: 26 }, (_, n) => first + n * HOUR).some(
          (hour) => hour + HOUR <= now && open[localHourOf(hour, timeZone)],
        );
        if (!isUsual) expect(isSilent(known, now)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  test('more time without a message never ends a silence of a steady feed, and a message does', () => {
    fc.assert(
      fc.property(
        zones,
        instants,
        fc.integer({ min: 5, max: 500 }),
        gaps,
        gaps,
        (timeZone, lastAt, rate, gap, more) => {
          const known = history(lastAt, () => rate, { timeZone });
          const now = lastAt + gap * HOUR;
          if (isSilent(known, now)) expect(isSilent(known, now + more * HOUR)).toBe(true);
          expect(isSilent({ ...known, lastAt: now }, now)).toBe(false);
          expect(isSilent(known, lastAt + 3 * HOUR)).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });
});

test('the usual number of a day is the median of the same hours of earlier weeks', () => {
  expect(usualDay(history(at('2026-10-14T10:20:00'), daytime), at('2026-10-14T10:30:00'))).toBe(240);
});
