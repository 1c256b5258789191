import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith } from '../testing/patients.ts';

liveStream();

test('Z during a save takes back the change that is being saved, not the one before', async () => {
  setWidth(1440);
  const save = Promise.withResolvers<[status: number, body: unknown]>();
  const patient = patientWith();
  const record = { resolutions: [], otherText: null, username: 'ana@lakeshore.example', date: '2026-11-21T15:41:00Z' };
  const answers = [
    [200, { ...record, id: '8', status: 'IN_PROGRESS' }],
    save.promise,
    [200, { ...record, id: '10', status: 'IN_PROGRESS' }],
  ] as const;
  const path = '/api/patients/1_2/events/management-status';
  let changes = 0;
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canViewPatients', 'canManagePings'] })],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: 1 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'GET /api/patients/1_2': [200, patient],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/pings': [200, { patients: [patient], total: 1, numPages: 1, facets: [] }],
    [`POST ${path}`]: () => answers[changes++] as [number, unknown] | Promise<[number, unknown]>,
    [`POST ${path}-history`]: [200, []],
  });
  const sent = () => called.filter(({ route }) => route === `POST ${path}`).map(({ body }) => body);
  openApp('/dashboard/home/inbox?sel=1_2');
  await userEvent.click(await screen.findByRole('button', { name: 'Mark in progress' }));
  await screen.findByText('OKONKWO-REYES: In Progress.');
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Contacted patient' }));
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
  await waitFor(() => expect(sent()).toHaveLength(2));
  await userEvent.keyboard('z');
  save.resolve([200, { ...record, id: '9', status: 'RESOLVED' }]);
  await waitFor(() => expect(sent()).toHaveLength(3));
  expect(sent()[2]).toMatchObject({ status: 'IN_PROGRESS', expectedStatusId: '9' });
  expect(await within(screen.getByRole('list', { name: 'Pings' })).findByText('In Progress')).toBeTruthy();
});

test('an emptied page is loaded again once its last change is saved, so that the row does not come back', async () => {
  setWidth(1440);
  const save = Promise.withResolvers<[status: number, body: unknown]>();
  const patient = patientWith();
  const path = '/api/patients/1_2/events/management-status';
  let isSaved = false;
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canViewPatients', 'canManagePings'] })],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: 2 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'GET /api/patients/1_2': [200, patient],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    // The list has a second page.
    'POST /api/pings': () => [
      200,
      { patients: [patientWith(isSaved ? { id: '3_4' } : {})], total: 2, numPages: 2, facets: [] },
    ],
    [`POST ${path}`]: () => save.promise,
    [`POST ${path}-history`]: [200, []],
  });
  const loads = () => called.filter(({ route }) => route === 'POST /api/pings').length;
  openApp('/dashboard/home/inbox?sel=1_2');
  await userEvent.click(await screen.findByRole('button', { name: 'Resolve' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Contacted patient' }));
  await userEvent.click(screen.getByRole('button', { name: 'Resolve' }));
  await waitFor(() => expect(document.getElementById('ping-1_2')).toBeNull());
  expect(loads()).toBe(1);
  isSaved = true;
  save.resolve([
    200,
    {
      id: '9',
      status: 'RESOLVED',
      resolutions: ['CONTACTED_PATIENT'],
      otherText: null,
      username: 'ana@lakeshore.example',
      date: '2026-11-21T15:41:00Z',
    },
  ]);
  await waitFor(() => expect(document.getElementById('ping-3_4')).toBeTruthy());
  expect(loads()).toBe(2);
});
