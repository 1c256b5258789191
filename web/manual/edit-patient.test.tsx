import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { detailsWith, pingWith, visitWith } from '../testing/patients.ts';

test('a patient whom someone else corrected meanwhile is not overwritten, and what was typed stays', async () => {
  const me = somebody({}, { permissions: ['canViewPatients'] });
  const group = { id: '7', name: 'Oak Hollow', type: 'SNF', isAutomated: false, timeZone: 'America/New_York' };
  const [team] = Object.values(me.user.teams);
  if (team) team.groups = { 7: { ...group, state: null, permissions: ['canEditPatientsAndEvents'] } as never };
  const visit = visitWith({ events: [pingWith({ editable: true })] });
  let stored = detailsWith({ entryVersion: '0' });
  const last = { name: 'Bo Heron', date: '2026-11-21T15:42:00Z' };
  const called = serve({
    'GET /api/me': [200, me],
    'GET /api/patients/1_2': () => [200, stored],
    'GET /api/patients/1_2/encounters': [200, { encounters: [visit], total: 1, numPages: 1, facilities: [] }],
    'GET /api/patients/1_2/diagnosis-summary': [200, []],
    'PATCH /api/patients/1_2': [409, { errorKey: 'CHANGED_BY_OTHER', standing: { version: '1', last } }],
  });
  openApp('/dashboard/patients/1_2');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Edit patient' }));
  const name = await screen.findByLabelText<HTMLInputElement>('Last name');
  await user.clear(name);
  await user.type(name, 'Osprey');
  stored = detailsWith({ entryVersion: '1', lastName: 'Kestrel' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/Last changed by Bo Heron/)).toBeTruthy();
  expect(name.value).toBe('Osprey');
  await user.click(screen.getByRole('button', { name: 'Keep mine' }));
  const sent = () => called.filter(({ route }) => route.startsWith('PATCH')).map(({ body }) => body['version']);
  await expect.poll(sent).toEqual(['0', '1']);
  await user.click(await screen.findByRole('button', { name: 'Take theirs' }));
  await expect.poll(() => screen.getByLabelText<HTMLInputElement>('Last name').value).toBe('Kestrel');
});
