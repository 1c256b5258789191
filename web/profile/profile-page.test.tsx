import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Profile } from '#contract/users.ts';
import { queryClient } from '../api/query-client.ts';
import { meQuery } from '../session/queries.ts';
import { somebody } from '../testing/app.tsx';
import { show } from '../testing/show.tsx';
import { stubApi } from '../testing/stub-api.ts';
import { ProfilePage } from './profile-page.tsx';

const profile: Profile = {
  preferences: { timeZone: 'America/Chicago', density: 'comfortable', singleKeyShortcuts: true },
  notificationPhone: null,
  mfaOptedIn: false,
  recoveryCodesLeft: 0,
  passkeys: [],
  sessions: [
    {
      id: 'a',
      createdDate: '2026-11-21T10:00:00Z',
      lastSeenDate: '2026-11-21T11:00:00Z',
      device: 'Chrome on Windows',
      address: '203.0.113.7',
      isCurrent: true,
    },
    {
      id: 'b',
      createdDate: '2026-11-20T10:00:00Z',
      lastSeenDate: '2026-11-20T11:00:00Z',
      device: 'Safari on iPhone',
      address: '',
      isCurrent: false,
    },
  ],
  daysUntilPasswordExpiration: 6,
  hasPassword: true,
  isManagedElsewhere: false,
};
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

test('the password rules are visible before anything is typed, and a wrong password is marked at its field', async () => {
  const asked = stubApi({
    'GET /api/users/profile': profile,
    'PUT /api/users/password': {
      refuse: 401,
      errorKey: 'WRONG_PASSWORD',
      message: 'Incorrect username or password.',
    },
  });
  show(<ProfilePage />);
  expect(await screen.findByText(/At least 8 characters, at most 128/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Current password'), 'not mine');
  await userEvent.type(screen.getByLabelText('New password'), 'short');
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
  expect(screen.getByText('Use at least 8 characters.')).toBeTruthy();
  expect(asked.some(({ route }) => route === 'PUT /api/users/password')).toBe(false);
  await userEvent.type(screen.getByLabelText('New password'), ' and then longer');
  await userEvent.type(screen.getByLabelText('Confirm new password'), 'short and then longer');
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
  const error = await screen.findByText('Incorrect password.');
  const field = screen.getByLabelText('Current password');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(field.getAttribute('aria-describedby')).toContain(error.id);
});

const elsewhere: Profile = {
  ...profile,
  hasPassword: false,
  isManagedElsewhere: true,
  daysUntilPasswordExpiration: null,
};
const sectionOf = (name: string) => screen.findByRole('region', { name });

test('users of single sign-on can set up no password, two-step verification or passkeys', async () => {
  stubApi({ 'GET /api/users/profile': elsewhere });
  show(<ProfilePage />);
  expect(await screen.findByText(/which manages the password/)).toBeTruthy();
  expect(screen.queryByLabelText('New password')).toBeNull();
  expect((await sectionOf('Two-step verification')).textContent).toContain(
    "Your organization's sign-in handles two-step verification.",
  );
  expect((await sectionOf('Passkeys')).textContent).toContain(
    "You sign in through your organization, so you can't add passkeys.",
  );
  expect(screen.queryByRole('button', { name: /passkey|two-step/i })).toBeNull();
});

test('an earlier two-step setup is unused under single sign-on, and a passkey can be removed', async () => {
  const passkeys = [
    { id: '1', name: 'work laptop', createdDate: '2026-11-20T10:00:00Z', lastUsedDate: '2026-11-20T10:00:00Z' },
  ];
  stubApi({ 'GET /api/users/profile': { ...elsewhere, mfaOptedIn: true, recoveryCodesLeft: 9, passkeys } });
  show(<ProfilePage />);
  const factor = await sectionOf('Two-step verification');
  expect(factor.textContent).toContain("The codes from the app that you set up here aren't asked for.");
  expect(within(factor).queryByRole('button')).toBeNull();
  const section = await sectionOf('Passkeys');
  expect(
    within(section)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Remove']);
});

test('a user without a password, after single sign-on has ended, is told how to set one', async () => {
  stubApi({ 'GET /api/users/profile': { ...elsewhere, isManagedElsewhere: false } });
  show(<ProfilePage />);
  expect((await sectionOf('Password')).textContent).toContain("You don't have a password yet.");
  expect(within(await sectionOf('Passkeys')).queryByText(/can't add passkeys/)).toBeNull();
});

test('setting up two-step verification shows the key, refuses a wrong code, and shows recovery codes until they are saved', async () => {
  stubApi({
    'GET /api/users/profile': profile,
    'GET /api/me': { refuse: 401, errorKey: 'NOT_SIGNED_IN', message: '' },
    'POST /api/users/optIntoMfa': {
      secret: 'JBSWY3DPEHPK3PXP',
      otpauthUrl: 'otpauth://x',
      qrCode: 'data:image/svg+xml,x',
    },
    'POST /api/users/mfa/confirm': ({ code }: { code: string }) =>
      code === '123456'
        ? { recoveryCodes: ['k1fd-9q2m', 'k2fd-9q2m'] }
        : { refuse: 401, errorKey: 'WRONG_CODE', message: 'This code is not right.' },
  });
  show(<ProfilePage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Set up two-step verification' }));
  expect(await screen.findByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy();
  const code = screen.getByLabelText(/Enter the code/);
  await userEvent.type(code, '000000');
  await userEvent.click(screen.getByRole('button', { name: 'Turn on' }));
  expect(await screen.findByText('This code is not right.')).toBeTruthy();
  await userEvent.clear(code);
  await userEvent.type(code, '123 456');
  await userEvent.click(screen.getByRole('button', { name: 'Turn on' }));
  expect(await screen.findByText('k2fd-9q2m')).toBeTruthy();
  const done = screen.getByRole('button', { name: 'Done' });
  expect(done.hasAttribute('disabled')).toBe(true);
  await userEvent.click(screen.getByLabelText("I've saved these codes"));
  await userEvent.click(done);
  expect(screen.queryByText('k2fd-9q2m')).toBeNull();
});

test('another session is ended after a question, the current one cannot be', async () => {
  const asked = stubApi({ 'GET /api/users/profile': profile, 'DELETE /api/users/sessions/:id': undefined });
  show(<ProfilePage />);
  const section = await screen.findByRole('region', { name: "Where you're signed in" });
  const ends = within(section).getAllByRole('button');
  expect(ends).toHaveLength(1);
  await userEvent.click(ends[0] as HTMLElement);
  await userEvent.click(await screen.findByRole('button', { name: 'End session' }));
  expect(await screen.findByText('Session ended.')).toBeTruthy();
  expect(asked.find(({ route }) => route.startsWith('DELETE'))?.path).toBe('/api/users/sessions/b');
});

test('density and shortcuts are saved on the server and apply immediately', async () => {
  const asked = stubApi({ 'GET /api/users/profile': profile, 'PUT /api/users/preferences': undefined });
  show(<ProfilePage />);
  queryClient.setQueryData(meQuery.queryKey, somebody({}, { preferences: profile.preferences }));
  await userEvent.click(await screen.findByLabelText('Compact'));
  await userEvent.click(screen.getByRole('switch', { name: /Single-key shortcuts/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save preferences' }));
  expect(await screen.findByText('Preferences saved.')).toBeTruthy();
  expect(asked.at(-1)?.body).toEqual({ timeZone: 'America/Chicago', density: 'compact', singleKeyShortcuts: false });
  expect(localStorage.getItem('tidings-density')).toBe('compact');
  expect(localStorage.getItem('tidings-single-key-shortcuts')).toBe('off');
});
