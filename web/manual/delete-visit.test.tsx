import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { detailsWith, pingWith, visitWith } from '../testing/patients.ts';

test('the confirmation of a deletion, which covers the banner, says whose visit it is', async () => {
  const me = somebody({}, { permissions: ['canViewPatients'] });
  const group = { id: '7', name: 'Oak Hollow', type: 'SNF', isAutomated: false, timeZone: 'America/New_York' };
  const [team] = Object.values(me.user.teams);
  if (team) team.groups = { 7: { ...group, state: null, permissions: ['canEditPatientsAndEvents'] } as never };
  const visit = visitWith({ events: [pingWith({ editable: true })] });
  serve({
    'GET /api/me': [200, me],
    'GET /api/patients/1_2': [200, detailsWith()],
    'GET /api/patients/1_2/encounters': [200, { encounters: [visit], total: 1, numPages: 1, facilities: [] }],
    'GET /api/patients/1_2/diagnosis-summary': [200, []],
  });
  openApp('/dashboard/patients/1_2');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete visit…' }));
  const dialog = await screen.findByRole('dialog', { name: /^Delete this visit at/ });
  expect(within(dialog).getByText(/^OKONKWO-REYES, Adaeze · Born 03\/14\/1941 \(/)).toBeTruthy();
});
