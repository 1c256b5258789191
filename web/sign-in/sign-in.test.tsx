import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ERRORS } from '#contract/errors.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { catalogueMessage, maySignInElsewhere, redirectTarget } from './sign-in-steps.ts';

const enterCredentials = async (username: string, password: string): Promise<void> => {
  await userEvent.type(await screen.findByLabelText('Username'), username);
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await userEvent.type(await screen.findByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
};

test('only a username with a dot and an at sign is looked up for single sign-on', () => {
  expect(maySignInElsewhere('ana@lakeshore.example')).toBe(true);
  for (const name of ['ana', 'ana.lake', 'ana@lakeshore']) expect(maySignInElsewhere(name), name).toBe(false);
});

test('the username and the return path are added to URLs of this site only', () => {
  const sent = { username: 'ana@lakeshore.example', returnTo: '/dashboard?p=2' };
  expect(redirectTarget('/api/sso/oidc/1/start', sent)).toBe(
    `${location.origin}/api/sso/oidc/1/start?username=ana%40lakeshore.example&returnTo=%2Fdashboard%3Fp%3D2`,
  );
  expect(redirectTarget('/api/sso/oidc/1/start', { username: 'ana', returnTo: null })).toBe(
    `${location.origin}/api/sso/oidc/1/start?username=ana`,
  );
  expect(redirectTarget('https://sso.example/start', sent)).toBe('https://sso.example/start');
});

test('an error key in the address shows its message, anything else is ignored', () => {
  expect(catalogueMessage('SSO_ERROR')).toBe('There is a problem with your account. Contact us at the support link.');
  for (const key of ['<b>', 'toString', 7, undefined]) expect(catalogueMessage(key), String(key)).toBeNull();
});

test('a plain username goes to the password without a lookup', async () => {
  const called = serve({ 'POST /api/authenticate': [401, { errorKey: 'WRONG_PASSWORD' }] });
  openApp('/login');
  await enterCredentials('ana', 'secret');
  expect(await screen.findByText(ERRORS.WRONG_PASSWORD[1], { exact: false })).toBeTruthy();
  expect(called.map(({ route }) => route)).not.toContain('POST /api/users/redirectUrl');
});

test.each(['USER_DISABLED', 'USER_NOT_ACTIVATED', 'LOCKED', 'PASSWORD_EXPIRED', 'USER_NOT_FOUND'] as const)(
  '%s shows its message, with the support link',
  async (errorKey) => {
    serve({ 'POST /api/authenticate': [401, { errorKey }] });
    openApp('/login');
    await enterCredentials('ana', 'secret');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(ERRORS[errorKey][1]));
    const mentionsLink = ERRORS[errorKey][1].includes('the support link');
    const links = screen.queryAllByRole('link', { name: 'the support link' });
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      mentionsLink ? ['https://help.tidings.example'] : [],
    );
  },
);

test('two-step verification and an expired password come before the requested page', async () => {
  let signedIn = false;
  const called = serve({
    'GET /api/me': () => (signedIn ? [200, somebody()] : [401, { errorKey: 'NOT_SIGNED_IN' }]),
    'POST /api/authenticate': [200, { next: 'mfa' }],
    'POST /api/authenticate/mfa': [200, { next: 'change-password' }],
    'PUT /api/users/password': () => {
      signedIn = true;
      return [204];
    },
  });
  const router = openApp('/dashboard/whats-new');
  await enterCredentials('ana', 'old secret');
  await userEvent.type(await screen.findByLabelText('Verification code'), '123 456');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  await userEvent.type(await screen.findByLabelText('New password'), 'a new secret');
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
  await waitFor(() => expect(router.location.pathname).toBe('/dashboard/whats-new'));
  const bodyOf = (route: string) => called.find((one) => one.route === route)?.body;
  expect(bodyOf('POST /api/authenticate/mfa')).toEqual({ code: '123456' });
  expect(bodyOf('PUT /api/users/password')).toEqual({ currentPassword: 'old secret', newPassword: 'a new secret' });
});

test('the token of an emailed link is removed from the address, and a second link in the same window is read too', async () => {
  const called = serve({
    'GET /api/users/tokens/t2': [404, { errorKey: 'NOT_FOUND' }],
    'GET /api/users/tokens/t3': [404, { errorKey: 'NOT_FOUND' }],
  });
  const asked = () => called.map(({ route }) => route).filter((route) => route.startsWith('GET /api/users/tokens/'));
  history.replaceState(null, '', '/password/set#token=t2');
  openApp('/password/set#token=t2');
  expect(await screen.findByText('This link has expired or was already used.')).toBeTruthy();
  expect(location.href).not.toContain('token');
  expect(asked()).toEqual(['GET /api/users/tokens/t2']);
  // Another link in the same window doesn't reload the page.
  history.replaceState(null, '', '/password/set#token=t3');
  window.dispatchEvent(new HashChangeEvent('hashchange'));
  await waitFor(() => expect(asked()).toEqual(['GET /api/users/tokens/t2', 'GET /api/users/tokens/t3']));
  expect(location.href).not.toContain('token');
});

test('the link of an account that its organization signs in by now leads to sign-in', async () => {
  serve({ 'GET /api/users/tokens/t4': [409, { errorKey: 'MANAGED_ELSEWHERE' }] });
  history.replaceState(null, '', '/password/set#token=t4');
  openApp('/password/set#token=t4');
  const onward = await screen.findByRole('link', { name: 'Continue to sign-in' });
  expect(onward.getAttribute('href')).toBe('/login');
  expect(screen.queryByLabelText(/password/i)).toBeNull();
  expect(screen.queryByRole('link', { name: 'Request a new link' })).toBeNull();
});

test('the purpose of an emailed token is looked up before its page is shown', async () => {
  const called = serve({
    'GET /api/users/tokens/t1': [
      200,
      {
        purpose: 'ACCOUNT_UNLOCK',
        username: 'ana@lakeshore.example',
        firstName: 'Ana',
        passkeys: [],
        devices: [],
        expiresAt: '2026-11-24T10:00Z',
      },
    ],
    'POST /api/password/set': [400, { errorKey: 'PASSWORD_USED_BEFORE' }],
  });
  history.replaceState(null, '', '/password/set?token=t1');
  openApp('/password/set?token=t1');
  expect(await screen.findByRole('heading', { name: 'Unlock your account' })).toBeTruthy();
  expect(location.search).toBe('');
  await userEvent.type(screen.getByLabelText('New password'), 'xx ana xx');
  await userEvent.click(screen.getByRole('button', { name: 'Unlock account' }));
  expect(screen.getByText(ERRORS.PASSWORD_HOLDS_USERNAME[1])).toBeTruthy();
  expect(called.map(({ route }) => route)).not.toContain('POST /api/password/set');
  await userEvent.clear(screen.getByLabelText('New password'));
  await userEvent.type(screen.getByLabelText('New password'), 'something else');
  await userEvent.click(screen.getByRole('button', { name: 'Unlock account' }));
  expect(await screen.findByText(ERRORS.PASSWORD_USED_BEFORE[1], { exact: false })).toBeTruthy();
});
