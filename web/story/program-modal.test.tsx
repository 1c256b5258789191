import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ProgramEnrollment } from '#contract/hl7-programs.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { detailsWith } from '../testing/patients.ts';

const SHORT = {
  id: '0123456789abcdef',
  hl7BasedProgramName: 'Heart failure bundle',
  admittingFacilityName: 'Mercy General',
  payer: null,
  validTo: '2027-02-12',
};
const ENROLLMENT: ProgramEnrollment = {
  ...SHORT,
  definition: {
    hl7BasedProgramName: 'Heart failure bundle',
    admittingFacilityName: 'Mercy General',
    admittingFacilityType: null,
    diagnosesDefinition: null,
    drgCodes: ['291'],
    payer: 'Medicare',
    dischargeSetting: 'INPATIENT',
    dischargedTo: 'HOME',
    validityPeriod: 90,
  },
  validFrom: '2026-11-15',
  encounterId: '2',
  drg: '291',
  isPart2: true,
};

const open = (programs: [number, unknown]) => {
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients'] })],
    'GET /api/patients/1_2': [200, detailsWith({ patientHl7BasedProgramsInfo: [SHORT] })],
    'GET /api/patients/1_2/encounters': [200, { encounters: [], total: 0, numPages: 0, facilities: [] }],
    'GET /api/patients/1_2/diagnosis-summary': [200, []],
    'GET /api/patients/1_2/hha-coverage': [200, { coverages: [], total: 0, numPages: 0 }],
    'GET /api/patients/1_2/hl7-based-programs': programs,
  });
  openApp('/dashboard/patients/1_2');
};
const openModal = async () => {
  const button = await screen.findByRole('button', { name: 'Heart failure bundle' });
  expect(button.parentElement?.textContent).toBe('Heart failure bundle · until 02/12/2027');
  await userEvent.click(button);
};

test('a program of the story opens with its conditions and the discharge behind it', async () => {
  open([200, [ENROLLMENT]]);
  await openModal();
  const dialog = await screen.findByRole('dialog', { name: 'Heart failure bundle' });
  const valueOf = (label: string) => within(dialog).getAllByText(label)[0]?.nextElementSibling?.textContent;
  expect(['Discharged from', 'Discharged on', 'Last day', 'Payer', 'DRG'].map(valueOf)).toEqual([
    'Mercy General',
    '11/15/2026',
    '02/12/2027',
    'Not shown',
    '291',
  ]);
  expect(dialog.textContent).toContain('enrolls a patient for 90 days');
  expect(valueOf('Discharged to')).toBe('Home, without services');
  expect(dialog.textContent).toContain('42 CFR part 2');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a program that ended in the meantime, or cannot be loaded, says so', async () => {
  open([200, []]);
  await openModal();
  expect(await screen.findByText('The patient is no longer in this program.')).toBeTruthy();
});

test('a failure is shown', async () => {
  open([500, { errorKey: 'INTERNAL' }]);
  await openModal();
  expect(await screen.findByText("Couldn't load this program.", undefined, { timeout: 20_000 })).toBeTruthy();
});
