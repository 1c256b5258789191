import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { PART_HEADER } from '#contract/constants.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith, pingWith } from '../testing/patients.ts';
import { forgetAll } from '../ui/forget.ts';

const { tell } = liveStream();
const ADA = patientWith({ currentPing: pingWith() });

test('a paused feed stays as it is on the way to an event and back, until it is resumed or the session ends', async () => {
  setWidth(1440);
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients', 'canViewPings', 'canViewEventFeed'] })],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: 0 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params': [200, []],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/search': [200, { patients: [], total: 0, numPages: 1, facets: {} }],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/events/search': [200, { patients: [ADA], total: 1, numPages: 1, facets: {} }],
  });
  const searches = (): number => called.filter(({ route }) => route === 'POST /api/events/search').length;
  const router = openApp('/dashboard/event-feed?showFilters=false');
  await userEvent.click(await screen.findByRole('button', { name: 'Pause live updates' }));
  await waitFor(() => expect(screen.getByText(/^Live updates paused at /)).toBeTruthy());
  const before = searches();
  await act(() => router.navigate({ to: '/dashboard/patients/my-patients' }));
  await screen.findByRole('heading', { name: 'Patients' });
  act(() => router.history.back());
  await screen.findByRole('button', { name: 'Resume live updates' });
  await screen.findByText(/^Live updates paused at /);
  tell('rows');
  expect(searches()).toBe(before);
  await userEvent.click(screen.getByRole('button', { name: 'Resume live updates' }));
  await waitFor(() => expect(searches()).toBeGreaterThan(before), { timeout: 3000 });
  await userEvent.click(screen.getByRole('button', { name: 'Pause live updates' }));
  act(() => forgetAll());
  expect(await screen.findByRole('button', { name: 'Pause live updates' })).toBeTruthy();
});

test('the feed shows its newest events while the server still loads the rest, and then is whole', async () => {
  setWidth(1440);
  let whole = false;
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients', 'canViewPings', 'canViewEventFeed'] })],
    'GET /api/patient-search-params': [200, []],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/events/search': () => [
      200,
      {
        patients: [ADA],
        total: whole ? 40 : 12,
        numPages: whole ? 2 : 1,
        facets: {},
        ...(!whole && { isCounting: true }),
      },
    ],
  });
  openApp('/dashboard/event-feed?showFilters=false');
  expect(await screen.findByText('Still counting. More rows may appear.')).toBeTruthy();
  expect(screen.getByRole('list', { name: /^Events, / })).toBeTruthy();
  expect(screen.queryByText(/12 events/)).toBeNull();
  const asked = called.find(({ route }) => route === 'POST /api/events/search');
  expect(asked?.headers).toMatchObject({ [PART_HEADER]: '1' });
  whole = true;
  expect(await screen.findByText(/^40 events · /, {}, { timeout: 3000 })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Load older' })).toBeTruthy();
});

test('on the way back from a patient the focus is on the event that was opened', async () => {
  setWidth(1440);
  const events = ['1', '2', '3'].map((id) =>
    patientWith({ id: `${id}_2`, firstName: `Ada${id}`, currentPing: pingWith({ eventIdentifier: id, id }) }),
  );
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients', 'canViewPings', 'canViewEventFeed'] })],
    'GET /api/patient-search-params': [200, []],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/events/search': [200, { patients: events, total: 3, numPages: 1, facets: {} }],
  });
  const router = openApp('/dashboard/event-feed?showFilters=false');
  await screen.findByRole('link', { name: /Ada3/ });
  await userEvent.keyboard('jjj');
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /Ada3/ }));
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(router.location.pathname).toBe('/dashboard/patients/3_2'));
  await waitFor(() => expect(screen.queryByRole('link', { name: /Ada1/ })).toBeNull());
  act(() => router.history.back());
  const row = await screen.findByRole('link', { name: /Ada3/ });
  await waitFor(() => expect(document.activeElement).toBe(row));
});
