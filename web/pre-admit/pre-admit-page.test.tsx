import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { HeldAdmission, HeldLookUp, HeldPatient } from '#contract/pre-admit.ts';
import { serve } from '../testing/app.tsx';
import { show } from '../testing/show.tsx';
import { HeldAdmissions } from './admissions.tsx';
import { HeldTable } from './held-table.tsx';
import { LookUpDrawer } from './look-up-drawer.tsx';

const who = { firstName: 'Zoe', lastName: 'Abernathy', dob: '1950-01-02', groupName: 'Oak Hollow' };
const held: HeldPatient = {
  id: '1',
  groupId: '7',
  gender: 'Female',
  zip: null,
  createdDate: '2026-11-20T12:00:00Z',
  hoursLeft: 60,
  owningOrgNames: [],
  ssn: null,
  deceased: false,
  isDeathInDoubt: false,
  ...who,
};
const found: HeldLookUp = {
  isMatched: true,
  deceased: false,
  deceasedDate: null,
  isDeathInDoubt: false,
  programs: [],
  instructions: [],
  careTeam: [],
  visits: [],
};

const lookUp = (over: Partial<HeldLookUp>) => {
  serve({ 'GET /api/pre-admit/patients/1/look-up': [200, { ...found, ...over }] });
  show(<LookUpDrawer held={held} close={() => {}} />);
};

test('the look-up of someone who was reported as dead says so before everything else', async () => {
  lookUp({ deceased: true, deceasedDate: '2026-11-18' });
  expect((await screen.findByRole('alert')).textContent).toBe('Reported as diedDate of death: 11/18/2026.');
});

test('a death that its sender took back is to be checked', async () => {
  lookUp({ deceased: true, isDeathInDoubt: true });
  expect((await screen.findByRole('alert')).textContent).toContain('Check with the facility.');
});

test('the list says of whom a death was reported', () => {
  const rows = [held, { ...held, id: '2', deceased: true }, { ...held, id: '3', deceased: true, isDeathInDoubt: true }];
  show(<HeldTable held={rows} namesFacility={false} now={new Date()} lookUp={() => {}} askDelete={() => {}} />);
  const names = screen.getAllByText('ABERNATHY, Zoe').map((name) => name.parentElement?.textContent);
  expect(names).toEqual([
    expect.not.stringContaining('Died'),
    expect.stringContaining('ABERNATHY, Zoe Died'),
    expect.stringContaining('ABERNATHY, Zoe Death reported'),
  ]);
});

test('of the living nothing is said about a death', async () => {
  lookUp({});
  await screen.findByText('No programs recorded.');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a canceled admission is named, with what to do', async () => {
  const admission: HeldAdmission = {
    id: '1',
    admittedDate: '2026-11-20T12:00:00Z',
    isCanceled: true,
    patientId: null,
    ...who,
  };
  serve({ 'GET /api/pre-admit/admissions': [200, [admission, { ...admission, id: '2', isCanceled: false }]] });
  show(<HeldAdmissions now={new Date('2026-11-20T15:00:00Z')} />);
  const [canceled, admitted] = await screen.findAllByRole('listitem');
  expect(canceled?.textContent).toMatch(/Admission at Oak Hollow canceled\. The hold ended .+ hold them again\./);
  expect(admitted?.textContent).toContain('Admitted at Oak Hollow, hold ended');
});
