import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serve, setWidth, somebody } from '../../testing/app.tsx';

const DATE = '2026-11-20T15:00:00.000Z';
const ACCESS = {
  id: '1',
  date: DATE,
  by: { id: '2', name: 'Bo Nurse' },
  team: { id: '5', name: 'Team East' },
  opening: null,
  kind: 'opened',
  address: '10.0.0.7',
  isBackground: false,
};
const ELSEWHERE = { organization: 'Northern Pines', reads: 2, emergencies: 1, firstDate: DATE, lastDate: DATE };
const EMERGENCY = {
  id: '3',
  date: DATE,
  organization: 'Northern Pines',
  facilities: ['Alder Recovery'],
  patientId: '7_0',
  reason: 'Found unresponsive',
  isMedicalEmergency: true,
};

const PATIENT = {
  firstName: 'Wilma',
  middleName: null,
  lastName: 'Heronsgate',
  nameSuffix: null,
  dateOfBirth: '1941-03-14',
};

const open = (path: string) => {
  setWidth(1440);
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canManageUsers'] })],
    'GET /api/emergency-accesses': [200, [EMERGENCY]],
    'GET /api/patients/7_0/accesses': [
      200,
      { patient: PATIENT, accesses: [ACCESS], total: 1, numPages: 1, elsewhere: [ELSEWHERE] },
    ],
  });
  openApp(`/dashboard/admin/accesses${path}`);
};

test('the list names own staff, other organizations without people, and can be downloaded', async () => {
  open('?patient=7_0');
  const own = within(await screen.findByRole('region', { name: 'Patient access' }));
  expect(screen.getByRole('heading', { name: 'HERONSGATE, Wilma · Born 03/14/1941' })).toBeTruthy();
  expect(own.getByText('Bo Nurse')).toBeTruthy();
  expect(own.getByText('Opened the patient')).toBeTruthy();
  const others = within(screen.getByRole('region', { name: 'Other organizations' }));
  expect(others.getByText('Northern Pines')).toBeTruthy();
  const file = screen.getByRole('link', { name: 'Download as CSV' });
  expect(file.getAttribute('href')).toBe('/api/patients/7_0/accesses.csv?teamId=5');
});

test('an emergency access leads to who has seen that patient', async () => {
  open('');
  const list = within(await screen.findByRole('region', { name: 'Emergency access' }));
  expect(list.getByText('Found unresponsive')).toBeTruthy();
  await userEvent.click(list.getByRole('button', { name: 'Show access to 7_0' }));
  expect(await screen.findByRole('region', { name: 'Patient access' })).toBeTruthy();
});
