import { TEAM_HEADER } from '#contract/constants.ts';
import { ERRORS } from '#contract/errors.ts';
import { detail, openList, rowOf, rows, untilListed, waitingBar } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import { listedName, type Person } from './people.ts';

test('a ping arrives over MLLP while the inbox is open, is resolved, is in the history, and is reopened by undo', async ({
  scene,
  open,
}) => {
  const [ann, bob, cid] = scene.people as [Person, Person, Person];
  const coordinator = await scene.user('care coordinator', { firstName: 'Ruth', lastName: 'Adler' });
  const page = await open(coordinator);
  await untilLive(page);
  await expect(page.getByText('No unresolved pings.')).toBeVisible();

  // An empty list fills by itself. In a list with rows, nothing moves.
  await scene.hospital.send('A01', ann, { at: new Date(Date.now() - 7_200_000) });
  await expect(rowOf(page, ann)).toBeVisible();
  const before = await rowOf(page, ann).boundingBox();
  await scene.hospital.send('A04', bob, { patientClass: 'E' });
  await expect(waitingBar(page, '1 new ping — show')).toBeVisible();
  expect(await rowOf(page, ann).boundingBox()).toEqual(before);
  await expect(rowOf(page, bob)).toHaveCount(0);
  await scene.hospital.send('A01', cid, { at: new Date(Date.now() - 3_600_000) });
  await waitingBar(page, '2 new pings — show').click();
  await expect(rows(page)).toHaveText(
    [listedName(bob), listedName(cid), listedName(ann)].map((name) => new RegExp(name)),
  );
  await expect(rowOf(page, bob)).toContainText(`Presented — Emergency ${scene.hospital.name}`);
  await expect(rowOf(page, bob)).toHaveAccessibleName(/^Just arrived\. .*Presented — Emergency.*Status Unresolved/);

  await rowOf(page, bob).click();
  await expect(detail(page).getByRole('heading', { level: 2, name: listedName(bob) })).toBeVisible();
  await detail(page).getByRole('button', { name: 'Resolve' }).click();
  const form = page.getByRole('form', { name: 'Resolve this ping' });
  await form.getByRole('button', { name: 'Resolve' }).click();
  await expect(form.getByText(ERRORS.RESOLUTION_REQUIRED[1])).toBeVisible();
  await form.getByLabel('Contacted patient').check();
  await form.getByRole('button', { name: 'Resolve' }).click();

  await expect(rowOf(page, bob)).toHaveCount(0);
  await expect(rowOf(page, cid)).toHaveAttribute('aria-current', 'true');
  await expect(rowOf(page, cid)).toBeFocused();
  await expect(detail(page).getByRole('heading', { level: 2, name: listedName(cid) })).toBeVisible();
  const toast = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Undo' }) });
  await expect(toast).toContainText('Resolved');

  await openList(page, 'Resolved');
  await rowOf(page, bob).click();
  const history = detail(page).locator('section', { has: page.getByRole('heading', { name: 'Status history' }) });
  await expect(history.getByRole('listitem')).toHaveCount(1);
  await expect(history).toContainText('Contacted patient');
  await expect(history).toContainText(`${coordinator.firstName} ${coordinator.lastName}`);
  await expect(rowOf(page, bob)).toContainText(
    new RegExp(`${coordinator.firstName} ${coordinator.lastName} · .+ · Contacted patient`),
  );
  await expect(history.getByRole('time')).toHaveText(/^\d\d\/\d\d\/\d{4},? \d{1,2}:\d\d [AP]M/);

  await page.keyboard.press('z');
  await expect(rowOf(page, bob)).toHaveCount(0);
  await openList(page, 'Unresolved');
  await expect(rowOf(page, bob)).toBeVisible();
  await rowOf(page, bob).click();
  await expect(history.getByRole('listitem')).toHaveCount(2);
});

test('when two people resolve one ping, the second learns who was first', async ({ scene, open, complaints }) => {
  complaints.expect(/status of 409 .*\/management-status$/);
  const [ann, bob] = scene.people as [Person, Person];
  const ruth = await scene.user('care coordinator');
  const sam = await scene.user('clinician');
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A01', bob);
  const [first, second] = [await open(ruth), await open(sam)];
  for (const page of [first, second]) await untilListed(page, [ann, bob]);
  await untilLive(first);
  await untilLive(second);

  // A change by someone else updates the row in place.
  const before = await rowOf(second, ann).boundingBox();
  await rowOf(first, ann).click();
  await detail(first).getByRole('button', { name: 'Mark in progress' }).click();
  await expect(rowOf(second, ann)).toContainText('In Progress');
  await expect(rowOf(second, ann)).toContainText('Updated');
  expect((await rowOf(second, ann).boundingBox())?.y).toBe(before?.y);

  // The second user pauses live updates and so acts on an outdated status.
  await rowOf(second, bob).click();
  await expect(detail(second).getByRole('heading', { level: 2, name: listedName(bob) })).toBeVisible();
  await second.getByRole('button', { name: /^Live · / }).click();
  await expect(second.getByRole('button', { name: /^Paused/ })).toBeVisible();
  await rowOf(first, bob).click();
  const saved = first.waitForResponse('**/management-status');
  await detail(first).getByRole('button', { name: 'Mark in progress' }).click();
  await saved;
  await detail(second).getByRole('button', { name: 'Resolve' }).click();
  await second.getByLabel('No action needed').check();
  await second.getByRole('form').getByRole('button', { name: 'Resolve' }).click();

  await rowOf(second, bob).click();
  const notice = detail(second).getByRole('alert');
  await expect(notice).toContainText('Someone else just changed this ping.');
  await expect(notice).toContainText(`${ruth.firstName} ${ruth.lastName} set it to In Progress on`);
  await expect(rowOf(second, bob)).toContainText('Not saved');
  await notice.getByRole('button', { name: 'Take theirs' }).click();
  await expect(notice).toHaveCount(0);
  await expect(rowOf(second, bob)).toContainText('In Progress');
});

test('a ping that arrives after the list was loaded and before the page is live is not missed', async ({
  scene,
  open,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('care coordinator'), '/dashboard/user-profile');
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/live?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/dashboard/home/inbox');
  await expect(rowOf(page, ann)).toBeVisible();
  await scene.hospital.send('A01', bob);
  const headers = { [TEAM_HEADER]: scene.team.id };
  const openPings = async () => (await page.request.get('/api/pings/count/open', { headers })).json();
  await expect.poll(openPings).toEqual({ count: 2 });
  await expect(page.getByRole('button', { name: /^Connecting/ })).toBeVisible();
  release();
  await expect(waitingBar(page, '1 new ping — show')).toBeVisible();
});

test('beside an open ping, a long reason covers neither the time nor what follows it', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('care coordinator'));
  const other = await open(await scene.user('clinician'));
  const reason = {
    code: 'RECENT_DISCHARGE',
    severity: 'critical',
    label: 'Discharged from a hospital 12 days before, 11/08/2026',
  };
  for (const pattern of ['**/api/pings', '**/api/patients/*_*'])
    await page.route(pattern, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      for (const patient of json.patients ?? [json]) if (patient.card) patient.card.headline.reason = reason;
      await route.fulfill({ response, json });
    });
  await page.reload();
  await untilLive(page);
  await rowOf(page, ann).click();
  await rowOf(other, ann).click();
  await detail(other).getByRole('button', { name: 'Mark in progress' }).click();
  const row = rowOf(page, ann);
  await expect(row).toContainText('Updated');
  const badge = await row.getByText(reason.label).boundingBox();
  const time = await row.locator('time').last().boundingBox();
  if (!badge || !time) throw new Error('The row has no badge or no time.');
  expect(badge.x + badge.width <= time.x || badge.y + badge.height <= time.y || time.y + time.height <= badge.y).toBe(
    true,
  );
  expect(await row.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
});

test('what loads after the rows does not push them', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('care coordinator'));
  for (const width of [1440, 1024, 390, 320]) {
    const held = Promise.withResolvers<void>();
    await page.setViewportSize({ width, height: 800 });
    await page.route('**/assets/list-tools-*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.reload();
    await expect(rowOf(page, ann)).toBeVisible();
    const before = (await rowOf(page, ann).boundingBox())?.y;
    held.resolve();
    await expect(page.getByRole('button', { name: 'Owner', exact: true })).toBeVisible();
    expect((await rowOf(page, ann).boundingBox())?.y, `${width} px wide`).toBe(before);
    await page.unroute('**/assets/list-tools-*.js');
  }
});

test('what loads after a ping was opened does not push its buttons', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const colleague = await open(await scene.user('care coordinator'));
  await untilListed(colleague, [ann]);
  await rowOf(colleague, ann).click();
  await expect(detail(colleague).getByRole('button', { name: 'Resolve' })).toBeVisible();
  const page = await open(await scene.user('care coordinator'));
  for (const width of [1440, 390]) {
    const held = Promise.withResolvers<void>();
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/');
    await expect(rowOf(page, ann)).toBeVisible();
    await page.route('**/api/patients/**', async (route) => {
      await held.promise;
      await route.continue();
    });
    await rowOf(page, ann).click();
    const resolve = detail(page).getByRole('button', { name: 'Resolve' });
    await expect(resolve).toBeVisible();
    const before = (await resolve.boundingBox())?.y;
    held.resolve();
    await expect(detail(page).getByText(/viewing this patient now\.$/)).toBeVisible();
    await expect(detail(page).getByRole('link', { name: 'Why this ping?' })).toBeVisible();
    expect((await resolve.boundingBox())?.y, `${width} px wide`).toBe(before);
    await page.unroute('**/api/patients/**');
  }
});
