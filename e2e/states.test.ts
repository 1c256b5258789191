import { detail, endSession, openList, rowOf, rows } from './inbox-page.ts';
import { expect, signIn, test, untilLive } from './journey.ts';
import { listedName, type Person } from './people.ts';
import { signInTo } from './scene.ts';

test('an inbox whose pings are all closed says so, unlike one that never had a ping', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  const page = await open(await scene.user('care coordinator'));
  await expect(page.getByText('No unresolved pings.')).toBeVisible();
  await untilLive(page);
  await scene.hospital.send('A01', ann);
  await rowOf(page, ann).click();
  await detail(page).getByRole('button', { name: 'Resolve' }).click();
  await page.getByLabel('No action needed').check();
  await page.getByRole('form').getByRole('button', { name: 'Resolve' }).click();
  await expect(page.getByText('No new pings to review.')).toBeVisible();
  await expect(page.getByText('1 resolved or dismissed')).toBeVisible();
  await openList(page, 'Dismissed');
  await expect(page.getByText('No dismissed pings yet.')).toBeVisible();
});

test('a list that fails says what failed, with the error id for support, and loads again with Retry', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 500 .*\/api\/pings$/);
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('care coordinator'));
  await expect(rowOf(page, ann)).toBeVisible();
  const requestId = '4f5a2b8e-0000-4000-8000-000000000000';
  // The page asks by itself too, when its live updates begin. Nothing succeeds before the user has asked.
  await page.addInitScript(`addEventListener('click', ({ target }) => {
    if (target.closest('button')?.textContent === 'Retry') window.wasRetried = true;
  }, true)`);
  await page.route('**/api/pings', async (route) =>
    (await page.evaluate('window.wasRetried === true'))
      ? route.continue()
      : route.fulfill({
          status: 500,
          json: { status: 500, errorKey: 'INTERNAL', message: 'Something went wrong.', requestId },
        }),
  );
  // A request from before may still succeed and clear the error, so the refresh is repeated.
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh the list' }).click();
    await expect(page.getByRole('alert')).toContainText("Couldn't refresh this list.", { timeout: 1000 });
  }).toPass();
  await expect(page.getByRole('alert')).toContainText(/It was last updated at \d{1,2}:\d\d [AP]M/);
  await expect(rowOf(page, ann)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('alert')).toContainText("Couldn't load pings.");
  await expect(page.getByRole('alert')).toContainText(requestId);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(rowOf(page, ann)).toBeVisible();
});

test('without a network the page says since when, keeps its content, and recovers', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/ERR_INTERNET_DISCONNECTED/);
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('care coordinator'));
  await expect(rowOf(page, ann)).toBeVisible();
  await untilLive(page);
  await rowOf(page, ann).click();
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
  // It loads in spare time.
  const names = "performance.getEntriesByType('resource').map(({ name }) => name).join()";
  await expect.poll(() => page.evaluate(names)).toContain('/assets/offline-bar-');
  const before = await rowOf(page, ann).boundingBox();
  await page.context().setOffline(true);
  await expect(page.getByText(/^Offline since \d{1,2}:\d\d [AP]M\./)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Reconnecting\./ })).toBeVisible({ timeout: 2000 });
  expect(await rowOf(page, ann).boundingBox()).toEqual(before);
  await detail(page).getByRole('button', { name: 'Mark in progress' }).click();
  const toast = page.getByRole('alert').filter({ hasText: ann.family.toUpperCase() });
  await expect(toast).toContainText('There was a problem managing your ping status. Please try again.');
  await expect(rowOf(page, ann)).toContainText('Unresolved');
  await page.context().setOffline(false);
  await expect(page.getByText(/^Offline since/)).toHaveCount(0);
  await scene.hospital.send('A01', bob);
  await toast.getByRole('button', { name: 'Retry' }).click();
  await expect(rowOf(page, ann)).toContainText('In Progress');
  await expect(toast).toHaveCount(0);
});

test('a session that ends removes the content, and sign-in returns to the same page', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 401/);
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const user = await scene.user('care coordinator');
  const page = await open(user);
  await rowOf(page, ann).click();
  await expect(detail(page).getByText('No status changes yet.')).toBeVisible();
  const before = new URL(page.url());
  await endSession(page);
  await expect(page).toHaveURL('/login');
  await expect(rows(page)).toHaveCount(0);
  await signIn(page, user.username, scene.password);
  await expect(page).toHaveURL(before.pathname + before.search);
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
});

test('a viewer can read but not change anything', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('viewer'));
  await rowOf(page, ann).click();
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
  await expect(
    detail(page).getByText("You don't have access to this patient's address, phone numbers, insurance"),
  ).toBeVisible();
  for (const name of ['Resolve', 'Mark in progress', 'Status'])
    await expect(detail(page).getByRole('button', { name, exact: true })).toHaveCount(0);
  await page.keyboard.press('e');
  await page.keyboard.press('s');
  await expect(page.getByRole('form')).toHaveCount(0);
  await expect(page.getByRole('menu')).toHaveCount(0);
});

test('a user without access to pings starts on the patient list and opens patients without a status history', async ({
  scene,
  open,
}) => {
  await scene.hospital.send('A01', scene.people[0] as Person);
  const page = await open(await scene.user('analyst'), '/');
  await expect(page).toHaveURL('/dashboard/patients/my-patients');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Live/ })).toHaveCount(0);
  await page.getByRole('table', { name: 'Patients' }).getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: listedName(scene.people[0] as Person) })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Status history' })).toHaveCount(0);
});

test('every page without permission says so, and keeps the navigation', async ({ scene, page }) => {
  const { username } = await scene.user('analyst');
  await signInTo(page.context().request, username);
  for (const path of ['home/inbox', 'rosters', 'feeds', 'admin/users', 'admin', 'admin/changes']) {
    await page.goto(`/dashboard/${path}`);
    await expect(page.getByRole('heading', { level: 1, name: "You don't have access to this page" })).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Pages', exact: true })).toBeVisible();
  }
  await page.goto('/hospital/feeds');
  await expect(page.getByRole('heading', { level: 1, name: 'This page does not exist' })).toBeVisible();
});

test('an unknown URL says that the page does not exist', async ({ scene, open, complaints }) => {
  complaints.expect(/status of 404 .*nowhere$/);
  const page = await open(await scene.user('care coordinator'));
  const answer = await page.goto('/dashboard/nowhere');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1, name: 'This page does not exist' })).toBeVisible();
  await page.getByRole('link', { name: 'Go To Home Page' }).click();
  await expect(page).toHaveURL('/dashboard/home/inbox');
});

test('an unknown URL leads to sign-in, and back to it', async ({ scene, page, complaints }) => {
  complaints.expect(/status of 404 .*nowhere$/);
  const { username } = await scene.user('care coordinator');
  await page.goto('/nowhere');
  await expect(page).toHaveURL('/login');
  await signIn(page, username, scene.password);
  await expect(page).toHaveURL('/nowhere');
  await expect(page.getByRole('heading', { level: 1, name: 'This page does not exist' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Pages', exact: true })).toBeVisible();
});
