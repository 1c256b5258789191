import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';

const me = somebody({}, { permissions: ['canViewPatients'] });

test.each([
  [true, [], 'Not recorded'],
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

test.each([
  ['1_9', 404, 'NOT_FOUND'],
  ['abc', 400, 'BAD_REQUEST'],
] as const)('there is no patient with the id %s', async (id, status, errorKey) => {
  serve({ 'GET /api/me': [200, me], [`GET /api/patients/${id}`]: [status, { errorKey }] });
  openApp(`/dashboard/patients/${id}`);
  expect(await screen.findByText('Patient not found')).toBeTruthy();
});
