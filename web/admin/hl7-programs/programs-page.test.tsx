import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { AdminProgram, ProgramPreview } from '#contract/hl7-programs.ts';
import { openApp, serve, somebody } from '../../testing/app.tsx';
import { knownSince } from './program-preview.tsx';
import { fieldsOf, problemsOf, valuesOf } from './program-values.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const BUNDLE: AdminProgram = {
  id: '4',
  version: '1',
  hl7BasedProgramName: 'Heart failure bundle',
  admittingFacilityId: '7',
  admittingFacilityName: 'Mercy General',
  admittingFacilityType: null,
  diagnosesDefinition: { codes: ['I50'], principalOnly: true },
  drgCodes: ['291', '292', '293'],
  payer: 'Medicare',
  dischargeSetting: 'INPATIENT',
  dischargedTo: null,
  validityPeriod: 90,
};
const PREVIEW: ProgramPreview = {
  people: 6000,
  checked: 5000,
  now: 12,
  year: 40,
  discharges: 43,
  months: [{ month: '2026-11', discharges: 3 }],
  firstDischargeAt: '2020-01-01T00:00:00Z',
  firstDrgAt: '2020-01-01T00:00:00Z',
  withDrg: 30,
  inpatientDischarges: 40,
  payers: [{ payer: 'MEDICARE', discharges: 43 }],
  examples: [
    {
      patientId: '1_2',
      name: 'KESTREL, Ada',
      dateOfBirth: '1950-02-03',
      facilityName: 'Mercy General',
      isPart2: false,
      dischargedOn: '2026-11-15',
      drg: '291',
      validTo: '2027-02-12',
    },
  ],
};

const PATH = '/dashboard/admin/hl7-programs';
const open = (over: Parameters<typeof serve>[0] = {}, permissions = ['canManageUsers', 'canViewPatients']) => {
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions })],
    'GET /api/admin/hl7-programs': [200, [BUNDLE]],
    'GET /api/admin/hl7-programs/facilities': [
      200,
      [{ id: '7', name: 'Mercy General', facilityType: 'HOS', state: 'NY' }],
    ],
    'POST /api/admin/hl7-programs': [200, BUNDLE],
    'PUT /api/admin/hl7-programs/4': [200, BUNDLE],
    'POST /api/hl7-programs/preview': [200, PREVIEW],
    ...over,
  });
  openApp(PATH);
  return (route: string) => called.filter((one) => one.route === route);
};

test('programs are listed with their conditions in words', async () => {
  open();
  const table = await screen.findByRole('region', { name: 'HL7 programs' });
  expect(table.textContent).toContain('Admitting facility: Mercy General');
  expect(table.textContent).toContain('Principal diagnosis: I50');
  expect(table.textContent).toContain('DRG: 291, 292, 293');
  expect(table.textContent).toContain('90 days');
});

test('a new program is checked field by field, takes a facility that was found, and is saved', async () => {
  const of = open({ 'GET /api/admin/hl7-programs': [200, []] });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Add program' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add program' });
  const field = (name: string) => within(dialog).getByRole('textbox', { name });
  await user.type(within(dialog).getByRole('combobox', { name: 'Admitting facility' }), 'merc');
  await user.type(field('DRG codes'), '29, 291');
  await user.type(field('Diagnosis codes'), 'heart');
  await user.clear(field('Validity period, in days'));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  for (const message of [
    'Enter a name.',
    'Choose one of the facilities found, or clear the field.',
    '29 is not a DRG. Use three digits, such as 291 or 291-293.',
    'HEART is not an ICD-10-CM code or its beginning. Use codes such as I50 or I50.9.',
    'Enter a whole number of days from 1 to 365.',
  ])
    expect(await within(dialog).findByText(message)).toBeTruthy();
  expect(of('POST /api/admin/hl7-programs')).toEqual([]);

  await user.click(await within(dialog).findByRole('option', { name: /Mercy General/ }));
  await user.type(field('Name'), ' Heart failure bundle ');
  await user.clear(field('DRG codes'));
  await user.type(field('DRG codes'), '291-293 291');
  await user.clear(field('Diagnosis codes'));
  await user.type(field('Diagnosis codes'), 'i50');
  await user.type(field('Payer'), 'Medicare');
  await user.type(field('Validity period, in days'), '90');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('The program Heart failure bundle was saved.')).toBeTruthy();
  const { id: _, version: __, admittingFacilityName: ___, ...body } = BUNDLE;
  expect(of('POST /api/admin/hl7-programs')[0]?.body).toEqual(body);
});

test('the preview shows counts, payers, months and examples, and goes once a condition changes', async () => {
  const of = open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Heart failure bundle' }));
  const dialog = await screen.findByRole('dialog', { name: 'Heart failure bundle' });
  await user.click(within(dialog).getByRole('button', { name: 'Preview the past year' }));
  const status = await within(dialog).findByText(/Today: 12 patients in the program/);
  expect(status.textContent).toContain('40 patients enrolled by 43 discharges. Checked 5,000 of 6,000 patients.');
  expect(status.textContent).toContain("75% of the year's inpatient discharges have a DRG.");
  expect(within(dialog).getByText('Payers: MEDICARE (43).')).toBeTruthy();
  expect(within(dialog).getByRole('link', { name: 'KESTREL, Ada' }).getAttribute('href')).toBe(
    '/dashboard/patients/1_2',
  );
  expect(Object.keys(of('POST /api/hl7-programs/preview')[0]?.body ?? {})).not.toContain('hl7BasedProgramName');
  await user.type(within(dialog).getByRole('textbox', { name: 'Payer' }), 'x');
  expect(within(dialog).queryByText(/Today: 12 patients/)).toBeNull();
});

test('without canViewPatients there is no preview', async () => {
  open({}, ['canManageUsers']);
  await userEvent.click(await screen.findByRole('button', { name: 'Heart failure bundle' }));
  await screen.findByRole('dialog', { name: 'Heart failure bundle' });
  expect(screen.queryByRole('button', { name: 'Preview the past year' })).toBeNull();
});

test('a program without conditions is refused, and one that was read is written the same', () => {
  const empty = { ...valuesOf(null), hl7BasedProgramName: 'All', dischargeSetting: '' };
  expect(problemsOf(empty)['conditions']).toContain('Set at least one condition.');
  expect(problemsOf({ ...empty, payer: 'Medicare' })['conditions']).toBeUndefined();
  const { id: _, version: __, admittingFacilityName: ___, ...fields } = BUNDLE;
  expect(fieldsOf(valuesOf(BUNDLE))).toEqual(fields);
});

test('the preview says from when DRGs are known', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const known = (over: Partial<ProgramPreview>, asksDrg = true) => knownSince({ ...PREVIEW, ...over }, asksDrg, now);
  expect(known({ firstDrgAt: null })).toEqual(['No known stay has a DRG, so no one can be enrolled by DRG yet.']);
  expect(known({ firstDrgAt: '2026-04-05T15:00:00Z' })[0]).toContain('DRGs are known since 04/05/2026');
  expect(known({ firstDischargeAt: '2026-03-01T15:00:00Z' }, false)).toEqual([
    'The first known discharge was on 03/01/2026.',
  ]);
});

test('a preview of invalid values says what is wrong at their fields, and needs no name', async () => {
  const of = open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Add program' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add program' });
  const drgs = within(dialog).getByRole('textbox', { name: 'DRG codes' });
  await user.type(drgs, '29');
  await user.click(within(dialog).getByRole('button', { name: 'Preview the past year' }));
  expect(await within(dialog).findByText('29 is not a DRG. Use three digits, such as 291 or 291-293.')).toBeTruthy();
  expect(document.activeElement).toBe(drgs);
  expect(of('POST /api/hl7-programs/preview')).toEqual([]);
  await user.type(drgs, '1');
  await user.click(within(dialog).getByRole('button', { name: 'Preview the past year' }));
  expect(await within(dialog).findByText(/Today: 12 patients in the program/)).toBeTruthy();
  expect(within(dialog).queryByText(/is not a DRG/)).toBeNull();
});

test('a name that is too long is refused, not cut', async () => {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Add program' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add program' });
  const name = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  await user.click(name);
  await user.paste('x'.repeat(129));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await within(dialog).findByText('Use at most 120 characters.')).toBeTruthy();
  expect(name.value).toHaveLength(129);
});
