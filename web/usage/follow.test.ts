import { expect, test, vi } from 'vitest';
import { openApp, serve, somebody } from '../testing/app.tsx';
import { follow } from './follow.ts';

test('a page that does not exist, or not for this user, does not count as used', async () => {
  const called = serve({ 'GET /api/me': [200, somebody({}, { permissions: ['canViewPings'] })] });
  const router = openApp('/dashboard/whats-new');
  follow(router, null);
  await vi.waitFor(() => expect(router.state.status).toBe('idle'));
  for (const path of [
    '/dashboard/event-feed',
    '/dashboard/patients/7_8/care-team',
    '/hospital',
    '/dashboard/user-profile',
  ]) {
    await router.navigate({ to: path });
    await vi.waitFor(() => expect(router.state.status).toBe('idle'));
  }
  const seen = () =>
    called.filter(({ body }) => body?.['name'] === 'page-viewed').map(({ body }) => body['currentLocation']);
  await vi.waitFor(() => expect(seen()).toContain('user profile'));
  expect(seen()).toEqual(['user profile']);
});
