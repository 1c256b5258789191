import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { EmergencyAccess } from '#contract/emergency.ts';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';

const NONE: EmergencyAccess = { isOffered: true, endsDate: null, visits: [] };
const visit = { patientId: '1_9', facilityName: 'Alder Recovery', isPart2Facility: true, admittedDate: '2024-02-03' };
const opened = (): EmergencyAccess => ({
  isOffered: true,
  endsDate: new Date(Date.now() + 3_600_000).toISOString(),
  visits: [visit, { ...visit, patientId: '1_8', facilityName: 'Mercy Clinic', isPart2Facility: false }],
});

const open = (answers: Parameters<typeof serve>[0]) => {
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients'] })],
    'GET /api/patients/1_2': [200, patientWith()],
    ...answers,
  });
  openApp('/dashboard/patients/1_2');
  return called;
};

test('emergency access asks for a reason, then links to what it opened, with the notice where it is due', async () => {
  const called = open({
    'GET /api/patients/1_2/emergency-access': [200, NONE],
    'POST /api/patients/1_2/emergency-access': () => [200, opened()],
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Emergency access…' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Emergency access' }));
  await user.click(drawer.getByRole('button', { name: 'Open records for 60 minutes' }));
  await drawer.findByText('Enter a reason.');
  await user.type(drawer.getByRole('textbox', { name: 'Reason' }), 'Found unresponsive');
  await user.click(drawer.getByRole('checkbox', { name: /Medical emergency/ }));
  await user.click(drawer.getByRole('button', { name: 'Open records for 60 minutes' }));
  const link = await screen.findByRole('link', { name: 'Alder Recovery, 02/03/2024' });
  expect(link.getAttribute('href')).toBe('/dashboard/patients/1_9');
  expect(link.closest('li')?.textContent).toContain(PART2_NOTICE);
  expect(screen.getAllByText(PART2_NOTICE)).toHaveLength(1);
  const sent = called.find(({ route }) => route === 'POST /api/patients/1_2/emergency-access');
  expect(sent?.body).toEqual({ reason: 'Found unresponsive', isMedicalEmergency: true });
});

test('where no organization allows it there is no button', async () => {
  const called = open({ 'GET /api/patients/1_2/emergency-access': [200, { ...NONE, isOffered: false }] });
  await waitFor(() => expect(called.map(({ route }) => route)).toContain('GET /api/patients/1_2/emergency-access'));
  await screen.findByRole('heading', { name: 'OKONKWO-REYES, Adaeze' });
  expect(screen.queryByRole('button', { name: 'Emergency access…' })).toBeNull();
});
