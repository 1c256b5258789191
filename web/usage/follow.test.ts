import { expect, test, vi } from 'vitest';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { follow } from './follow.ts';
import { legacyTarget } from './legacy-url.ts';

test('a page that does not exist, or not for this user, does not count as used', async () => {
  const called = serve({ 'GET /api/me': [200, somebody({}, { permissions: ['canViewPings'] })] });
  const router = openApp('/dashboard/whats-new');
  follow(router, null, legacyTarget);
  await vi.waitFor(() => expect(router.isIdle).toBe(true));
  for (const path of [
    '/dashboard/event-feed',
    '/dashboard/event-feed/nothing',
    '/inbox-of-old',
    '/dashboard/patients/7_8/care-team',
    '/hospital',
    '/dashboard/user-profile',
  ]) {
    await router.navigate({ to: path });
    await vi.waitFor(() => expect(router.isIdle).toBe(true));
  }
  const seen = () =>
    called.filter(({ body }) => body?.['name'] === 'page-viewed').map(({ body }) => body['currentLocation']);
  await vi.waitFor(() => expect(seen()).toContain('user profile'));
  expect(seen()).toEqual(['whats new', 'user profile']);
});

test('a legacy address that is opened in an open page is rewritten and recorded', async () => {
  const called = serve({ 'GET /api/me': [200, somebody({}, { permissions: ['canViewPings'] })] });
  const router = openApp('/dashboard/whats-new');
  follow(router, null, legacyTarget);
  await vi.waitFor(() => expect(router.isIdle).toBe(true));
  history.replaceState(null, '', '/dashboard/whats-new#/dashboard/user-profile?username=ana@lakeshore.example');
  window.dispatchEvent(new Event('hashchange'));
  await vi.waitFor(() => expect(router.location.pathname).toBe('/dashboard/user-profile'));
  const events = () => called.filter(({ body }) => body?.['name'] === 'legacy-url-redirected');
  await vi.waitFor(() =>
    expect(events()[0]).toMatchObject({
      body: { routes: ['/dashboard/whats-new#/dashboard/user-profile', '/dashboard/user-profile'] },
    }),
  );
  history.replaceState(null, '', '/#main');
  window.dispatchEvent(new Event('hashchange'));
  expect(router.location.pathname).toBe('/dashboard/user-profile');
  history.replaceState(null, '', '/');
});
