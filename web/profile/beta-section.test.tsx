import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import type { Profile } from '#contract/users.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';

const SUMMARIES: Permission[] = ['canViewCcds', 'canViewCcdDischargeInfo', 'canViewDischargeSummaries'];
const PROFILE: Profile = {
  preferences: { timeZone: 'America/Chicago', density: 'comfortable', singleKeyShortcuts: true },
  notificationPhone: null,
  mfaOptedIn: false,
  recoveryCodesLeft: 0,
  passkeys: [],
  sessions: [],
  daysUntilPasswordExpiration: null,
  hasPassword: true,
  isManagedElsewhere: false,
};
const OPT_OUT = 'POST /api/alpha/opt-out';

function open(permissions: Permission[]) {
  const called = serve({
    'GET /api/users/profile': [200, PROFILE],
    'GET /api/me': [200, somebody({}, { permissions })],
    'GET /api/alpha/opt-out': [200, []],
    [OPT_OUT]: [204],
  });
  openApp('/dashboard/user-profile');
  return called;
}

test('whoever may see discharge summaries can leave them, after a question', async () => {
  const called = open(['canViewPings', ...SUMMARIES]);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Opt out of Discharge summaries' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Opt out of “Discharge summaries”?' }));
  await user.click(asked.getByRole('button', { name: 'Opt out' }));
  expect(await screen.findByText('Successfully opted out of beta')).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Opt in to Discharge summaries' })).toBeTruthy();
  expect(called.find(({ route }) => route === OPT_OUT)?.query.get('feature')).toBe('DISCHARGE_SUMMARY_MIHIN');
});

test.each(SUMMARIES)('without %s there is nothing to leave', async (missing) => {
  open(['canViewPings', ...SUMMARIES.filter((each) => each !== missing)]);
  expect(await screen.findByRole('button', { name: 'Opt out of Actions in search' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Opt out of Discharge summaries' })).toBeNull();
});
