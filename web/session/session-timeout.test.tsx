import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
// Loaded before the clock is faked: a jump of the clock while it loads would count as a timeout.
import './session-timeout.tsx';
import { openApp, serve, somebody } from '../testing/app.tsx';

const MINUTE = 60_000;
const PAGE = '/dashboard/whats-new?x=1';
beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());
const pass = (ms: number): Promise<unknown> => act(() => vi.advanceTimersByTimeAsync(ms));

const open = async () => {
  const called = serve({
    'GET /api/me': [200, somebody()],
    'POST /api/session/activity': [200, { endsAt: '2026-11-21T12:00Z' }],
  });
  const router = openApp(PAGE);
  await screen.findByRole('heading', { name: 'What’s new' });
  // The inactivity clock starts with the parts that load after the page, as this call does.
  await waitFor(() => expect(called.map(({ route }) => route)).toContain('GET /api/export/recent-export-jobs'));
  const notified = () => called.filter(({ route }) => route === 'POST /api/session/activity').length;
  return { called, router, notified };
};

test('the warning appears after 35 minutes, and any activity closes it and notifies the server immediately', async () => {
  const { notified } = await open();
  await pass(35 * MINUTE + 1000);
  expect(await screen.findByRole('dialog', { name: 'Your session is about to end' })).toBeTruthy();
  expect(screen.getByText('5 minutes')).toBeTruthy();
  expect(notified()).toBe(0);
  fireEvent.keyDown(window, { key: 'Shift' });
  await pass(1000);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(notified()).toBe(1);
});

test('after 40 minutes the content is gone, the session is ended, and sign-in can return to the page', async () => {
  const { called, router } = await open();
  await pass(40 * MINUTE + 2000);
  await waitFor(() => expect(router.location.pathname).toBe('/login'));
  expect(router.location.state).toMatchObject({ returnTo: PAGE, ended: true });
  expect(screen.queryByRole('heading', { name: 'What’s new' })).toBeNull();
  expect(called.map(({ route }) => route)).toContain('POST /api/logout');
  expect(await screen.findByText(/Your session has ended/)).toBeTruthy();
});
