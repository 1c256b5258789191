import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';

liveStream();

const PATH = '/dashboard/patients/my-patients';

/** Serves a list of patients: `current` of those with the typed name have a current stay, `all` are on the team's lists. */
const serveNamesakes = (current: number, all: number) => {
  setWidth(1440);
  return serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients', 'canEditPatientsAndEvents'] })],
    'GET /api/patients/count': [200, { count: 40 }],
    'GET /api/patient-search-params': [200, []],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/patients/search': ({ body }) => {
      const { openPatientsOnly, query } = body['userDefinedFacetPreferences'] as Record<string, unknown>;
      const total = query ? (openPatientsOnly ? current : all) : 40;
      return [200, { patients: [], total, numPages: 0, facets: {} }];
    },
  });
};
const chips = () => screen.findByRole('list', { name: 'Applied filters' });

test('a view in force is a chip, which is removed like any other', async () => {
  serveNamesakes(1, 3);
  const router = openApp(PATH);
  expect(within(await chips()).getByText('Currently Admitted')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter Currently Admitted' }));
  await waitFor(() => expect(router.location.search).toMatchObject({ view: 'ALL_PATIENTS' }));
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Applied filters' })).toBeNull());
});

test('a search by name within a view says how many there are among everyone, and shows them', async () => {
  const called = serveNamesakes(1, 3);
  const router = openApp(PATH);
  await chips();
  await userEvent.type(await screen.findByLabelText(/^Name/), 'kamau');
  const hint = await screen.findByText(/1 here, 3 among all patients/);
  await userEvent.click(within(hint).getByRole('button', { name: 'show' }));
  await waitFor(() => expect(router.location.search).toEqual({ view: 'ALL_PATIENTS' }));
  expect(router.location.href).not.toContain('kamau');
  await waitFor(() =>
    expect(called.findLast(({ route }) => route === 'POST /api/patients/search')?.body).toMatchObject({
      userDefinedFacetPreferences: { query: 'kamau', openPatientsOnly: false },
    }),
  );
  await waitFor(() => expect(screen.queryByText(/among all patients/)).toBeNull());
});

test('nothing is said where the list has everyone of that name', async () => {
  const called = serveNamesakes(3, 3);
  openApp(PATH);
  await chips();
  await userEvent.type(await screen.findByLabelText(/^Name/), 'kamau');
  await waitFor(() =>
    expect(
      called.some(
        ({ route, body }) =>
          route === 'POST /api/patients/search' &&
          !(body['userDefinedFacetPreferences'] as { openPatientsOnly: boolean }).openPatientsOnly,
      ),
    ).toBe(true),
  );
  expect(screen.queryByText(/among all patients/)).toBeNull();
});
