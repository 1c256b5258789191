import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';

const me = somebody({}, { permissions: ['canViewPatients'] });

test.each([
  [true, [], 'Unavailable'],
  [true, ['Medicare'], 'Medicare'],
  [false, [], "You don't have access"],
])('with details visible %o, the payers %o are shown as "%s"', async (detailsVisible, payors, shown) => {
  const patient = patientWith({ detailsVisible });
  const stay = patient.currentPingEncounter && { ...patient.currentPingEncounter, payors };
  serve({
    'GET /api/me': [200, me],
    'GET /api/patients/1_2': [200, { ...patient, currentPingEncounter: stay }],
  });
  openApp('/dashboard/patients/1_2');
  const payer = await screen.findByText('Payer');
  expect(payer.nextElementSibling?.textContent).toBe(shown);
});

test('the stay has the labels of the specification, and says what nobody sent', async () => {
  const patient = patientWith({
    listings: [
      { rosterPatientId: '1', groupId: '7', groupName: 'Mercy', groupType: 'HOS', memberId: 'MR7', leftAt: null },
    ],
  });
  const stay = patient.currentPingEncounter && {
    ...patient.currentPingEncounter,
    attendingProvider: null,
    pointOfCare: null,
    room: null,
    bed: null,
  };
  // Whoever views pings alone may open the patient of one.
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPings'] })],
    'GET /api/patients/1_2': [200, { ...patient, currentPingEncounter: stay }],
  });
  openApp('/dashboard/patients/1_2');
  const valueOf = async (label: string) => (await screen.findByText(label)).nextElementSibling?.textContent;
  expect(await valueOf('Hospital')).toBe('Mercy General Hospital');
  expect(await valueOf('Managing Provider')).toBe('Unavailable');
  expect(await valueOf('Unit, room, bed')).toBe('No Information Provided');
  expect(await valueOf('EHR')).toBe('Mercy · MR7');
});

test.each([
  ['1_9', 404, 'NOT_FOUND'],
  ['abc', 400, 'BAD_REQUEST'],
] as const)('there is no patient with the id %s', async (id, status, errorKey) => {
  serve({ 'GET /api/me': [200, me], [`GET /api/patients/${id}`]: [status, { errorKey }] });
  openApp(`/dashboard/patients/${id}`);
  expect(await screen.findByText('Patient not found')).toBeTruthy();
});
