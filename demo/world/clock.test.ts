import { expect, test } from 'vitest';
import { HOUR, hl7Time, isAmbiguous, localDate, MINUTE, type Zone } from './clock.ts';
import { makeRandom } from './random.ts';

function localByIntl(instant: number, zone: Zone): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  return format.format(instant).replace(/\D/g, '');
}

test('local time agrees with the time zone database, also around daylight saving changes', () => {
  const random = makeRandom('clock');
  const changes = ['2025-03-09T07:00Z', '2025-11-02T06:00Z', '2026-03-08T08:00Z', '2026-11-01T07:00Z'].map((text) =>
    Date.parse(text),
  );
  const instants = [
    ...Array.from({ length: 200 }, () => Date.UTC(2024, 0, 1) + random.int(0, 3 * 365 * 24 * 60) * MINUTE),
    ...changes.flatMap((change) => Array.from({ length: 33 }, (_, index) => change + (index - 16) * 15 * MINUTE)),
  ];
  for (const zone of ['America/New_York', 'America/Chicago'] as const) {
    for (const instant of instants) {
      expect(hl7Time(instant, zone, { seconds: true, offset: false })).toBe(localByIntl(instant, zone));
    }
  }
});

test('the two hours of fall with the same local times are ambiguous', () => {
  const change = Date.parse('2026-11-01T06:00Z');
  expect(isAmbiguous(change - HOUR, 'America/New_York')).toBe(true);
  expect(isAmbiguous(change + HOUR - 1, 'America/New_York')).toBe(true);
  expect(isAmbiguous(change - HOUR - 1, 'America/New_York')).toBe(false);
  expect(isAmbiguous(change + HOUR, 'America/New_York')).toBe(false);
});

test('times are written with the precision and the offset that the sender uses', () => {
  const instant = Date.parse('2026-07-04T03:30:15Z');
  expect(hl7Time(instant, 'America/New_York', { seconds: true, offset: true })).toBe('20260703233015-0400');
  expect(hl7Time(instant, 'America/Chicago', { seconds: false, offset: false })).toBe('202607032230');
  expect(localDate(instant, 'America/Chicago')).toBe('2026-07-03');
});
