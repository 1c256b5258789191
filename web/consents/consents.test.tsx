import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Consent } from '#contract/consents.ts';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { patientWith, pingWith } from '../testing/patients.ts';

const CONSENT: Consent = {
  id: '5',
  facility: { id: '7', name: 'Alder Recovery' },
  recipient: { groupId: '3', groupName: 'Lakeshore ACO', organizationName: 'Lakeshore' },
  givenDate: '2026-11-20T12:00:00Z',
  recordedBy: 'Ama Osei',
  expiresDate: null,
  endedDate: null,
  endedBy: null,
};
const PINES = { groupId: '4', groupName: 'Pines Care', organizationName: 'Northern Pines' };

const open = (answers: Parameters<typeof serve>[0] = {}, patient = patientWith()) => {
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients', 'canEditPatientsAndEvents'] })],
    'GET /api/patients/1_2': [200, patient],
    'GET /api/patients/1_2/programs': [200, []],
    'GET /api/patients/1_2/care-team': [200, []],
    'GET /api/patients/1_2/consents': [200, { facilities: [CONSENT.facility], consents: [CONSENT] }],
    'GET /api/consent-recipients': [200, [CONSENT.recipient, PINES]],
    ...answers,
  });
  openApp('/dashboard/patients/1_2/care-team');
  return called;
};

test('a consent is recorded for a group that is chosen by name', async () => {
  const called = open({ 'POST /api/patients/1_2/consents': [200, { ...CONSENT, id: '6', recipient: PINES }] });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Record consent' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Record consent' }));
  await user.click(drawer.getByRole('button', { name: 'Record consent' }));
  expect(await drawer.findByText('Choose a group.')).toBeTruthy();
  await user.click(await drawer.findByRole('radio', { name: /Pines Care/ }));
  await user.click(drawer.getByRole('button', { name: 'Record consent' }));
  expect(await screen.findByText('The consent for Pines Care was recorded.')).toBeTruthy();
  expect(called.find(({ route }) => route === 'POST /api/patients/1_2/consents')?.body).toEqual({
    facilityGroupId: '7',
    recipientGroupId: '4',
  });
});

test('a consent is ended after a question that says what is closed', async () => {
  const called = open({ 'DELETE /api/patients/1_2/consents/5': [204, undefined] });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'End consent for Lakeshore ACO' }));
  const question = within(await screen.findByRole('dialog'));
  expect(question.getByText(/no longer sees this patient's visits at Alder Recovery/)).toBeTruthy();
  await user.click(question.getByRole('button', { name: 'End consent' }));
  expect(await screen.findByText('The consent for Lakeshore ACO has ended.')).toBeTruthy();
  expect(called.filter(({ route }) => route === 'DELETE /api/patients/1_2/consents/5')).toHaveLength(1);
});

test('where the team has no Part 2 facility there is nothing about consents', async () => {
  open({ 'GET /api/patients/1_2/consents': [200, { facilities: [], consents: [] }] });
  expect(await screen.findByText('No contacts yet.')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText(/Consents/)).toBeNull());
});

test.each([true, false])('with a Part 2 facility %s, a care page has the notice as often', async (isPart2Facility) => {
  const facility = { ...pingWith().facility, isPart2Facility };
  open({}, patientWith({ currentPing: pingWith({ facility }) }));
  expect(await screen.findByText('No contacts yet.')).toBeTruthy();
  expect(screen.queryAllByText(PART2_NOTICE)).toHaveLength(isPart2Facility ? 1 : 0);
});
