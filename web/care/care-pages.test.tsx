import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { CareInstruction, CareTeamRecord } from '#contract/care.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { patientWith } from '../testing/patients.ts';

const NURSE: CareTeamRecord = {
  id: '11',
  rosterPatientId: '1',
  groupId: '3',
  groupName: 'Lakeshore ACO',
  organizationName: 'Lakeshore',
  program: 'ACO REACH',
  userCreatedDate: '2026-11-01T12:00:00Z',
  contactName: 'Ada Kestrel',
  contactJobTitle: 'Nurse care manager',
  contactPhone: '585-555-0143',
  contactEmail: 'ada@lakeshore.example',
  contactFax: null,
  content: 'Weigh daily.',
  hasCarePlan: true,
  isCalledFirst: true,
  modifiedAt: '2026-11-20T12:00:00Z',
  version: '1',
  editable: true,
};
const PLAN: CareTeamRecord = {
  ...NURSE,
  id: '12',
  organizationName: 'Northern Pines',
  program: 'Complex cases',
  contactName: 'Bo Heron',
  content: null,
  isCalledFirst: false,
  editable: false,
};
const STEP: CareInstruction = {
  id: '21',
  instruction: 'Call us.',
  groupId: '3',
  instructionOrder: 1,
  groupName: 'Lakeshore ACO',
  organizationName: 'Lakeshore',
  form: { documentKey: '31', fileName: 'Intake.pdf', contentType: 'application/pdf', size: 900 },
  modifiedAt: '2026-11-20T12:00:00Z',
  version: '1',
  editable: true,
};
const SECOND: CareInstruction = { ...STEP, id: '22', instruction: 'Fax the list.', instructionOrder: 2, form: null };

const EDITOR = ['canViewPatients', 'canViewCarePlans', 'canEditCarePlans'];

/** Opens a page of patient 1_2, and keeps what it sends. */
function open(page: string, permissions = EDITOR, answers: Parameters<typeof serve>[0] = {}) {
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions })],
    'GET /api/patients/1_2': [200, patientWith()],
    'GET /api/patients/1_2/programs': [200, [{ organization: 'Northern Pines', programName: 'Complex cases' }]],
    'GET /api/patients/1_2/care-team': [200, [NURSE, PLAN]],
    'GET /api/patients/1_2/instructions': [200, { admitInstructions: [STEP, SECOND], dischargeInstructions: [] }],
    ...answers,
  });
  openApp(`/dashboard/patients/1_2/${page}`);
  return called;
}
const cardOf = async (name: string) =>
  within((await screen.findByRole('heading', { level: 3, name })).closest('li') as HTMLElement);

test('people of rosters are shown with how to reach them and what to call about', async () => {
  const reach = { telephone: '906-555-0141', fax: null, email: 'rosa@lakeshore.example', title: 'RN' };
  const coordinator = { id: 'a', fullName: 'Rosa Lindgren', cohortId: 'c', eventType: 'Discharges', ...reach };
  const provider = {
    id: 'b',
    firstName: 'Wen',
    lastName: 'Hartigan',
    fullName: 'Wen Hartigan',
    npi: '1400000042',
    title: 'MD',
    telephone: null,
    fax: '906-555-0231',
    email: null,
    directMessage: 'wen@direct.example',
    cohortId: 'd',
    providerType: 'Cardiology',
  };
  const cohorts = [
    { id: 'c', name: 'ACO REACH' },
    { id: 'd', name: 'Harbor Heart' },
  ];
  const patient = { ...patientWith(), careCoordinators: [coordinator], providers: [provider], cohorts };
  open('care-team', EDITOR, { 'GET /api/patients/1_2': [200, patient] });
  const rosa = await cardOf('Rosa Lindgren, RN');
  expect(rosa.getByText('Care coordinator · ACO REACH')).toBeTruthy();
  expect(rosa.getByText('Call about · Discharges')).toBeTruthy();
  expect(rosa.getByRole('link', { name: 'Call Phone, 906-555-0141' })).toBeTruthy();
  const wen = await cardOf('Wen Hartigan, MD');
  for (const line of [
    'Provider · Cardiology · Harbor Heart',
    'No phone number',
    'Fax · 906-555-0231',
    'NPI · 1400000042',
  ])
    expect(wen.getByText(line)).toBeTruthy();
  expect(wen.getByText('Direct · wen@direct.example')).toBeTruthy();
});

test('a contact can be called and written to, and only an own one can be edited', async () => {
  open('care-team');
  const nurse = await cardOf('Ada Kestrel');
  expect(nurse.getByText('Call first')).toBeTruthy();
  expect(nurse.getByRole('link', { name: 'Call Phone, 585-555-0143' }).getAttribute('href')).toBe('tel:5855550143');
  expect(nurse.getByRole('link', { name: 'ada@lakeshore.example' })).toBeTruthy();
  expect((await cardOf('Bo Heron')).queryByRole('button')).toBeNull();
  expect(await screen.findByText('Complex cases · Northern Pines')).toBeTruthy();
  const links = within(screen.getByRole('navigation', { name: 'Patient' })).getAllByRole('link');
  expect(links.filter((link) => link.hasAttribute('aria-current')).map((link) => link.textContent)).toEqual([
    'Care team',
  ]);
});

test('a changed contact is sent with its version; a contact without a name is not', async () => {
  const called = open('care-team', EDITOR, {
    'PUT /api/patients/1_2/care-team/11': ({ body }) => [200, { ...NURSE, ...body, version: '2' }],
  });
  const user = userEvent.setup();
  await user.click((await cardOf('Ada Kestrel')).getByRole('button', { name: 'Edit Ada Kestrel' }));
  const name = await screen.findByLabelText('Name');
  expect(within(screen.getByRole('dialog')).getByText(/^OKONKWO-REYES, Adaeze · Born /)).toBeTruthy();
  await user.clear(name);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Enter a name.')).toBeTruthy();
  await user.type(name, 'Ada Osprey');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Ada Osprey was saved.')).toBeTruthy();
  const sent = called.filter(({ route }) => route.startsWith('PUT'));
  expect(sent.map(({ body }) => [body['contactName'], body['content'], body['version']])).toEqual([
    ['Ada Osprey', 'Weigh daily.', '1'],
  ]);
});

test('users who may not see care plans neither see nor send one', async () => {
  const called = open('care-team', ['canViewPatients', 'canEditCarePlans'], {
    'GET /api/patients/1_2/care-team': [200, [{ ...NURSE, content: null, hasCarePlan: null }]],
    'PUT /api/patients/1_2/care-team/11': [200, NURSE],
  });
  const user = userEvent.setup();
  await user.click((await cardOf('Ada Kestrel')).getByRole('button', { name: 'Edit Ada Kestrel' }));
  await screen.findByLabelText('Name');
  expect(screen.queryByLabelText('Care plan')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(called.some(({ route }) => route.startsWith('PUT'))).toBe(true));
  expect(called.find(({ route }) => route.startsWith('PUT'))?.body).not.toHaveProperty('content');
  expect(screen.queryByRole('link', { name: 'Case management' })).toBeNull();
});

test('case management shows own plans, and of others whom to ask', async () => {
  open('case-management');
  expect((await cardOf('ACO REACH')).getByText('Weigh daily.')).toBeTruthy();
  const other = await cardOf('Complex cases');
  expect(other.getByText('Only Northern Pines can see this plan. Ask Bo Heron, 585-555-0143.')).toBeTruthy();
  expect(other.queryByRole('button')).toBeNull();
});

test('an instruction moves up, and its form can be downloaded', async () => {
  const called = open('case-management', EDITOR, { 'PUT /api/patients/1_2/instructions/22': [200, SECOND] });
  const user = userEvent.setup();
  const list = within(await screen.findByRole('region', { name: 'Admit instructions' }));
  expect(list.getByRole('link', { name: 'Intake.pdf' }).getAttribute('href')).toBe(
    '/api/patients/1_2/instructions/21/form?teamId=5',
  );
  expect(list.queryByRole('button', { name: 'Move up: Call us.' })).toBeNull();
  await user.click(list.getByRole('button', { name: 'Move up: Fax the list.' }));
  await waitFor(() => expect(called.some(({ route }) => route.startsWith('PUT'))).toBe(true));
  const { body } = called.find(({ route }) => route.startsWith('PUT')) ?? {};
  expect(body).toEqual({ instruction: 'Fax the list.', instructionOrder: 1, version: '1' });
  const discharge = within(screen.getByRole('region', { name: 'Discharge instructions' }));
  expect(discharge.getByText('No discharge instructions.')).toBeTruthy();
});

test('without access to care plans the page says so, and asks for none', async () => {
  const called = open('case-management', ['canViewPatients']);
  expect(await screen.findByText("You don't have access to care plans and instructions.")).toBeTruthy();
  expect(called.filter(({ route }) => /care-team|instructions/.test(route))).toEqual([]);
});

test('a bad address says that there is no such patient', async () => {
  open('care-team', EDITOR, { 'GET /api/patients/1_2': [404, { errorKey: 'NOT_FOUND' }] });
  expect(await screen.findByText('Patient not found')).toBeTruthy();
});

test('an instruction is not saved while a chosen file is not uploaded, which would lose it', async () => {
  const called = open('case-management', EDITOR);
  const user = userEvent.setup();
  const list = within(await screen.findByRole('region', { name: 'Admit instructions' }));
  await user.click(list.getByRole('button', { name: 'Edit: Call us.' }));
  await screen.findByRole('button', { name: 'Upload form' });
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('There is no file input');
  await user.upload(input, new File(['%PDF-1.4'], 'New form.pdf', { type: 'application/pdf' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('This file is not uploaded yet. Choose "Upload form", or remove it.')).toBeTruthy();
  expect(called.some(({ route }) => route.startsWith('PUT'))).toBe(false);
});

test('a care plan that is added comes first and is required', async () => {
  const called = open('case-management', EDITOR, {
    'POST /api/patients/1_2/care-team': ({ body }) => [200, { ...NURSE, ...body, id: '13' }],
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Add care plan' }));
  const name = await screen.findByLabelText('Name');
  expect(within(screen.getByRole('dialog')).getAllByRole('textbox')[0]).toBe(screen.getByLabelText('Care plan'));
  await user.type(name, 'Cy Heron');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Enter a care plan.')).toBeTruthy();
  await user.type(screen.getByLabelText('Care plan'), 'Call on Mondays.');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Cy Heron was saved.')).toBeTruthy();
  expect(
    called.filter(({ route }) => route.startsWith('POST /api/patients')).map(({ body }) => body['content']),
  ).toEqual(['Call on Mondays.']);
});
