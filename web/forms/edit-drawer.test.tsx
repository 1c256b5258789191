import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';

const PATIENT = '/dashboard/home/inbox?sel=1_2';

/** Opens the profile, and from there a path. */
const openFromProfile = async (to: string, width = 390) => {
  setWidth(width);
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients', 'canViewPings', 'canManagePings'] })],
    'GET /api/patients/1_2': [200, patientWith()],
    'GET /api/patients/1_2/contact-attempts': [200, []],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: 1 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/pings': [200, { patients: [patientWith()], total: 1, numPages: 1, facets: [] }],
  });
  const router = openApp('/dashboard/profile');
  await screen.findByRole('heading', { level: 1 });
  await act(() => router.navigate({ to }));
  return router;
};

const isHeldByBrowser = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('Back closes a form without changes, and asks before it discards others; the page stays', async () => {
  const router = await openFromProfile(PATIENT);
  const back = (): void => router.history.back();
  await userEvent.click(await screen.findByRole('button', { name: 'Log contact' }));
  await screen.findByRole('dialog', { name: 'Log contact' });
  expect(isHeldByBrowser()).toBe(false);
  back();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.location.href).toBe(PATIENT);

  await userEvent.click(screen.getByRole('button', { name: 'Log contact' }));
  await userEvent.type(await screen.findByLabelText('Note'), 'Her son called back');
  expect(isHeldByBrowser()).toBe(true);
  back();
  await screen.findByText('You have unsaved changes.');
  back();
  await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(await screen.findByDisplayValue('Her son called back')).toBeTruthy();
  back();
  await userEvent.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.location.href).toBe(PATIENT);

  back();
  await waitFor(() => expect(router.location.pathname).toBe('/dashboard/profile'));
  await screen.findByRole('heading', { level: 1 });
});

test('Back closes the filters that lie over a list, and leaves the list where they are beside it', async () => {
  const list = '/dashboard/home/inbox';
  const router = await openFromProfile(`${list}?showFilters=true`);
  await screen.findByRole('dialog', { name: 'Filters' });
  router.history.back();
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Filters' })).toBeNull());
  expect(router.location.pathname).toBe(list);
  act(() => setWidth(1440));
  await act(() => router.navigate({ to: `${list}?showFilters=true`, replace: true }));
  await screen.findByRole('complementary', { name: 'Filters' });
  router.history.back();
  await waitFor(() => expect(router.location.pathname).toBe('/dashboard/profile'));
});
