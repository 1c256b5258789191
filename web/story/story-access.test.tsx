/** What a story offers and says to those who may do or see only part of it. */
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { cardWith, detailsWith, pingWith, visitWith } from '../testing/patients.ts';

const PINGS: Permission[] = ['canViewPatients', 'canViewPings', 'canManagePings'];
const FLAGS: Permission[] = ['canViewRisingRiskFlag', 'canViewCareGapsWorklistAlpha', 'canViewCovid19Status'];

const open = (patient: Parameters<typeof detailsWith>[0], permissions: Permission[]) => {
  serve({
    'GET /api/me': [200, somebody({}, { permissions })],
    'GET /api/patients/1_2': [200, detailsWith(patient)],
    'GET /api/patients/1_2/encounters': [
      200,
      { encounters: [visitWith({ pings: [] })], total: 1, numPages: 1, facilities: [] },
    ],
    'GET /api/patients/1_2/diagnosis-summary': [200, []],
  });
  openApp('/dashboard/patients/1_2');
};

const panel = async (name: string) => within(await screen.findByRole('region', { name }));

test('an event that the team got no ping of has no status, no actions and nothing to explain', async () => {
  open({ card: null }, PINGS);
  const event = await panel('Latest event');
  expect(event.getByText('Admitted — Inpatient')).toBeTruthy();
  expect(event.queryByText('Unresolved')).toBeNull();
  expect(event.queryByRole('button')).toBeNull();
  expect(screen.queryByText('Why this ping?')).toBeNull();
});

test.each([true, false])('the answer says whether the status may be changed: %s', async (change) => {
  const card = cardWith([pingWith()]);
  open({ card: { ...card, abilities: { ...card.abilities, change } } }, PINGS);
  const ping = await panel('Latest ping');
  expect(ping.getByText('Unresolved')).toBeTruthy();
  for (const name of ['Resolve', 'Mark in progress', 'Take it', 'Assign…'])
    expect(ping.queryByRole('button', { name }) !== null, name).toBe(change);
});

test.each([
  [FLAGS, {}, 'No flags.'],
  [[], {}, 'No flags that you have access to.'],
  [FLAGS, { onlyPing: true }, 'No flags that you have access to.'],
])('with %o and %o it says: %s', async (permissions, patient, words) => {
  open(patient, ['canViewPatients', ...permissions]);
  expect((await panel('Flags')).getByText(words)).toBeTruthy();
});

test('someone who sees the patient because of a ping alone is not shown other visits as missing', async () => {
  open({ onlyPing: true, currentPingEncounter: visitWith() }, ['canViewPatients', 'canViewPings']);
  const hospitals = await panel('Hospitals');
  expect(hospitals.getAllByText("You don't have access")).toHaveLength(2);
  expect(await panel('This stay')).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Visits' })).toBeNull();
});
