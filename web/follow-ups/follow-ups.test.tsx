import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith } from '../testing/patients.ts';

const { streams, tell } = liveStream();

const discharge = (dischargedTo: string | null) => ({
  eventIdentifier: '41',
  dischargedAt: '2026-11-21T15:42:00Z',
  timeZone: 'America/New_York',
  facilityName: 'Mercy General Hospital',
  dischargedTo,
  noClock: null as string | null,
  clocks: [],
  contactMissed: false,
  isOwed: true,
  contactedStatus: null as { by: string; date: string } | null,
  windows: [],
});

test('what is due follows what a facility answers, also about another stay of the patient', async () => {
  setWidth(1440);
  const patient = patientWith();
  let due = [discharge(null)];
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canViewPatients'] })],
    'GET /api/pings/count/open': [200, { count: 1 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'POST /api/pings': [200, { patients: [patient], total: 1, numPages: 1, facets: [] }],
    'GET /api/patients/1_2': [200, patient],
    'GET /api/patients/1_2/follow-ups': () => [200, due],
    'POST /api/patients/1_2/events/management-status-history': [200, []],
  });
  openApp('/dashboard/home/inbox?sel=1_2');
  await screen.findByText(/Confirm that the patient went home/);
  await waitFor(() => expect(streams).not.toHaveLength(0));
  due = [discharge('HOME')];
  const ping = { eventIdentifier: '41', status: 'NEW', stayStatus: 'NEW', change: 'amended', username: null };
  tell('ping', { ...ping, patientId: '1_9' });
  await waitFor(() => expect(screen.queryByText(/Confirm that the patient went home/)).toBeNull());
});

test.each([
  [{}, 'Nothing is due. The patient has died.'],
  [{ isDeathInDoubt: true }, 'Nothing is due while the patient is reported as died. Check with the facility.'],
])('nothing is due after a death (%j)', async (death, shown) => {
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings'] })],
    'GET /api/patients/1_2': [200, patientWith({ deceased: true, ...death })],
    'GET /api/patients/1_2/follow-ups': [200, []],
  });
  openApp('/dashboard/patients/1_2');
  expect(await screen.findByText(shown)).toBeTruthy();
});

const storyWith = (followUp: object, patient: object = {}) => {
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings', 'canManagePings'] })],
    'GET /api/patients/1_2': [200, patientWith(patient)],
    'GET /api/patients/1_2/follow-ups': [200, [{ ...discharge('HOME'), contactMissed: true, ...followUp }]],
    'GET /api/patients/1_2/contact-attempts': [200, []],
    'POST /api/patients/1_2/contact-attempts': [200, []],
  });
  openApp('/dashboard/patients/1_2');
  return called;
};

test('a missed contact is followed by the follow-up that is owed, and by none to someone who died or is in a facility', async () => {
  storyWith({});
  expect(await screen.findByText(/can't be claimed\. The patient still needs the follow-up\.$/)).toBeTruthy();
  cleanup();
  storyWith({ isOwed: false, noClock: 'DIED' }, { deceased: true });
  expect(await screen.findByText(/can't be claimed\.$/)).toBeTruthy();
  expect(screen.queryByText(/still needs/)).toBeNull();
});

test('a contact that only a status tells of is logged in one step, with its time and who made it', async () => {
  const called = storyWith({ contactedStatus: { by: 'Nadia Ross', date: '2026-11-23T15:00:00Z' } });
  expect(await screen.findByText(/^Resolved as “Contacted patient” by Nadia Ross, /)).toBeTruthy();
  expect(screen.queryByText(/can't be claimed/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Log this contact' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  const sent = called.find(({ route }) => route === 'POST /api/patients/1_2/contact-attempts');
  expect(sent?.body).toMatchObject({
    attemptedAt: '2026-11-23T15:00:00.000Z',
    channel: 'CALL',
    outcome: 'REACHED',
    note: expect.stringContaining('Nadia Ross'),
  });
});
