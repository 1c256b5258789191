import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
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
  tell('counts', { open: 1, resolved: 0, new: 1, needsAction: 1 });
  late.resolve([200, results()]);
  expect(await screen.findByText('OKONKWO-REYES, Adaeze')).toBeTruthy();
  expect(await screen.findByText(/^1 new of 1 open/)).toBeTruthy();
  expect(screen.getByRole('radio', { name: 'Needs action 1' })).toBeTruthy();
});

test.each([
  ['how many are resolved', 'GET /api/pings/count/resolved', 12, 'No new pings to review.'],
  ['whether anyone is listed', 'GET /api/patients/count', 0, 'No patients yet.'],
])('an empty list gives no reason before it is known %s', async (_, route, count, reason) => {
  setWidth(1440);
  const late = Promise.withResolvers<[status: number, body: unknown]>();
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canViewPatients'] })],
    'GET /api/patients/count': [200, { count: 3 }],
    'GET /api/pings/count/open': [200, { count: 0 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/pings': [200, { patients: [], total: 0, numPages: 1, facets: [] }],
    [route]: () => late.promise,
  });
  openApp('/dashboard/home/inbox?status=NEW');
  await screen.findByText(/^Updated /);
  await expect(screen.findByText('No unresolved pings.', {}, { timeout: 500 })).rejects.toThrow();
  late.resolve([200, { count }]);
  expect(await screen.findByText(reason)).toBeTruthy();
});

test('J goes on to the next page after the last row, and K back to the row before', async () => {
  setWidth(1440);
  const names = ['Abel', 'Berit', 'Cyrus', 'Dagny'];
  const rows = names.map((firstName, n) => patientWith({ id: `${n + 1}_${n + 1}`, firstName }));
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canViewPatients'] })],
    'GET /api/patients/count': [200, { count: 4 }],
    'GET /api/pings/count/open': [200, { count: 4 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/pings': ({ body }) => {
      const { pageNumber = 1 } = body as { pageNumber?: number };
      return [200, { patients: rows.slice(2 * pageNumber - 2, 2 * pageNumber), total: 4, numPages: 2, facets: {} }];
    },
  });
  openApp('/dashboard/home/inbox');
  await screen.findByText('OKONKWO-REYES, Abel');
  const focused = () => document.activeElement?.id;
  for (const [keys, id] of [
    ['j', 'ping-1_1'],
    ['j', 'ping-2_2'],
    ['j', 'ping-3_3'],
    ['j', 'ping-4_4'],
    ['j', 'ping-4_4'],
    ['kk', 'ping-2_2'],
  ] as const) {
    await userEvent.keyboard(keys);
    await waitFor(() => expect(focused()).toBe(id));
  }
});
