/** What arrives over the live stream while a change is being saved, and how the page asks for what arrived. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { BACKGROUND_HEADER } from '#contract/constants.ts';
import type { Patient } from '#contract/patients.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { cardWith, encounterWith, patientWith, pingWith } from '../testing/patients.ts';

const { streams, tell } = liveStream();

const PATH = 'POST /api/patients/1_2/events/management-status';
const admitted = pingWith();
const discharged = pingWith({ id: '32', eventIdentifier: '42', status: 'DISCHARGE', reason: null });
const record = {
  ...admitted.currentManagementStatus,
  id: '9',
  status: 'IN_PROGRESS',
  date: '2026-11-21T15:44:00Z',
} as const;
const taken = { ...admitted, currentManagementStatus: record };

/** Opens a ping in the inbox. A change of its status is answered once `save` is resolved. */
const open = async () => {
  setWidth(1440);
  const save = Promise.withResolvers<[status: number, body: unknown]>();
  let current: Patient = patientWith();
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canViewPatients', 'canManagePings'] })],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/pings/count/open': [200, { count: 1 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'GET /api/patients/1_2': () => [200, current],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/pings': () => [200, { patients: [current], total: 1, numPages: 1, facets: [], hash: 'same' }],
    'POST /api/patients/1_2/events/seen': [204],
    'POST /api/pings-result-hashes': [200, { hash: 'same', hashes: [] }],
    [PATH]: () => save.promise,
    [`${PATH}-history`]: [200, []],
  });
  openApp('/dashboard/home/inbox?sel=1_2');
  await screen.findByRole('button', { name: 'Mark in progress' });
  await waitFor(() => expect(streams).not.toHaveLength(0));
  const calls = (wanted: string) => called.filter(({ route }) => route === wanted);
  // With the first contact the page compares the list.
  tell('alive', { at: '2026-11-21T15:43:30Z' });
  await waitFor(() => expect(calls('POST /api/pings-result-hashes')).toHaveLength(1));
  const loads = () => calls('GET /api/patients/1_2');
  const arrive = (): void => {
    const pings = [discharged, taken];
    current = patientWith({
      currentPing: discharged,
      currentPingEncounter: { ...encounterWith(discharged), pings },
      card: cardWith(pings),
    });
    tell('ping', { patientId: '1_2', eventIdentifier: '42', status: 'NEW', stayStatus: 'NEW', change: 'arrived' });
  };
  const setCurrent = (patient: Patient): void => {
    current = patient;
  };
  return { called, save, loads, arrive, setCurrent };
};
const row = () => within(screen.getByRole('list', { name: 'Pings' })).getByRole('link');

test('an event that arrives while a change is being saved is on the row once it is saved', async () => {
  const { called, save, arrive } = await open();
  await userEvent.click(screen.getByRole('button', { name: 'Mark in progress' }));
  await waitFor(() => expect(called.some(({ route }) => route === PATH)).toBe(true));
  arrive();
  expect(row().textContent).not.toContain('Discharged');
  save.resolve([200, record]);
  await waitFor(() => expect(row().textContent).toContain('Discharged'));
});

test('our own change, which comes back before its answer, is neither loaded again nor marked as an update', async () => {
  const { called, save, loads } = await open();
  const before = loads().length;
  await userEvent.click(screen.getByRole('button', { name: 'Mark in progress' }));
  await waitFor(() => expect(called.some(({ route }) => route === PATH)).toBe(true));
  const data = { patientId: '1_2', eventIdentifier: '41', status: 'IN_PROGRESS', stayStatus: 'IN_PROGRESS' };
  tell('ping', { ...data, change: 'status' });
  save.resolve([200, record]);
  await screen.findByText('OKONKWO-REYES: In Progress.');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(loads()).toHaveLength(before);
  expect(row().textContent).not.toContain('Updated');
});

test('what the page loads because of an event is not taken for a question of the user', async () => {
  const { loads, arrive } = await open();
  const before = loads().length;
  arrive();
  await waitFor(() => expect(row().textContent).toContain('Discharged'));
  const asked = loads().slice(before);
  expect(asked).not.toHaveLength(0);
  for (const { headers } of asked) expect(headers[BACKGROUND_HEADER]).toBe('1');
});

test('a stay is loaded again for a change of a colleague, and not for one that the page shows already', async () => {
  const { loads, setCurrent } = await open();
  const before = loads().length;
  tell('stay', { patientId: '1_2', version: '0' });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(loads()).toHaveLength(before);
  const owner = { id: '8', name: 'Desmond Achterberg', at: '2026-11-21T15:44:00Z', by: 'Desmond Achterberg' };
  const card = cardWith([admitted]);
  setCurrent(patientWith({ card: { ...card, work: { version: '7', owner, waiting: null } } }));
  tell('stay', { patientId: '1_2', version: '7' });
  await waitFor(() => expect(row().textContent).toContain('Desmond Achterberg'));
});
