import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { EXPORT_POLL_EVERY } from '../exports/export-queries.ts';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { forgetAll } from '../ui/forget.ts';
import { trackPath } from '../usage/track.ts';
import { EXPORT_HISTORY_FAILED } from './use-recent-exports.ts';

const PAGE = '/dashboard/whats-new';
const MFA = 'Protect your account with two-step verification.';

test('there is no password warning at eight days, and no toast for users of single sign-on', async () => {
  const permissions = ['canViewMfaOptIn'];
  serve({ 'GET /api/me': [200, somebody({ isSSO: true }, { permissions, daysUntilPasswordExpiration: 8 })] });
  openApp(PAGE);
  await screen.findByRole('heading', { name: 'What’s new' });
  await act(() => new Promise((resolve) => setTimeout(resolve, 200)));
  expect(screen.queryByText(/Your password expires/)).toBeNull();
  expect(screen.queryByText(MFA)).toBeNull();
});

test('two-step verification is offered once, and showing and clicking the offer are recorded', async () => {
  const called = serve({ 'GET /api/me': [200, somebody({}, { permissions: ['canViewMfaOptIn'] })] });
  const router = openApp(PAGE);
  trackPath(PAGE);
  await userEvent.click(await screen.findByRole('button', { name: 'Set up' }));
  await waitFor(() => expect(router.location.pathname).toBe('/dashboard/user-profile'));
  const names = called.map(({ body }) => body.name);
  await waitFor(() => expect(called.map(({ body }) => body.name)).toContain('mfa-toast-clicked'));
  expect(names).toContain('mfa-toast-shown');
});

const closeApp = (): void => {
  cleanup();
  forgetAll();
  queryClient.clear();
};

test('two-step verification is offered once for each sign-in, not once for each tab', async () => {
  const me = somebody({}, { permissions: ['canViewMfaOptIn'], sessionEndsAt: '2030-01-01T12:00:00Z' });
  serve({ 'GET /api/me': [200, me] });
  openApp(PAGE);
  await screen.findByText(MFA);
  closeApp();
  openApp(PAGE);
  await screen.findByRole('heading', { name: 'What’s new' });
  await act(() => new Promise((resolve) => setTimeout(resolve, 200)));
  expect(screen.queryByText(MFA)).toBeNull();
  closeApp();
  serve({ 'GET /api/me': [200, { ...me, sessionEndsAt: '2030-01-02T12:00:00Z' }] });
  openApp(PAGE);
  await screen.findByText(MFA);
});

test('the password warning is shown from seven days on', async () => {
  serve({ 'GET /api/me': [200, somebody({}, { daysUntilPasswordExpiration: 7 })] });
  openApp(PAGE);
  expect(await screen.findByText(/Your password expires in 7 days/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Change it' }).getAttribute('href')).toBe('/dashboard/user-profile');
});

const job = (inProgress: boolean) => ({
  id: '1',
  name: 'a',
  modifiedAt: '2026-11-21T10:00Z',
  inProgress,
  failed: false,
});

test('a running export is polled every 30 seconds, in the background, until it is done', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let running = true;
  const called = serve({
    'GET /api/me': [200, somebody()],
    'GET /api/export/recent-export-jobs': () => [200, [job(running)]],
  });
  const polls = () => called.filter(({ route }) => route === 'GET /api/export/recent-export-jobs');
  openApp(PAGE);
  await waitFor(() => expect(polls()).toHaveLength(1));
  running = false;
  await act(() => vi.advanceTimersByTimeAsync(EXPORT_POLL_EVERY));
  expect(polls()).toHaveLength(2);
  expect(polls()[1]?.headers).toMatchObject({ 'x-tidings-background': '1' });
  expect(screen.getByText('Your export has completed and can be found in Recent Exports.')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(EXPORT_POLL_EVERY * 3));
  expect(polls()).toHaveLength(2);
  vi.useRealTimers();
});

test('a failed poll shows a warning', async () => {
  serve({
    'GET /api/me': [200, somebody()],
    'GET /api/export/recent-export-jobs': [500, { errorKey: 'INTERNAL' }],
  });
  openApp(PAGE);
  expect(await screen.findByText(EXPORT_HISTORY_FAILED)).toBeTruthy();
});
