import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith } from '../testing/patients.ts';

const { streams, tell } = liveStream();

test('a ping that arrives while the list loads for the first time is on it', async () => {
  setWidth(1440);
  const late = Promise.withResolvers<[status: number, body: unknown]>();
  const adaeze = patientWith();
  const results = (...patients: unknown[]) => ({ patients, total: patients.length, numPages: 1, facets: [] });
  let asked = 0;
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canViewPatients'] })],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: 0 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    // The first answer was made before the ping.
    'POST /api/pings': () => (++asked === 1 ? late.promise : [200, results(adaeze)]),
  });
  openApp('/dashboard/home/inbox');
  await waitFor(() => expect(asked).toBe(1));
  await waitFor(() => expect(streams).not.toHaveLength(0));
  tell('ping', { patientId: adaeze.id, eventIdentifier: '41', status: 'NEW', change: 'arrived', username: null });
  tell('counts', { open: 1, resolved: 0, new: 1 });
  late.resolve([200, results()]);
  expect(await screen.findByText('OKONKWO-REYES, Adaeze')).toBeTruthy();
  expect(await screen.findByText(/^1 new of 1 open/)).toBeTruthy();
});
