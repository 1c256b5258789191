import { expect, test } from 'vitest';
import { usDate, usZone } from './us-dates.ts';

const NEW_YORK = 'America/New_York';

test.each([
  ['2026-11-01T04:59:00Z', '11/01/2026 12:59 AM'],
  ['2026-11-01T05:30:00Z', '11/01/2026 01:30 AM EDT'],
  ['2026-11-01T06:15:00Z', '11/01/2026 01:15 AM EST'],
  ['2026-11-01T07:00:00Z', '11/01/2026 02:00 AM'],
  ['2026-11-02T06:15:00Z', '11/02/2026 01:15 AM'],
  ['2026-03-08T06:15:00Z', '03/08/2026 01:15 AM'],
  ['2026-11-01', '11/01/2026'],
])('%s is %s: the hour that comes twice in fall says which one it is', (at, expected) => {
  expect(usDate(at, NEW_YORK)).toBe(expected);
});

test('a zone is named for summer and winter, but for that hour', () => {
  const zones = ['2026-11-01T05:30:00Z', '2026-11-01T06:15:00Z', '2026-11-01T07:00:00Z'].map((at) =>
    usZone(Date.parse(at), NEW_YORK),
  );
  expect(zones).toEqual(['EDT', 'EST', 'ET']);
});
