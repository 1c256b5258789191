import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CustomSpotlight, Spotlight } from '#contract/spotlights.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { setReaderZone } from '../ui/format/date.ts';

const HIDDEN = { value: null, numerator: null, denominator: null };
const NONE = { value: null, numerator: 0, denominator: 0 };
const figure = { value: 400, numerator: 746, denominator: 1330 };
const period = { from: '2025-12-01', to: '2026-11-27', isIncomplete: true };
const SPOTLIGHT: Spotlight = {
  name: 'admissions-and-ed-use',
  unit: 'RATE',
  asOf: '2026-11-28T04:25:00.000Z',
  period,
  figure,
  previous: { from: '2024-12-01', to: '2025-11-30', isIncomplete: false, figure },
  comparison: 'NOT_SIGNIFICANT',
  months: [
    { ...period, figure },
    { ...period, from: '2026-01-01', figure: NONE },
  ],
  facilities: [
    { id: '1', name: 'Mercy General', figure },
    { id: '2', name: 'St. Brendan', figure: HIDDEN },
    { id: '3', name: 'Tamarack', figure: HIDDEN },
  ],
  people: 1330,
  share: null,
  open: 0,
  endings: null,
};
const KEPT: CustomSpotlight = {
  id: '9',
  title: 'ED visits of this year',
  name: 'admissions-and-ed-use',
  period: 'last-12-months',
  breakdown: 'MONTH',
  groupId: null,
  filterId: null,
  isShared: false,
  filterName: null,
  lacksFilter: false,
  owner: { name: 'Ann Reyes', isYou: true },
  mayChange: true,
};
const PERSON = {
  patientId: '4_7',
  firstName: 'Zoe',
  lastName: 'Abernathy',
  dateOfBirth: '1956-11-02',
  memberId: '004418273',
  facilityName: 'Mercy General',
  day: '2026-11-20',
  value: 1,
};

beforeEach(() => {
  // 11:25 PM on November 27 in New York.
  vi.useFakeTimers({ now: new Date('2026-11-28T04:25:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  setReaderZone(null);
});

const open = (path: string) => {
  const permissions = ['canViewSpotlights', 'canViewCustomSpotlights', 'canViewPatients'];
  const called = serve({
    'GET /api/me': [200, { ...somebody({}, { permissions }), timeZone: 'America/New_York' }],
    'GET /api/spotlights': [200, { spotlights: [], groups: [] }],
    'GET /api/spotlights/custom': [200, [KEPT]],
    'GET /api/patient-search-params': [200, []],
    'GET /api/spotlights/admissions-and-ed-use': [200, SPOTLIGHT],
    'GET /api/spotlights/admissions-and-ed-use/patients': [200, { patients: [PERSON], total: 1, numPages: 1 }],
  });
  openApp(path);
  return called;
};

test('the last 12 months end on the user’s day, and patients are named with age and identifier', async () => {
  const called = open('/dashboard/analytics/admissions-and-ed-use?period=last-12-months');
  const behind = await screen.findByRole('region', { name: 'Patients behind this number' });
  const row = within(await within(behind).findByRole('region')).getByRole('row', { name: /ABERNATHY, Zoe/ });
  expect(row.textContent).toContain('11/02/1956 (70y) · 004 418 273');
  const asked = called.find(({ route }) => route === 'GET /api/spotlights/admissions-and-ed-use');
  expect(Object.fromEntries(asked?.query ?? [])).toMatchObject({ from: '2025-12-01', to: '2026-11-27' });
});

test('what is hidden says why, and none is not hidden', async () => {
  open('/dashboard/analytics/admissions-and-ed-use?period=last-12-months');
  expect(
    await screen.findByText(/2 facilities not shown: a number from 1 to 10, or one that would reveal it/),
  ).toBeTruthy();
  expect(screen.getByText(/1 month without visits/)).toBeTruthy();
});

test('the head of a print has the name of the spotlight, or under which it is kept', async () => {
  open('/dashboard/analytics/admissions-and-ed-use?period=last-12-months');
  expect(await screen.findByText(/^Admissions and ED use · .*Printed/)).toBeTruthy();
  cleanup();
  open('/dashboard/analytics/admissions-and-ed-use?period=last-12-months&kept=9');
  expect(await screen.findByText(/^ED visits of this year · .*Printed/)).toBeTruthy();
});
