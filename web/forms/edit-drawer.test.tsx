import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith } from '../testing/patients.ts';

const { streams, tell } = liveStream();
const PATIENT = '/dashboard/home/inbox?sel=1_2';

/** Opens the profile, and from there a path. */
const openFromProfile = async (to: string, patient = () => patientWith()) => {
  setWidth(390);
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients', 'canViewPings', 'canManagePings'] })],
    'GET /api/patients/1_2': () => [200, patient()],
    'GET /api/patients/1_2/contact-attempts': [200, []],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: 1 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/pings': () => [200, { patients: [patient()], total: 1, numPages: 1, facets: [] }],
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

test('a death that is reported while a contact is logged is said at the top of the form', async () => {
  let patient = patientWith();
  await openFromProfile(PATIENT, () => patient);
  await userEvent.click(await screen.findByRole('button', { name: 'Log contact' }));
  const form = within(await screen.findByRole('dialog', { name: 'Log contact' }));
  expect(form.queryByRole('alert')).toBeNull();
  await waitFor(() => expect(streams).not.toHaveLength(0));
  patient = patientWith({ deceased: true, deceasedDate: '2026-11-28' });
  tell('ping', { patientId: '1_2', eventIdentifier: '41', status: 'NEW', stayStatus: 'NEW', change: 'arrived' });
  const said = await form.findByRole('alert');
  expect(said.textContent).toBe('Died 11/28/2026Stop all outreach to the patient.');
  expect(said.compareDocumentPosition(form.getByLabelText('How'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});
