import type { BrowserContext, Page } from '@playwright/test';
import { detail, endSession, rowOf } from './inbox-page.ts';
import { expect, signIn, test, untilLive } from './journey.ts';
import { listedName, type Person } from './people.ts';
import { signInTo } from './scene.ts';

const MINUTE = 60_000;
const ENDED = 'Your session has ended. Sign in again to pick up where you left off.';

const warning = (page: Page) => page.getByRole('dialog', { name: 'Your session is about to end' });
/** Puts the clock of all pages of a browser under the test's control, and reloads the page under it. */
async function holdClock(page: Page): Promise<BrowserContext> {
  await page.context().clock.install();
  await opened(page, () => page.reload());
  return page.context();
}

/** Opens a page with all its parts: the timeout warning loads in spare time, and a jump of the clock while it loads would count as a failure. */
async function opened(page: Page, open: () => Promise<unknown>): Promise<void> {
  const timeoutChunk = page.waitForResponse(/\/session-timeout-/);
  await open();
  await untilLive(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await (await timeoutChunk).finished();
}

test('all tabs warn after 35 minutes, activity in one keeps all signed in, and after 40 minutes the session ends everywhere', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 401/);
  const user = await scene.user('care coordinator');
  const page = await open(user);
  const context = await holdClock(page);
  const other = await context.newPage();
  await opened(other, () => other.goto('/dashboard/whats-new'));
  const notified: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/api/session/activity')) notified.push(request.url());
  });

  await context.clock.fastForward(34 * MINUTE);
  await expect(warning(page)).toHaveCount(0);
  await context.clock.fastForward(MINUTE + 1000);
  await expect(warning(page)).toContainText('5 minutes');
  await expect(warning(other)).toBeVisible();
  await expect(warning(page).getByRole('button', { name: 'Stay signed in' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(warning(page)).toBeVisible();
  expect(notified).toHaveLength(0);
  const answer = page.waitForResponse('**/api/session/activity');
  await page.keyboard.press('Escape');
  await expect(warning(page)).toHaveCount(0);
  await expect(warning(other)).toHaveCount(0);
  expect((await answer).status()).toBe(200);

  // Activity counts once a second, and the server is notified once a minute.
  for (let step = 0; step < 20; step += 1) await page.mouse.move(100 + step, 100);
  await expect.poll(() => notified.length).toBe(1);
  await context.clock.fastForward(MINUTE + 1000);
  await expect.poll(() => notified.length).toBe(2);

  await context.clock.fastForward(37 * MINUTE + 10_000);
  await expect(warning(page)).toContainText('2 minutes');
  await expect(warning(page).getByRole('status')).toHaveText('Your session ends in 2 minutes.');
  // In two steps: the tab whose clock jumps last may be loading the sign-in page by then, which times out after two minutes.
  await context.clock.fastForward(MINUTE);
  await context.clock.fastForward(MINUTE);
  for (const tab of [page, other]) {
    await expect(tab).toHaveURL('/login');
    await expect(tab.getByText(ENDED)).toBeVisible();
  }
  await expect.poll(async () => (await page.request.get('/api/me')).status()).toBe(401);

  await signIn(page, user.username, scene.password);
  await expect(page).toHaveURL('/dashboard/home/inbox');
  await expect(other).toHaveURL('/dashboard/whats-new');
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
});

test('drafts and scroll position are restored when the same user signs in again after the session has ended', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 401/);
  for (const [hour, person] of scene.people.entries())
    await scene.hospital.send('A01', person, { at: new Date(Date.now() - (hour + 1) * 3_600_000) });
  const user = await scene.user('care coordinator');
  const page = await open(user);
  const last = scene.people.at(-1) as Person;
  // Messages are processed after they are accepted, and rows that arrive on an open page wait until they are asked for.
  await expect(async () => {
    await page.reload();
    await expect(rowOf(page, last)).toBeVisible({ timeout: 1000 });
  }).toPass();
  await page.setViewportSize({ width: 1440, height: 420 });
  await rowOf(page, last).click();
  await detail(page).getByRole('button', { name: 'Resolve' }).click();
  await page.getByLabel('Other', { exact: true }).check();
  await page.getByLabel('Add details').fill('Daughter will');
  // Another layout keeps the draft too.
  await page.setViewportSize({ width: 1100, height: 420 });
  await expect(page.getByLabel('Add details')).toHaveValue('Daughter will');
  await page.setViewportSize({ width: 1440, height: 420 });
  const list = page.locator('[data-scroller=list]');
  await list.evaluate((element) => element.scrollTo(0, 150));
  const asked = new URL(page.url());

  await endSession(page);
  await expect(page.getByText(ENDED)).toBeVisible();
  await expect(page.getByText('Daughter will')).toHaveCount(0);
  await signIn(page, user.username, scene.password);
  await expect(page).toHaveURL(asked.pathname + asked.search);
  await expect(page.getByLabel('Add details')).toHaveValue('Daughter will');
  await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(150);

  // Another user gets none of it, not even the address.
  await endSession(page);
  await expect(page.getByText(ENDED)).toBeVisible();
  await signIn(page, (await scene.user('care coordinator')).username, scene.password);
  await expect(page).toHaveURL('/dashboard/home/inbox');
  await rowOf(page, last).click();
  await expect(detail(page).getByRole('button', { name: 'Resolve' })).toBeVisible();
  await expect(page.getByRole('form')).toHaveCount(0);
});

test('ending a session remotely, or disabling its user, signs it out immediately', async ({
  scene,
  open,
  complaints,
  playwright,
}) => {
  complaints.expect(/status of 401/);
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const user = await scene.user('care coordinator');
  const [mine, other] = [await open(user, '/dashboard/user-profile'), await open(user)];
  await expect(rowOf(other, ann)).toBeVisible();
  await untilLive(other);
  await mine.reload();
  const sessions = mine.getByRole('region', { name: "Where you're signed in" });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByText('This session')).toHaveCount(1);
  await sessions.getByRole('button', { name: /^End session on/ }).click();
  await mine.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await expect(mine.getByText('Session ended.')).toBeVisible();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await expect(other).toHaveURL('/login');
  await expect(other.getByText(listedName(ann))).toHaveCount(0);
  await untilLive(mine);

  const request = await playwright.request.newContext({ baseURL: new URL(mine.url()).origin });
  await signInTo(request, (await scene.user('administrator')).username);
  const answer = await request.post(`/api/admin/users/${user.id}/disable`, {
    headers: { 'x-ping-team-id': scene.team.id },
  });
  expect(answer.status()).toBe(204);
  await expect(mine).toHaveURL('/login');
  await signIn(mine, user.username, scene.password);
  await expect(mine.getByRole('alert')).toContainText('your account has been disabled');
  await request.dispose();
});

test('a second user who signs in on the same browser replaces the first one’s pages', async ({
  scene,
  open,
  complaints,
}) => {
  // What the first page still asks for when its session is gone.
  complaints.expect(/status of 401/);
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('care coordinator'));
  await expect(rowOf(page, ann)).toBeVisible();
  const other = await page.context().newPage();
  await other.context().clearCookies({ name: 'tidings_session' });
  await other.goto('/login');
  const viewer = await scene.user('viewer', { firstName: 'Vera', lastName: 'Quill' });
  await signIn(other, viewer.username, scene.password);
  await expect(page.getByRole('button', { name: 'Account of Vera Quill' })).toBeVisible();
});
