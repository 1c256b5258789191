import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Profile } from '#contract/users.ts';
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
      isCurrent: true,
    },
    {
      id: 'b',
      createdDate: '2026-11-20T10:00:00Z',
      lastSeenDate: '2026-11-20T11:00:00Z',
      device: 'Safari on iPhone',
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

test('the rules of a password stand before anything is typed, and a wrong one is told at its field', async () => {
  const asked = stubApi({
    'GET /api/users/profile': profile,
    'PUT /api/users/password': {
      refuse: 401,
      errorKey: 'WRONG_PASSWORD',
      message: 'The username or password is not right.',
    },
  });
  show(<ProfilePage />);
  expect(await screen.findByText(/At least 8 characters, at most 128/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Current password'), 'not mine');
  await userEvent.type(screen.getByLabelText('New password'), 'short');
  await userEvent.click(screen.getByRole('button', { name: 'Change the password' }));
  expect(screen.getByText('A password has at least 8 characters.')).toBeTruthy();
  expect(asked.some(({ route }) => route === 'PUT /api/users/password')).toBe(false);
  await userEvent.type(screen.getByLabelText('New password'), ' and then longer');
  await userEvent.type(screen.getByLabelText('New password again'), 'short and then longer');
  await userEvent.click(screen.getByRole('button', { name: 'Change the password' }));
  const error = await screen.findByText('This is not your current password.');
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

test('who signs in elsewhere is told so instead of a password, a second factor and passkeys', async () => {
  stubApi({ 'GET /api/users/profile': elsewhere });
  show(<ProfilePage />);
  expect(await screen.findByText(/which manages the password/)).toBeTruthy();
  expect(screen.queryByLabelText('New password')).toBeNull();
  expect((await sectionOf('Second factor')).textContent).toContain('asks for a second factor where it wants one');
  expect((await sectionOf('Passkeys')).textContent).toContain('Your organisation signs you in, so no passkey does.');
  expect(screen.queryByRole('button', { name: /passkey|second factor/i })).toBeNull();
});

test('what was set up before the organisation signed in is said to rest, and a passkey can be removed', async () => {
  const passkeys = [
    { id: '1', name: 'work laptop', createdDate: '2026-11-20T10:00:00Z', lastUsedDate: '2026-11-20T10:00:00Z' },
  ];
  stubApi({ 'GET /api/users/profile': { ...elsewhere, mfaOptedIn: true, recoveryCodesLeft: 9, passkeys } });
  show(<ProfilePage />);
  const factor = await sectionOf('Second factor');
  expect(factor.textContent).toContain('The code that you had set up is not asked for meanwhile.');
  expect(within(factor).queryByRole('button')).toBeNull();
  const section = await sectionOf('Passkeys');
  expect(
    within(section)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Remove']);
});

test('who has no password since the organisation stopped signing in is told how to get one', async () => {
  stubApi({ 'GET /api/users/profile': { ...elsewhere, isManagedElsewhere: false } });
  show(<ProfilePage />);
  expect((await sectionOf('Password')).textContent).toContain('You have no password yet.');
  expect(within(await sectionOf('Passkeys')).queryByText(/no passkey does/)).toBeNull();
});

test('a second factor shows its secret, refuses a wrong code, and shows recovery codes until they are kept', async () => {
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
  await userEvent.click(await screen.findByRole('button', { name: 'Set up a second factor' }));
  expect(await screen.findByText('JBSW Y3DP EHPK 3PXP')).toBeTruthy();
  const code = screen.getByLabelText(/Enter the code/);
  await userEvent.type(code, '000000');
  await userEvent.click(screen.getByRole('button', { name: 'Turn it on' }));
  expect(await screen.findByText('This code is not right.')).toBeTruthy();
  await userEvent.clear(code);
  await userEvent.type(code, '123 456');
  await userEvent.click(screen.getByRole('button', { name: 'Turn it on' }));
  expect(await screen.findByText('k2fd-9q2m')).toBeTruthy();
  const done = screen.getByRole('button', { name: 'Done' });
  expect(done.hasAttribute('disabled')).toBe(true);
  await userEvent.click(screen.getByLabelText('I have kept these codes'));
  await userEvent.click(done);
  expect(screen.queryByText('k2fd-9q2m')).toBeNull();
});

test('another session is ended after a question, this one never', async () => {
  const asked = stubApi({ 'GET /api/users/profile': profile, 'DELETE /api/users/sessions/:id': undefined });
  show(<ProfilePage />);
  const section = await screen.findByRole('region', { name: 'Where you are signed in' });
  const ends = within(section).getAllByRole('button');
  expect(ends).toHaveLength(1);
  await userEvent.click(ends[0] as HTMLElement);
  await userEvent.click(await screen.findByRole('button', { name: 'End the session' }));
  expect(await screen.findByText('The session was ended.')).toBeTruthy();
  expect(asked.find(({ route }) => route.startsWith('DELETE'))?.path).toBe('/api/users/sessions/b');
});

test('density and shortcuts are kept on the server and hold at once', async () => {
  const asked = stubApi({ 'GET /api/users/profile': profile, 'PUT /api/users/preferences': undefined });
  show(<ProfilePage />);
  await userEvent.click(await screen.findByLabelText('Compact'));
  await userEvent.click(screen.getByRole('switch', { name: /Single-key shortcuts/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save the preferences' }));
  expect(await screen.findByText('Your preferences were saved.')).toBeTruthy();
  expect(asked.at(-1)?.body).toEqual({ timeZone: 'America/Chicago', density: 'compact', singleKeyShortcuts: false });
  expect(localStorage.getItem('tidings-density')).toBe('compact');
  expect(localStorage.getItem('tidings-single-key-shortcuts')).toBe('off');
});

test('a number is confirmed by its code; the number is not asked back from the server', async () => {
  const asked = stubApi({
    'GET /api/users/profile': profile,
    'POST /api/users/notification-phone': { notificationPhone: 'opaque-1' },
    'POST /api/users/notification-phone/verify': undefined,
  });
  show(<ProfilePage />);
  await userEvent.type(await screen.findByLabelText('Mobile number'), '(312) 555-0142');
  await userEvent.click(screen.getByRole('button', { name: 'Send a code' }));
  await userEvent.type(await screen.findByLabelText('Code from the text message'), '424242');
  await userEvent.click(screen.getByRole('button', { name: 'Confirm the number' }));
  expect(await screen.findByText('Your notification number is confirmed.')).toBeTruthy();
  expect(asked.find(({ route }) => route.endsWith('/verify'))?.body).toEqual({
    notificationPhone: 'opaque-1',
    code: '424242',
  });
});
