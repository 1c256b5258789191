import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { encounterWith, patientWith, pingWith } from '../testing/patients.ts';
import { PatientBanner } from './patient-banner.tsx';

afterEach(cleanup);

const show = (patient: Parameters<typeof patientWith>[0], stay: object) => {
  const currentPingEncounter = { ...encounterWith(pingWith()), status: 'FINISHED' as const, ...stay };
  render(
    <MantineProvider>
      <PatientBanner
        patient={patientWith({ ...patient, currentPingEncounter })}
        now={new Date('2026-11-27T16:00:00Z')}
      />
    </MantineProvider>,
  );
};
const ended = { dischargedDate: '2026-10-28T15:00:00Z' };

test('the banner says where the person is now beside an earlier stay', () => {
  const nowAt = {
    facilityName: 'Mercy General',
    timeZone: 'America/New_York',
    setting: 'INPATIENT' as const,
    since: '2026-11-27T14:00:00Z',
  };
  show({ nowAt }, ended);
  expect(screen.getByText('This stay: discharged 10/28/2026')).toBeTruthy();
  expect(screen.getByText('Now at Mercy General: Inpatient since 11/27/2026')).toBeTruthy();
});

test('the banner says Discharged of the last stay, and nothing of a canceled one', () => {
  show({}, ended);
  expect(screen.getByText('Discharged 10/28/2026')).toBeTruthy();
  show({ id: '9_9' }, { ...ended, status: 'CANCELLED' });
  expect(screen.getAllByText(/Discharged/)).toHaveLength(1);
});

test('a visit to an ED has no bed as its icon', () => {
  show({}, { setting: 'EMERGENCY', status: 'IN_PROGRESS' });
  const badge = screen.getByText('Emergency').closest('.mantine-Badge-root');
  expect(badge?.querySelector('.tabler-icon-ambulance')).toBeTruthy();
  expect(badge?.querySelector('.tabler-icon-bed')).toBeNull();
});

test('the micro banner of a narrow page leaves out clinical data and gender until it is asked for them', () => {
  show({}, { status: 'IN_PROGRESS' });
  const banner = screen.getByRole('banner');
  const left = [...banner.querySelectorAll('[data-zone2]')].map(({ textContent }) => textContent);
  expect(left).toEqual(['Inpatient · day 1', 'Gender Female', '(Lakeshore ACO)']);
  fireEvent.click(screen.getByText('More'));
  expect(banner.hasAttribute('data-open')).toBe(true);
});

test('the first number is that of a current listing, which the row in the list has too', () => {
  const [one] = patientWith({}).listings;
  const listing = (memberId: string, leftAt: string | null) => ({
    ...one,
    rosterPatientId: memberId,
    memberId,
    leftAt,
  });
  show({ listings: [listing('QX100', '2026-10-28T15:00:00Z'), listing('QX200', null)] as never }, {});
  expect(screen.getAllByText(/^QX/).map(({ textContent }) => textContent)).toEqual(['QX200', 'QX100']);
});

test('services end where nobody is discharged', () => {
  show({}, { ...ended, setting: 'HHA' });
  expect(screen.getByText('Ended HHA Services 10/28/2026')).toBeTruthy();
});
