import type { BrowserContext, Page } from '@playwright/test';
import { detail, rowOf } from './inbox-page.ts';
import { expect, signIn, test, untilLive } from './journey.ts';
import { listedName, type Person } from './people.ts';
import { signInTo } from './scene.ts';

const MINUTE = 60_000;
const ENDED = 'Your session has ended. Sign in again to go on where you were.';

const warning = (page: Page) => page.getByRole('dialog', { name: 'Your session is about to end' });
/** The clock of all pages of a browser is the test's from now on; what stands is opened anew under it. */
async function holdClock(page: Page): Promise<BrowserContext> {
  await page.context().clock.install();
  await opened(page, () => page.reload());
  return page.context();
}

/** Opens a page with all its parts: what warns of the end comes in spare time, and a jump of the clock meanwhile would be taken for a failure. */
async function opened(page: Page, open: () => Promise<unknown>): Promise<void> {
  const keeper = page.waitForResponse(/\/session-keeper-/);
  await open();
  await untilLive(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await (await keeper).finished();
}

test('after 35 minutes all tabs warn, any of them goes on for all, and after 40 the session is over in all and on the server', async ({
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
  const told: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/api/session/activity')) told.push(request.url());
  });

  await context.clock.fastForward(34 * MINUTE);
  await expect(warning(page)).toHaveCount(0);
  await context.clock.fastForward(MINUTE + 1000);
  await expect(warning(page)).toContainText('5 minutes');
  await expect(warning(other)).toBeVisible();
  await expect(warning(page).getByRole('button', { name: 'Stay signed in' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(warning(page)).toBeVisible();
  expect(told).toHaveLength(0);
  const answer = page.waitForResponse('**/api/session/activity');
  await page.keyboard.press('Escape');
  await expect(warning(page)).toHaveCount(0);
  await expect(warning(other)).toHaveCount(0);
  expect((await answer).status()).toBe(200);

  // Activity counts once a second and is told once a minute.
  for (let step = 0; step < 20; step += 1) await page.mouse.move(100 + step, 100);
  await expect.poll(() => told.length).toBe(1);
  await context.clock.fastForward(MINUTE + 1000);
  await expect.poll(() => told.length).toBe(2);

  await context.clock.fastForward(37 * MINUTE + 10_000);
  await expect(warning(page)).toContainText('2 minutes');
  await expect(warning(page).getByRole('status')).toHaveText('Your session ends in 2 minutes.');
  // In two steps: the tab whose clock jumps last may be loading the page of sign-in by then, which gives up after two minutes.
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

test('what was half written and where the list stood are there again after the session ended and the same person signed in', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 401/);
  for (const [hour, person] of scene.people.entries())
    await scene.hospital.send('A01', person, { at: new Date(Date.now() - (hour + 1) * 3_600_000) });
  const user = await scene.user('care coordinator');
  const page = await open(user);
  await page.setViewportSize({ width: 1440, height: 420 });
  const last = scene.people.at(-1) as Person;
  await rowOf(page, last).click();
  await detail(page).getByRole('button', { name: 'Resolve' }).click();
  await page.getByLabel('Other', { exact: true }).check();
  await page.getByLabel('Describe the other resolution').fill('Daughter will');
  // Another arrangement of the page loses nothing either.
  await page.setViewportSize({ width: 1100, height: 420 });
  await expect(page.getByLabel('Describe the other resolution')).toHaveValue('Daughter will');
  await page.setViewportSize({ width: 1440, height: 420 });
  const list = page.locator('[data-scroller=list]');
  await list.evaluate((element) => element.scrollTo(0, 150));
  const asked = new URL(page.url());

  await page.context().clearCookies({ name: 'tidings_session' });
  await page.getByRole('button', { name: 'Refresh the list' }).click();
  await expect(page.getByText(ENDED)).toBeVisible();
  await expect(page.getByText('Daughter will')).toHaveCount(0);
  await signIn(page, user.username, scene.password);
  await expect(page).toHaveURL(asked.pathname + asked.search);
  await expect(page.getByLabel('Describe the other resolution')).toHaveValue('Daughter will');
  await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(150);

  // Of somebody else nothing is left.
  await page.context().clearCookies({ name: 'tidings_session' });
  await page.getByRole('button', { name: 'Refresh the list' }).click();
  await expect(page.getByText(ENDED)).toBeVisible();
  await signIn(page, (await scene.user('care coordinator')).username, scene.password);
  await expect(detail(page).getByRole('button', { name: 'Resolve' })).toBeVisible();
  await expect(page.getByRole('form')).toHaveCount(0);
});

test('a session that its owner ends elsewhere is over there at once, and so is that of a user who is disabled', async ({
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
  const sessions = mine.getByRole('region', { name: 'Where you are signed in' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByText('This one')).toHaveCount(1);
  await sessions.getByRole('button', { name: /^End the session on/ }).click();
  await mine.getByRole('dialog').getByRole('button', { name: 'End the session' }).click();
  await expect(mine.getByText('The session was ended.')).toBeVisible();
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

test('a second person who signs in at the same browser takes the first one’s pages away', async ({ scene, open }) => {
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
