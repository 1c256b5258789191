import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MESSAGES_AN_HOUR } from '#contract/notification-words.ts';
import { localDateOf, localHourOf } from '#server/platform/calendar/time-zone.ts';
import { dueAt, endOfQuiet, GATHER, isQuiet, nextDigest } from './due.ts';

const HOUR = 3_600_000;
const ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Anchorage',
  'Pacific/Honolulu',
  'Australia/Lord_Howe',
  'UTC',
];
const zone = fc.constantFrom(...ZONES);
const hour = fc.integer({ min: 0, max: 23 });
/** Half of the times are within two days of a change of the clocks. */
const changes = ['2026-03-08T07:00:00Z', '2026-11-01T06:00:00Z', '2027-03-14T08:00:00Z', '2026-04-04T15:00:00Z'];
const instant = fc.oneof(
  fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2030-01-01') }),
  fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -48 * HOUR, max: 48 * HOUR }))
    .map(([change, offset]) => Date.parse(change) + offset),
);
const quietHours = fc.option(
  fc
    .tuple(hour, hour)
    .filter(([from, until]) => from !== until)
    .map(([from, until]) => ({ from, until })),
);
const waiting = fc.record({
  timing: fc.constantFrom('AT_ONCE' as const, 'DAILY' as const),
  hour,
  timeZone: zone,
  quietHours,
  since: instant,
  sent: fc.constant([] as number[]),
});

test('no message is due in quiet hours or before its pings are gathered, on any day of the year', () => {
  fc.assert(
    fc.property(waiting, (of) => {
      const at = dueAt(of);
      expect(at).toBeGreaterThan(of.since);
      if (of.timing === 'AT_ONCE') expect(at).toBeGreaterThanOrEqual(of.since + GATHER);
      if (of.quietHours) expect(isQuiet(at, of.quietHours, of.timeZone)).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test('what waits for quiet hours to end is due as soon as they do', () => {
  fc.assert(
    fc.property(instant, quietHours, zone, (at, quiet, timeZone) => {
      const end = endOfQuiet(at, quiet, timeZone);
      if (!quiet || !isQuiet(at, quiet, timeZone)) {
        expect(end).toBe(at);
        return;
      }
      expect(isQuiet(end - 1, quiet, timeZone)).toBe(true);
      // At most a day and the hour by which the clocks are set back; two days if the only hour without quiet is the one that they skip.
      const isRare = (quiet.from - quiet.until + 24) % 24 === 1;
      expect(end - at).toBeLessThanOrEqual((isRare ? 48 : 25) * HOUR);
    }),
    { numRuns: 2000 },
  );
});

test('digests come once each local day, at their hour or at the end of the gap that skips it', () => {
  fc.assert(
    fc.property(instant, hour, zone, (after, wanted, timeZone) => {
      let at = nextDigest(after, wanted, timeZone);
      expect(at).toBeGreaterThan(after);
      const days = [];
      for (let n = 0; n < 5; n += 1) {
        days.push(localDateOf(at, timeZone));
        expect([wanted, wanted + 1]).toContain(localHourOf(at, timeZone));
        at = nextDigest(at, wanted, timeZone);
      }
      expect(new Set(days).size).toBe(5);
      const first = Date.parse(days[0] as string);
      expect(days).toEqual(days.map((_, n) => new Date(first + n * 24 * HOUR).toISOString().slice(0, 10)));
    }),
    { numRuns: 1000 },
  );
});

describe('on the days when the clocks change', () => {
  const at = (text: string) => Date.parse(text);
  test.each([
    ['the digest of 2 a.m. comes at 3 a.m. when 2 a.m. is skipped', '2026-03-08T05:30:00Z', 2, '2026-03-08T07:00:00Z'],
    ['the digest of 1 a.m. comes at the first of two', '2026-11-01T04:30:00Z', 1, '2026-11-01T05:00:00Z'],
    ['after the first of two it is the next day’s', '2026-11-01T05:30:00Z', 1, '2026-11-02T06:00:00Z'],
  ])('%s', (_, after, wanted, expected) => {
    expect(new Date(nextDigest(at(after), wanted, 'America/New_York')).toISOString()).toBe(
      new Date(expected).toISOString(),
    );
  });

  test.each([
    ['2026-03-08T06:30:00Z', { from: 22, until: 2 }, '2026-03-08T07:00:00Z'],
    ['2026-11-01T04:30:00Z', { from: 22, until: 1 }, '2026-11-01T05:00:00Z'],
    ['2026-11-01T05:30:00Z', { from: 1, until: 2 }, '2026-11-01T07:00:00Z'],
  ])('quiet hours at %s end at the local hour', (from, quiet, expected) => {
    expect(new Date(endOfQuiet(at(from), quiet, 'America/New_York')).toISOString()).toBe(
      new Date(expected).toISOString(),
    );
  });
});

test('above the limit an hour, a message waits until the oldest of the last ones is an hour old', () => {
  const since = Date.parse('2026-11-20T15:00:00Z');
  const sent = Array.from({ length: MESSAGES_AN_HOUR }, (_, n) => since - (MESSAGES_AN_HOUR - n) * 60_000);
  const of = { timing: 'AT_ONCE' as const, hour: 8, timeZone: 'UTC', quietHours: null, since };
  expect(dueAt({ ...of, sent: sent.slice(1) })).toBe(since + GATHER);
  expect(dueAt({ ...of, sent })).toBe((sent[0] as number) + HOUR);
});
