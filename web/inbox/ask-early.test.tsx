import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';

const INBOX = '/dashboard/home/inbox';
const ASKED = 'POST /api/pings';

const open = (path: string, me: Parameters<typeof somebody>[1] = {}) => {
  setWidth(1440);
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canViewPatients'], ...me })],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: 1 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params': [200, []],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/patients/search': [200, { patients: [], total: 0, numPages: 0, facets: {} }],
    [ASKED]: [200, { patients: [patientWith()], total: 1, numPages: 1, facets: {} }],
  });
  const router = openApp(path);
  return { router, called, asked: () => called.filter(({ route }) => route === ASKED).map(({ body }) => body) };
};
const rows = () => screen.findByText('OKONKWO-REYES, Adaeze');

test.each([
  '',
  '?status=ALL_RESOLVED',
  '?status=NEEDS_ACTION&sort=LAST_NAME',
  '?owner=mine&waiting=hide',
  '?group=12&p=2&size=10&order=ASC',
  '?view=CURRENTLY_ADMITTED&hide=4_5',
  '?f.program=MSSP,!ACO&open=true',
  '?showFilters=true',
  '?edited=true',
])('the inbox at "%s" asks for its rows once', async (query) => {
  const { asked } = open(INBOX + query, { preferences: { ...DEFAULT_PREFERENCES, inboxList: 'IN_PROGRESS' } });
  await rows();
  expect(asked()).toHaveLength(1);
});

test('its rows are asked for before it is rendered, and again whenever it is opened', async () => {
  const { called, asked, router } = open(INBOX);
  await rows();
  const routes = called.map(({ route }) => route);
  expect(routes.slice(0, 2)).toEqual(['GET /api/me', ASKED]);
  await router.navigate({ to: '/dashboard/patients/my-patients' });
  await screen.findByRole('heading', { level: 1, name: 'Patients' });
  await router.navigate({ to: INBOX });
  await rows();
  await waitFor(() => expect(asked()).toHaveLength(2));
});

test('where the user has a default filter, that comes first', async () => {
  const { called } = open(INBOX, { defaultFilters: [{ moduleName: 'PING_SEARCH', filterId: '3' }] });
  await rows();
  const routes = called.map(({ route }) => route);
  expect(routes.indexOf('GET /api/patient-search-params')).toBeGreaterThan(0);
  expect(routes.indexOf(ASKED)).toBeGreaterThan(routes.indexOf('GET /api/patient-search-params'));
});
