import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { openApp, serve, somebody } from '../../testing/app.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const NONE = {
  allowsEmergencyAccess: false,
  pulse: null,
  vynca: null,
  holidays: { added: [], removed: [] },
  risingRisk: null,
  embeddedSpotlights: null,
};
const VYNCA = { url: 'https://vynca.example/open', fields: [{ name: 'dob', value: '{dateOfBirth}' }] };

test('an administrator allows emergency access and sets a link; a bad address is refused at its field', async () => {
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canManageUsers'] })],
    'GET /api/admin/groups': [200, { groups: [], total: 0, numPages: 0 }],
    'GET /api/admin/directory': [200, { groups: [], teams: [] }],
    'GET /api/admin/groups/ended': [200, []],
    'GET /api/rosters/waiting': [200, []],
    'GET /api/admin/record-settings': [200, { ...NONE, vynca: VYNCA }],
    'PUT /api/admin/record-settings': [200, NONE],
  });
  openApp('/dashboard/admin/groups');
  const user = userEvent.setup();
  expect(await screen.findByText(/Emergency access is off\. Patients can be opened at Vynca\./)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Change settings…' }));
  await user.click(await screen.findByRole('checkbox', { name: /Allow emergency access/ }));
  const address = screen.getByRole('textbox', { name: /WISHIN Pulse address/ });
  await user.type(address, 'https://pulse.example/?id=1');
  await user.type(screen.getByRole('textbox', { name: /WISHIN Pulse states/ }), 'wi, mi');
  await user.click(screen.getByRole('textbox', { name: /WISHIN Pulse form fields/ }));
  await user.paste('family={lastName}\n given = {firstName} ');
  const holidays = screen.getByRole('textbox', { name: 'Holidays' });
  await user.type(holidays, '11/31/2026');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Enter an https:// address without ? or #.')).toBeTruthy();
  expect(screen.getByText('11/31/2026 is not a valid date. Use MM/DD/YYYY.')).toBeTruthy();
  await user.clear(holidays);
  await user.type(holidays, '11/27/2026');
  await user.clear(address);
  await user.type(address, 'https://pulse.example/');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('The patient record settings were saved.')).toBeTruthy();
  expect(called.find(({ route }) => route === 'PUT /api/admin/record-settings')?.body).toEqual({
    allowsEmergencyAccess: true,
    embeddedSpotlights: null,
    pulse: {
      url: 'https://pulse.example/',
      fields: [
        { name: 'family', value: '{lastName}' },
        { name: 'given', value: '{firstName}' },
      ],
      states: ['WI', 'MI'],
    },
    vynca: VYNCA,
    holidays: { added: ['2026-11-27'], removed: [] },
  });
});

test('a preview of a rule with an invalid number says so at the number', async () => {
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canManageUsers', 'canViewRiskingRisk'] })],
    'GET /api/admin/groups': [200, { groups: [], total: 0, numPages: 0 }],
    'GET /api/admin/directory': [200, { groups: [], teams: [] }],
    'GET /api/admin/groups/ended': [200, []],
    'GET /api/rosters/waiting': [200, []],
    'GET /api/admin/record-settings': [200, NONE],
  });
  openApp('/dashboard/admin/groups');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Change rising-risk rule…' }));
  await user.clear(await screen.findByRole('textbox', { name: 'Within days' }));
  await user.click(screen.getByRole('button', { name: 'Preview the past year' }));
  expect(await screen.findByText(/Enter a whole number from \d+ to \d+\./)).toBeTruthy();
  expect(called.some(({ route }) => route === 'POST /api/rising-risk/preview')).toBe(false);
});
