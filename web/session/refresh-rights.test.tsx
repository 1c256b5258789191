import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Me } from '#contract/accounts.ts';
import { BACKGROUND_HEADER } from '#contract/constants.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith } from '../testing/patients.ts';

const { streams, tell } = liveStream();

test('the open patient is loaded again when a permission changes for one group that is held for another', async () => {
  setWidth(1440);
  let seesDetails = false;
  const permissions = ['canViewPings', 'canViewPatients', 'canViewAllPatientDetails'];
  const me = (): Me => {
    const all = somebody({}, { permissions });
    const group = (id: string, held: string[]) => ({ id, name: id, type: 'PROGRAM', permissions: held });
    const groups = { 3: group('3', seesDetails ? permissions : permissions.slice(0, 2)), 4: group('4', permissions) };
    return { ...all, user: { ...all.user, teams: { 5: { ...all.user.teams['5'], groups } } } } as unknown as Me;
  };
  const patient = () => patientWith({ detailsVisible: seesDetails });
  const calls = serve({
    'GET /api/me': () => [200, me()],
    'GET /api/patients/1_2': () => [200, patient()],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: 1 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/pings': () => [200, { patients: [patient()], total: 1, numPages: 1, facets: [] }],
  });
  openApp('/dashboard/home/inbox?sel=1_2');
  await screen.findAllByText("You don't have access");
  await waitFor(() => expect(streams).not.toHaveLength(0));
  seesDetails = true;
  tell('rights', { at: '2026-11-21T15:44:00Z' });
  await waitFor(() => expect(screen.queryAllByText("You don't have access")).toEqual([]));
  expect(await screen.findByText('An administrator changed your access.')).toBeTruthy();
  // Nobody did anything: it must not keep the session going.
  const asked = calls.filter(({ route }) => route === 'GET /api/me');
  expect(asked.at(-1)?.headers[BACKGROUND_HEADER]).toBe('1');
});
