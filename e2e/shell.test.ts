import type { Page } from '@playwright/test';
import { sql } from '#server/platform/database/sql.ts';
import { expectAccessible } from './accessible.ts';
import { detail, endSession, rowOf } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import type { Person } from './people.ts';
import { errorsOf, usageEvent, usageOf } from './queries.ts';
import { signInTo } from './scene.ts';
import { runningServer, WIDGET_SCRIPT, WIDGET_URL } from './start-server.ts';

const MFA = 'Protect your account with two-step verification.';
const DAY = 86_400_000;

/** A toast, by its text. */
const toast = (page: Page, words: string | RegExp, role: 'status' | 'alert' = 'status') =>
  page.getByRole(role).filter({ hasText: words, has: page.getByRole('button', { name: 'Close this message' }) });

test('each role is offered the pages that it may open, under the base of its experience', async ({ scene, open }) => {
  const expectOffered = async (page: Page, paths: string[]) => {
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('listitem').getByRole('link');
    await expect(links).toHaveCount(paths.length);
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(paths);
  };
  const administrator = await open(await scene.user('administrator'));
  await expectOffered(
    administrator,
    [
      'home/inbox',
      'patients/my-patients',
      'rising-risk',
      'length-of-stay',
      'event-feed',
      'analytics',
      'rosters',
      'exports',
      'feeds',
      'admin',
    ].map((path) => `/dashboard/${path}`),
  );
  const clinician = await scene.user('clinician', { applicationExperience: 'ANAHIT', primaryClinicalSetting: 'ED' });
  await expectOffered(await open(clinician, '/'), [
    '/hospital/home/inbox',
    '/hospital',
    '/hospital/length-of-stay',
    '/hospital/event-feed',
    '/hospital/exports',
  ]);
  await expectOffered(await open(await scene.user('analyst'), '/'), [
    '/dashboard/patients/my-patients',
    '/dashboard/length-of-stay',
    '/dashboard/event-feed',
    '/dashboard/analytics',
    '/dashboard/exports',
  ]);
  // A truncated name has a tooltip.
  await administrator.setViewportSize({ width: 390, height: 844 });
  await expect(administrator.getByTitle(scene.team.name)).toBeVisible();
});

test('switching teams remounts the whole application, and the team is kept for the next visit', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const second = await scene.make.team({ organizationId: scene.team.organizationId, name: `Late ${scene.team.name}` });
  const user = await scene.user('care coordinator', { defaultTeamId: scene.team.id });
  await scene.grant(user, second.id, 'viewer');
  const page = await open(user);
  await rowOf(page, ann).click();
  await expect(detail(page).getByRole('button', { name: 'Resolve' })).toBeVisible();
  await page
    .getByRole('banner')
    .first()
    .evaluate((header) => header.setAttribute('data-before', ''));
  await page.getByRole('button', { name: `Team ${scene.team.name}. Switch team` }).click();
  await page.getByRole('menuitemradio', { name: second.name }).click();
  await expect(page.getByText('No patients yet.')).toBeVisible();
  await expect(page.locator('header[data-before]')).toHaveCount(0);
  await expect(page).toHaveURL('/dashboard/home/inbox');
  await page.goto('/dashboard/user-profile');
  await expect(page.getByLabel('Default team')).toHaveValue(second.id);
});

/** Forgets that two-step verification was offered, and that there was an error. */
const CLEAR = 'sessionStorage.clear(); localStorage.removeItem("tidings-mfa-toast-over")';

test('toasts are 10rem from the top, stacked, for ten seconds, and longer under the pointer', async ({
  scene,
  open,
  complaints,
  db,
}) => {
  complaints.expect(/status of 500 .*recent-export-jobs$/);
  const user = await scene.user('care coordinator');
  const page = await open(user, '/dashboard/whats-new');
  await expect(toast(page, MFA)).toBeVisible();
  await page.evaluate(CLEAR);
  await page.context().clock.install();
  await page.route('**/api/export/recent-export-jobs', (route) =>
    route.fulfill({ status: 500, json: { status: 500, errorKey: 'INTERNAL', message: 'No.', requestId: 'r-500' } }),
  );
  await page.reload();
  const info = toast(page, MFA);
  const warning = toast(page, 'There was an error getting your recent exports.', 'alert');
  await expect(info).toBeVisible();
  await expect(warning).toBeVisible();
  const boxes = [await info.boundingBox(), await warning.boundingBox()].sort((a, b) => (a?.y ?? 0) - (b?.y ?? 0));
  expect(boxes[0]?.y).toBe(160);
  expect(boxes[0]?.width).toBeGreaterThanOrEqual(512);
  expect(boxes[1]?.y).toBeGreaterThanOrEqual((boxes[0]?.y ?? 0) + (boxes[0]?.height ?? 0));
  await warning.hover();
  await page.clock.fastForward(4000);
  await expect(info).toBeVisible();
  await page.clock.fastForward(6500);
  await expect(info).toHaveCount(0);
  await expect(warning).toBeVisible();
  await page.mouse.move(10, 10);
  await page.clock.fastForward(10_500);
  await expect(warning).toHaveCount(0);

  expect(await usageEvent(db, user, 'mfa-toast-shown')).toMatchObject({ params: {} });
  const reported = (await errorsOf(db, user)).find(({ kind }) => kind === 'api_call_failed');
  expect(reported).toMatchObject({ requestId: 'r-500', message: 'GET /api/export/recent-export-jobs INTERNAL' });
});

test('two-step verification is offered once for each sign-in, in one tab, and leads to the profile', async ({
  scene,
  open,
  db,
}) => {
  const user = await scene.user('clinician', { applicationExperience: 'ANAHIT', primaryClinicalSetting: 'ED' });
  const page = await open(user, '/hospital/whats-new');
  await expect(toast(page, MFA)).toBeVisible();
  // An event that a reload interrupts is sent again.
  await usageEvent(db, user, 'mfa-toast-shown');
  await page.reload();
  await untilLive(page);
  await expect(toast(page, MFA)).toHaveCount(0);
  const other = await page.context().newPage();
  await other.goto('/hospital/whats-new');
  await untilLive(other);
  await expect(toast(other, MFA)).toHaveCount(0);
  await other.close();
  await signInTo(page.context().request, user.username);
  await page.reload();
  await toast(page, MFA).getByRole('button', { name: 'Set up' }).click();
  await expect(page).toHaveURL('/hospital/user-profile');
  await usageEvent(db, user, 'mfa-toast-clicked');
  const timesShown = async () => (await usageOf(db, user)).filter(({ name }) => name === 'mfa-toast-shown').length;
  await expect.poll(timesShown).toBe(2);

  // After an error page it isn't offered.
  await page.evaluate(CLEAR);
  await page.goto('/error');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Go To Home Page' }).click();
  await usageEvent(db, user, 'error-page-loaded');
  await expect(toast(page, MFA)).toHaveCount(0);

  await db.query(sql`update users set mfa_opted_in = true where id = ${user.id}`);
  await page.evaluate(CLEAR);
  await page.goto('/hospital/whats-new');
  await untilLive(page);
  await usageEvent(db, user, 'login');
  await expect(toast(page, MFA)).toHaveCount(0);
});

test('each page warns of a password that expires within seven days', async ({ scene, open, db }) => {
  const user = await scene.user('viewer');
  const expireIn = (days: number) =>
    db.query(
      sql`update users set password_changed_at = ${new Date(Date.now() - (90 - days) * DAY - 3_600_000)} where id = ${user.id}`,
    );
  await expireIn(8);
  const page = await open(user);
  await untilLive(page);
  const banner = page.getByRole('note').filter({ hasText: 'Your password expires' });
  await expect(banner).toHaveCount(0);
  await expireIn(7);
  await page.reload();
  await expect(banner).toContainText('Your password expires in 7 days.');
  await expect(banner.getByRole('img', { name: 'Warning' })).toBeVisible();
  await banner.getByRole('link', { name: 'Change it' }).click();
  await expect(page).toHaveURL('/dashboard/user-profile');
  await expect(banner).toBeVisible();
});

test('a running export is polled every 30 seconds, and its end is announced', async ({ scene, open, db }) => {
  const user = await scene.user('viewer');
  const page = await open(user, '/dashboard/whats-new');
  await db.query(sql`
    insert into export_jobs (user_id, name, created_at, modified_at, in_progress, failed)
    values (${user.id}, 'Encounters', now(), now(), true, false)`);
  await page.context().clock.install();
  let polls = 0;
  page.on('response', (answer) => {
    if (answer.url().endsWith('/recent-export-jobs')) polls += 1;
  });
  await page.reload();
  await expect.poll(() => polls).toBe(1);
  // The clock also runs by itself: a slow machine must not reach 30 s.
  await page.clock.fastForward(15_000);
  expect(polls).toBe(1);
  await page.clock.fastForward(15_500);
  await expect.poll(() => polls).toBe(2);
  await db.query(sql`update export_jobs set in_progress = false, modified_at = now() where user_id = ${user.id}`);
  await page.clock.fastForward(30_500);
  await expect(toast(page, 'Your export has completed and can be found in Recent Exports.')).toBeVisible();
  await page.clock.fastForward(60_000);
  expect(polls).toBe(3);
});

test('a support widget gets all of its data, may reach its own origin, and does no harm when it fails', async ({
  page,
  scene,
  complaints,
  db,
}) => {
  complaints.expect(/status of 404 .*widget\.js$|Failed to find a valid digest/);
  const base = runningServer().urlWithWidget;
  const user = await scene.user('care coordinator', { title: 'RN', userTypeTitle: 'Nurse' });
  const answer = await page.context().request.post(`${base}/api/authenticate`, {
    data: { username: user.username, password: scene.password },
  });
  expect(answer.status()).toBe(200);
  const asked: string[] = [];
  let script = WIDGET_SCRIPT;
  await page.route('https://support.example/**', (route) => {
    asked.push(route.request().url());
    if (route.request().url() !== WIDGET_URL)
      return route.fulfill({ body: '{}', headers: { 'access-control-allow-origin': '*' } });
    return route.fulfill({
      contentType: 'text/javascript',
      body: script,
      headers: { 'access-control-allow-origin': '*' },
    });
  });
  const headers = { 'x-ping-team-id': scene.team.id };
  const fields = { name: 'Mine' };
  const kept = await page.context().request.post(`${base}/api/patient-search-params`, { headers, data: fields });
  expect([200, 201]).toContain(kept.status());
  // No page with patients loads it.
  await page.goto(`${base}/dashboard/home/inbox`);
  await page.getByRole('link', { name: 'What’s new' }).click();
  await expect(page).toHaveURL(/\/whats-new$/);
  await expect.poll(() => page.evaluate('window.seen')).toBeTruthy();
  const seen = await page.evaluate<Record<string, unknown>>('window.seen');
  const unix = expect.any(Number);
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  expect(seen).toEqual({
    name: 'Ama Osei',
    firstName: 'Ama',
    lastName: 'Osei',
    email: user.username.toLowerCase(),
    title: 'RN',
    type: 'PROGRAM',
    createdAt: instant,
    createdAtUnix: unix,
    lastLogin: null,
    lastLoginUnix: null,
    firstLogin: instant,
    firstLoginUnix: unix,
    isAdmittingFacility: false,
    isAutomated: false,
    canViewPings: true,
    groupIds: scene.group.id,
    groupNames: scene.group.name,
    groupTypes: 'PROGRAM',
    groupStates: '',
    currentTeam: scene.team.id,
    team: scene.team.name,
    allTeams: scene.team.name,
    userTitle: 'Nurse',
    orgName: expect.stringContaining('Lakeside Care'),
    orgId: scene.team.organizationId,
    orgCreated: instant,
    orgCreatedUnix: unix,
    inHospital: false,
    hasLegacyNotifications: false,
    hasSavedFiltersSetup: true,
    hasFilterNotificationsSetup: false,
    websessions: 1,
    userCouncilParticipant: false,
    launcherSelector: '#product-updates',
    customerType: 'default',
  });
  await expect.poll(() => asked).toContain('https://support.example/hello');
  await expect.poll(() => asked).toContain('https://support.example/badge.png');
  await page.getByRole('button', { name: 'What’s new' }).click();
  expect(await page.evaluate('window.opened')).toBe(true);
  await page.getByRole('link', { name: 'Pings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pings' })).toBeVisible();
  expect(await page.evaluate('window.seen')).toBeUndefined();

  // A script that has changed is not run.
  script = `${WIDGET_SCRIPT} // changed`;
  await page.goto(`${base}/dashboard/user-profile`);
  const kinds = async () => (await errorsOf(db, user)).map(({ kind }) => kind);
  await expect.poll(kinds).toEqual(['third_party_application']);
  expect(await page.evaluate('window.seen')).toBeUndefined();

  await page.unroute('https://support.example/**');
  await page.route('https://support.example/**', (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await expect.poll(kinds).toEqual(['third_party_application', 'third_party_application']);
});

test('without a widget, product updates have their own page', async ({ scene, open }) => {
  const page = await open(await scene.user('viewer'));
  await page.getByRole('link', { name: 'What’s new' }).click();
  await expect(page).toHaveURL('/dashboard/whats-new');
  await expect(page.getByRole('heading', { level: 1, name: 'What’s new' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  await expectAccessible(page, 'what is new');
});

test('usage events carry every field, and errors in the browser are reported by kind', async ({
  scene,
  open,
  complaints,
  db,
}) => {
  complaints.expect(/status of 401|Error: unexpected|SyntaxError/);
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const user = await scene.user('care coordinator');
  const page = await open(user);
  const login = await usageEvent(db, user, 'login');
  expect(login).toEqual({
    timezone: 'America/New_York',
    currentLocation: expect.anything(),
    previousLocation: null,
    msElapsedSinceLastEvent: expect.anything(),
    viewportResolution: '1440x900',
    routes: null,
    params: { lastLogin: null, isFirstLogin: true, mfaOptedIn: false },
  });
  await rowOf(page, ann).click();
  await detail(page).getByRole('button', { name: 'Mark in progress' }).click();
  const changed = await usageEvent(db, user, 'ping-status-changed');
  const patientId = (await rowOf(page, ann).getAttribute('id'))?.slice('ping-'.length);
  expect(changed.params).toEqual({
    patientId,
    eventIdentifier: expect.stringMatching(/^\d+$/),
    eventCode: 'ADMIT',
    status: 'IN_PROGRESS',
    previousStatus: 'NEW',
  });
  expect(changed).toMatchObject({ currentLocation: 'ping feed', msElapsedSinceLastEvent: expect.any(Number) });

  await page.evaluate("setTimeout(() => { throw new Error('unexpected') })");
  await page.route('**/api/pings', (route) => route.fulfill({ body: '{"patients": Adaeze' }));
  await page.getByRole('button', { name: 'Refresh the list' }).click();
  const reported = async () => (await errorsOf(db, user)).map(({ kind, message }) => `${kind} ${message.slice(0, 12)}`);
  await expect.poll(reported).toContain('unknown Error: unexp');
  await expect.poll(reported).toContain('redux SyntaxError:');
  await page.unroute('**/api/pings');
  await endSession(page);
  await expect(page).toHaveURL('/login');
  const unauthenticated = sql`
    select from client_errors where kind = 'api_unauthenticated' and user_id is null and at > now() - interval '1 minute'`;
  await expect.poll(async () => (await db.query(unauthenticated)).rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(await errorsOf(db, user))).not.toContain('Adaeze');
});
