import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY } from '#contract/durations.ts';
import { FEDERAL_HOLIDAYS } from '#server/platform/calendar/business-days.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import { daysAgo, NOW, visit } from '#server/testing/rule-visits.ts';
import { clocksOf } from './discharge-clocks.ts';
import type { Attempt } from './follow-up.ts';
import type { RuleVisit } from './rule-visit.ts';

const ZONE = 'America/New_York';
const attempt = (at: number, isContact = false): Attempt => ({
  at,
  day: localDateOf(at, ZONE),
  channel: 'CALL',
  outcome: isContact ? 'REACHED' : 'NO_ANSWER',
});

/** The clock of a stay that ended on Wednesday, November 18: due by the end of Friday. */
function clock({
  left = visit('INPATIENT', 6, 2),
  others = [],
  attempts = [],
  now = NOW,
}: {
  left?: RuleVisit;
  others?: RuleVisit[];
  attempts?: Attempt[];
  now?: number;
} = {}) {
  const { id, setting, dischargedAt, disposition } = left;
  const discharge = { encounterId: id, setting, at: dischargedAt ?? 0, day: '2026-11-18', disposition };
  const today = localDateOf(now, ZONE);
  const context = { visits: [left, ...others], attempts, holidays: FEDERAL_HOLIDAYS, timeZone: ZONE, today };
  return clocksOf(discharge, context)[0];
}

const FRIDAY_NIGHT = Date.parse('2026-11-21T04:59:00Z');
const LATER = NOW + 30 * DAY;

test('it runs to the end of the second business day at the list, and is missed after that without a contact', () => {
  expect(clock({ now: FRIDAY_NIGHT })).toEqual({
    rule: 'TCM_CONTACT',
    due: '2026-11-20',
    outcome: 'RUNNING',
    date: null,
    because: null,
  });
  expect(clock({ now: FRIDAY_NIGHT + 60_000 })?.outcome).toBe('MISSED');
  expect(clock({ now: LATER })?.outcome).toBe('MISSED');
});

test('a contact in time meets it, a later one is late, and two attempts in time are told apart from both', () => {
  const inTime = attempt(daysAgo(1), true);
  expect(clock({ attempts: [attempt(daysAgo(3), true)], now: LATER })?.outcome).toBe('MISSED');
  expect(clock({ attempts: [inTime], now: LATER })).toMatchObject({
    outcome: 'MET',
    date: new Date(daysAgo(1)).toISOString(),
  });
  expect(clock({ attempts: [attempt(FRIDAY_NIGHT + 60_000, true)], now: LATER })?.outcome).toBe('LATE');
  expect(clock({ attempts: [attempt(daysAgo(1)), attempt(daysAgo(1))], now: LATER })?.outcome).toBe('MISSED');
  const tried = [attempt(daysAgo(1)), attempt(NOW)];
  expect(clock({ attempts: tried, now: LATER })?.outcome).toBe('ATTEMPTED');
  // They count at once. Who is reached on the due day is met in time.
  expect(clock({ attempts: tried, now: FRIDAY_NIGHT })?.outcome).toBe('ATTEMPTED');
  expect(clock({ attempts: [...tried, attempt(FRIDAY_NIGHT, true)], now: FRIDAY_NIGHT })?.outcome).toBe('MET');
});

test('an admission or a death before it is due ends it, one after that does not', () => {
  expect(clock({ others: [visit('INPATIENT', 1, null)], now: LATER })).toMatchObject({
    outcome: 'ENDED',
    date: new Date(daysAgo(1)).toISOString(),
  });
  expect(clock({ others: [visit('INPATIENT', -10, null)], now: LATER })?.outcome).toBe('MISSED');
  const died = (at: number) => [visit('EMERGENCY', 30, 29.9, { diedAt: at })];
  expect(clock({ others: died(NOW), now: LATER })?.outcome).toBe('ENDED');
  expect(clock({ others: died(NOW + 5 * DAY), now: LATER })?.outcome).toBe('MISSED');
  // Known contact first: it was made before the readmission.
  const attempts = [attempt(daysAgo(1.5), true)];
  expect(clock({ others: [visit('INPATIENT', 1, null)], attempts, now: LATER })?.outcome).toBe('MET');
  // At the bedside of the next stay, or after it, it is no contact after this one.
  const bedside = [attempt(daysAgo(0.9), true)];
  expect(clock({ others: [visit('INPATIENT', 1, null)], attempts: bedside, now: LATER })).toMatchObject({
    outcome: 'ENDED',
    because: 'IN_FACILITY',
  });
});

test('a discharge that asks for no follow-up starts none', () => {
  const started = { left: visit('INPATIENT', 6, 2, { disposition: '03' }) };
  expect(clock(started)).toMatchObject({ due: null, outcome: 'NOT_STARTED', because: 'NOT_TO_COMMUNITY' });
  expect(clock({ left: visit('EMERGENCY', 2.2, 2) })?.outcome).toBe('NOT_STARTED');
});

test('once it is over, nothing that happens after the due day makes a met clock missed or a missed one met', () => {
  const times = fc.array(fc.record({ days: fc.double({ min: -20, max: 6, noNaN: true }), isContact: fc.boolean() }), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(times, times, (before, after) => {
      const inTime = before.map(({ days, isContact }) => attempt(Math.min(daysAgo(days), FRIDAY_NIGHT), isContact));
      const later = after.map(({ days, isContact }) =>
        attempt(FRIDAY_NIGHT + 60_000 + Math.abs(days) * DAY, isContact),
      );
      const ended = clock({ attempts: inTime, now: LATER })?.outcome;
      const seenLater = clock({ attempts: [...later, ...inTime], now: LATER })?.outcome;
      expect(seenLater === ended || (ended === 'MISSED' && seenLater === 'LATE')).toBe(true);
    }),
  );
});
