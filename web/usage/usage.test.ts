import { beforeEach, expect, test, vi } from 'vitest';
import type { Me } from '#contract/accounts.ts';
import { locationOf } from '#contract/usage-locations.ts';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';

const me = (changes: Partial<Me> = {}): Me => ({
  daysUntilPasswordExpiration: 60,
  previousSuccessfulLogin: '2026-11-20T08:00:00Z',
  numberSuccessfulLogins: 7,
  mfaOptedIn: false,
  defaultTeam: null,
  preferences: DEFAULT_PREFERENCES,
  defaultFilters: [],
  sessionEndsAt: '2999-01-01T00:00:00Z',
  inactivityMinutes: 40,
  draftKey: 'k',
  user: { username: 'ana@lakeshore.example' } as Me['user'],
  ...changes,
});
let sent: [path: string, body: Record<string, unknown>][] = [];
let answer: () => Promise<Response> = async () => new Response(null, { status: 204 });

beforeEach(() => {
  sent = [];
  answer = async () => new Response(null, { status: 204 });
  sessionStorage.clear();
  vi.resetModules();
  vi.stubGlobal('fetch', (path: string, { body }: { body: string }) => {
    sent.push([path, JSON.parse(body)]);
    return answer();
  });
});
const sendAll = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test('every tracked location is found by its path, in any experience', () => {
  expect(locationOf('/hospital')).toBe('patient roster');
  expect(locationOf('/dashboard/patients/my-patients')).toBe('patient roster');
  expect(locationOf('/ehr/inbox')).toBe('ping feed');
  expect(locationOf('/dashboard/home/inbox')).toBe('ping feed');
  expect(locationOf('/dashboard/patients/7_8')).toBe('patient story');
  expect(locationOf('/dashboard/patients/7_8/case-management')).toBe('case management');
  expect(locationOf('/hospital/analytics/readmissions')).toBe('analytics readmissions');
  expect(locationOf('/login')).toBe('login');
  expect(locationOf('/ehr/admin/users')).toBe('admin');
  expect(locationOf('/dashboard/feeds')).toBe('feeds');
  expect(locationOf('/dashboard/rosters')).toBe('rosters');
  expect(locationOf('/dashboard/exports')).toBe('exports');
  expect(locationOf('/dashboard/whats-new')).toBe('whats new');
  expect(locationOf('/permissions-error')).toBeNull();
});

test('a login event carries the last login, and whether it is the first', async () => {
  const { trackLogin } = await import('./track.ts');
  trackLogin(me({ numberSuccessfulLogins: 1 }));
  await sendAll();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject([
    '/api/user-events',
    {
      name: 'login',
      username: 'ana@lakeshore.example',
      params: { lastLogin: '2026-11-20T08:00:00Z', isFirstLogin: true, mfaOptedIn: false },
      viewportResolution: `${window.innerWidth}x${window.innerHeight}`,
    },
  ]);
});

test('a page view carries both locations, and the time since the previous event', async () => {
  const { trackLogin, trackPath } = await import('./track.ts');
  trackLogin(me());
  trackPath('/dashboard/home/inbox');
  trackPath('/dashboard/home/inbox', '?p=2');
  trackPath('/dashboard/patients/7_8', '?notificationUuid=u-1&notificationModality=email');
  await sendAll();
  expect(sent.map(([, { name }]) => name)).toEqual(['login', 'page-viewed', 'page-viewed']);
  expect(sent[2]?.[1]).toMatchObject({
    previousLocation: 'ping feed',
    currentLocation: 'patient story',
    msElapsedSinceLastEvent: expect.any(Number),
    notificationUuid: 'u-1',
    notificationModality: 'email',
  });
});

test('an event without a username waits for the next sign-in', async () => {
  const { track, trackLogin } = await import('./track.ts');
  track('legacy-url-redirected', { routes: ['#/dashboard', '/dashboard'] });
  expect(sent).toHaveLength(0);
  trackLogin(me());
  await sendAll();
  expect(sent[0]?.[1]).toMatchObject({ name: 'legacy-url-redirected', routes: ['#/dashboard', '/dashboard'] });
});

test('before sign-in, an event with a username is sent to the public route', async () => {
  const { track } = await import('./track.ts');
  track('legacy-url-redirected', { routes: [], username: 'kofi@lakeshore.example' });
  expect(sent[0]?.[0]).toBe('/api/user-events/public');
});

test('an event that got no answer is sent after the page is loaded again', async () => {
  answer = async () => Promise.reject(new TypeError('Failed to fetch'));
  const first = await import('./track.ts');
  first.trackLogin(me());
  await sendAll();
  answer = async () => new Response(null, { status: 204 });
  vi.resetModules();
  const second = await import('./track.ts');
  second.trackLogin(me());
  await sendAll();
  expect(sent.map(([, { name }]) => name)).toEqual(['login', 'login', 'login']);
});

test('a waiting event of one user is not sent for another', async () => {
  const first = await import('./track.ts');
  first.trackLogin(me());
  answer = () => Promise.reject(new TypeError('offline'));
  first.track('mfa-toast-shown');
  await sendAll();
  vi.resetModules();
  answer = async () => new Response(null, { status: 204 });
  sent = [];
  const second = await import('./track.ts');
  second.trackLogin(me({ user: { ...me().user, username: 'bea@lakeshore.example' } }));
  await sendAll();
  expect(sent.map(([, { name, username }]) => [name, username])).toEqual([['login', 'bea@lakeshore.example']]);
});

test('the page that a notification’s link leads to carries the notification, and the next page does not', async () => {
  const { noteNotification, trackLogin, trackPath } = await import('./track.ts');
  trackLogin(me());
  noteNotification('u-2', 'TEXT');
  trackPath('/dashboard/home/inbox/active-filter-id/3');
  trackPath('/dashboard/patients/7_8');
  await sendAll();
  expect(sent[1]?.[1]).toMatchObject({
    currentLocation: 'ping feed',
    notificationUuid: 'u-2',
    notificationModality: 'TEXT',
  });
  expect(sent[2]?.[1]).not.toHaveProperty('notificationUuid');
});

test('what waits for the first page runs once it is known, and at once from then on', async () => {
  const { trackPath, whenPageIsKnown } = await import('./track.ts');
  const ran: string[] = [];
  whenPageIsKnown(() => ran.push('early'));
  expect(ran).toEqual([]);
  trackPath('/dashboard/home/inbox');
  whenPageIsKnown(() => ran.push('late'));
  expect(ran).toEqual(['early', 'late']);
});
