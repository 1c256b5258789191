import { demoAccounts } from '#demo/start.ts';
import { TEST_PASSWORD } from '#server/testing/factories.ts';
import { expect, signIn, test, untilLive } from './journey.ts';

const WRONG = 'Incorrect username or password. Check both and try again.';

test('a wrong password is refused, the right one opens the inbox, and signing out closes it', async ({
  page,
  scene,
  complaints,
}) => {
  complaints.expect(/status of 401 .*\/api\/authenticate$/);
  const { username } = await scene.user('care coordinator');
  await page.goto('/');
  await expect(page).toHaveURL('/login');
  await expect(page).toHaveTitle(/^Sign in/);
  await signIn(page, username, 'not the password');
  await expect(page.getByRole('alert')).toHaveText(WRONG);

  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard/home/inbox');
  await untilLive(page);

  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');
  await page.goto('/dashboard/home/inbox');
  await expect(page).toHaveURL('/login');
});

test('sign-in leads to the path that was requested before it', async ({ page, scene }) => {
  const { username } = await scene.user('administrator');
  await page.goto('/dashboard/rosters');
  await expect(page).toHaveURL('/login');
  await signIn(page, username.toUpperCase(), TEST_PASSWORD);
  await expect(page).toHaveURL('/dashboard/rosters');
  await expect(page.getByRole('heading', { level: 1, name: 'Rosters' })).toBeVisible();
});

test('after signing out, the next user does not land on the previous user’s page', async ({ scene, open }) => {
  const page = await open(await scene.user('administrator'), '/dashboard/rosters');
  await untilLive(page);
  // The stream reports the end of the session too, which must not count as an expired session.
  await page.route('**/api/logout', async (route) => {
    const response = await route.fetch();
    await page.waitForTimeout(500);
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');
  await signIn(page, (await scene.user('care coordinator')).username, TEST_PASSWORD);
  await expect(page).toHaveURL('/dashboard/home/inbox');
});

test('a demo account signs in with two clicks', async ({ page }) => {
  const [first] = demoAccounts();
  await page.goto('/');
  for (const { username, about } of demoAccounts()) {
    await expect(page.getByRole('button', { name: username })).toBeVisible();
    await expect(page.getByText(about, { exact: true })).toBeVisible();
  }
  await page.getByRole('button', { name: first?.username }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/dashboard/home/inbox');
  await expect(page.getByRole('heading', { level: 1, name: 'Pings' })).toBeVisible();
});
