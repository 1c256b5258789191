import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';

const INVALID =
  'view=FOO&sort=FOO&order=FOO&p=FOO&size=FOO&group=FOO&open=FOO&hide=FOO&edited=FOO&status=FOO&sel=FOO&by=FOO&f.eventDate=FOO';
const RESULTS = [200, { patients: [patientWith()], total: 1, numPages: 1, facets: {} }] as [number, object];

test.each([
  ['home/inbox', 'Pings', 'POST /api/pings'],
  ['patients/my-patients', 'Patients', 'POST /api/patients/search'],
  ['length-of-stay', 'Length of stay', 'POST /api/patients/search'],
])('%s opens as it does by default if what its URL holds is invalid', async (path, title, route) => {
  setWidth(1440);
  const permissions = ['canViewPings', 'canViewPatients', 'canViewLengthOfStay'];
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions })],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'GET /api/patient-search-params': [200, []],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/patients/search': RESULTS,
    'POST /api/pings': RESULTS,
  });
  const searched = async (query: string) => {
    called.length = 0;
    openApp(`/dashboard/${path}${query}`);
    await screen.findAllByRole('heading', { level: 1, name: title });
    await waitFor(() => expect(called.some((one) => one.route === route)).toBe(true));
    await screen.findAllByText(/okonkwo-reyes/i);
    return called.find((one) => one.route === route)?.body;
  };
  expect(await searched(`?${INVALID}`)).toEqual(await searched(''));
});

test('the users page ignores an unknown status and page', async () => {
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canManageUsers'] })],
    'GET /api/admin/users': [200, { users: [], total: 0, numPages: 1 }],
  });
  openApp('/dashboard/admin/users?status=FOO&p=FOO');
  await waitFor(() => expect(called.some(({ route }) => route === 'GET /api/admin/users')).toBe(true));
  const asked = called.find(({ route }) => route === 'GET /api/admin/users');
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({ pageNumber: '1', pageSize: '20' });
});
