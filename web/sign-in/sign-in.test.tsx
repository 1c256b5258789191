import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ERRORS } from '#contract/errors.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { catalogueMessage, maySignInElsewhere, redirectTarget } from './sign-in-steps.ts';

const type = async (username: string, password: string): Promise<void> => {
  await userEvent.type(await screen.findByLabelText('Username'), username);
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await userEvent.type(await screen.findByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
};

test('only a name with a dot and an at sign may sign in elsewhere', () => {
  expect(maySignInElsewhere('ana@lakeshore.example')).toBe(true);
  for (const name of ['ana', 'ana.lake', 'ana@lakeshore']) expect(maySignInElsewhere(name), name).toBe(false);
});

test('the username and the page to come back to go along to our own start only', () => {
  const sent = { username: 'ana@lakeshore.example', returnTo: '/dashboard?p=2' };
  expect(redirectTarget('/api/sso/oidc/1/start', sent)).toBe(
    `${location.origin}/api/sso/oidc/1/start?username=ana%40lakeshore.example&returnTo=%2Fdashboard%3Fp%3D2`,
  );
  expect(redirectTarget('/api/sso/oidc/1/start', { username: 'ana', returnTo: null })).toBe(
    `${location.origin}/api/sso/oidc/1/start?username=ana`,
  );
  expect(redirectTarget('https://sso.example/start', sent)).toBe('https://sso.example/start');
});

test('an error key in the address is worded by the catalogue, anything else is not shown', () => {
  expect(catalogueMessage('SSO_ERROR')).toBe('There is a problem with your account. Contact us at the support link.');
  for (const key of ['<b>', 'toString', 7, undefined]) expect(catalogueMessage(key), String(key)).toBeNull();
});

test('a plain username is asked for its password without a look-up', async () => {
  const called = serve({ 'POST /api/authenticate': [401, { errorKey: 'WRONG_PASSWORD' }] });
  openApp('/login');
  await type('ana', 'secret');
  expect(await screen.findByText(ERRORS.WRONG_PASSWORD[1], { exact: false })).toBeTruthy();
  expect(called.map(({ route }) => route)).not.toContain('POST /api/users/redirectUrl');
});

test.each(['USER_DISABLED', 'USER_NOT_ACTIVATED', 'LOCKED', 'PASSWORD_EXPIRED', 'USER_NOT_FOUND'] as const)(
  '%s is said in the words of the catalogue, with the support link',
  async (errorKey) => {
    serve({ 'POST /api/authenticate': [401, { errorKey }] });
    openApp('/login');
    await type('ana', 'secret');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(ERRORS[errorKey][1]));
    const speaksOfIt = ERRORS[errorKey][1].includes('the support link');
    const links = screen.queryAllByRole('link', { name: 'the support link' });
    expect(links.map((link) => link.getAttribute('href'))).toEqual(speaksOfIt ? ['https://help.tidings.example'] : []);
  },
);

test('a second factor and an expired password come before the page that was asked for', async () => {
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
  await type('ana', 'old secret');
  await userEvent.type(await screen.findByLabelText('Code'), '123 456');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  await userEvent.type(await screen.findByLabelText('New password'), 'a new secret');
  await userEvent.click(screen.getByRole('button', { name: 'Change the password' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/whats-new'));
  const bodyOf = (route: string) => called.find((one) => one.route === route)?.body;
  expect(bodyOf('POST /api/authenticate/mfa')).toEqual({ code: '123456' });
  expect(bodyOf('PUT /api/users/password')).toEqual({ currentPassword: 'old secret', newPassword: 'a new secret' });
});

test('the token of a mailed link leaves the address as soon as it is read, in the form of before too, and a second link counts', async () => {
  const called = serve({
    'GET /api/users/tokens/t2': [404, { errorKey: 'NOT_FOUND' }],
    'GET /api/users/tokens/t3': [404, { errorKey: 'NOT_FOUND' }],
  });
  const asked = () => called.map(({ route }) => route).filter((route) => route.startsWith('GET /api/users/tokens/'));
  history.replaceState(null, '', '/password/set#token=t2');
  openApp('/password/set#token=t2');
  expect(await screen.findByText(/^This link has been used before/)).toBeTruthy();
  expect(location.href).not.toContain('token');
  expect(asked()).toEqual(['GET /api/users/tokens/t2']);
  // Another link in the same window: the browser loads nothing anew.
  history.replaceState(null, '', '/password/set#token=t3');
  window.dispatchEvent(new HashChangeEvent('hashchange'));
  await waitFor(() => expect(asked()).toEqual(['GET /api/users/tokens/t2', 'GET /api/users/tokens/t3']));
  expect(location.href).not.toContain('token');
});

test('a mailed token is asked what it is for before its page is shown', async () => {
  const called = serve({
    'GET /api/users/tokens/t1': [
      200,
      {
        purpose: 'ACCOUNT_UNLOCK',
        username: 'ana@lakeshore.example',
        firstName: 'Ana',
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
  await userEvent.click(screen.getByRole('button', { name: 'Unlock the account' }));
  expect(screen.getByText('The password must not hold your username.')).toBeTruthy();
  expect(called.map(({ route }) => route)).not.toContain('POST /api/password/set');
  await userEvent.clear(screen.getByLabelText('New password'));
  await userEvent.type(screen.getByLabelText('New password'), 'something else');
  await userEvent.click(screen.getByRole('button', { name: 'Unlock the account' }));
  expect(await screen.findByText(ERRORS.PASSWORD_USED_BEFORE[1], { exact: false })).toBeTruthy();
});
