import type { Locator } from '@playwright/test';
import { detail, rowOf, rows, untilListed } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';
import { signInTo } from './scene.ts';

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It has no place on the page');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
};

/** From a checkbox to all of its target: the box, the label and the description. */
const CHOICE = 'xpath=ancestor::*[contains(@class, "Checkbox-body")]';

test('on a phone nothing covers who it is about, and everything can be hit with a finger', async ({
  scene,
  browser,
  open,
  complaints,
}) => {
  const people = [...scene.people, scene.stranger(), scene.stranger()].slice(0, 4);
  await scene.list(people);
  for (const person of people) await scene.hospital.send('A01', person);
  // Elsewhere, because two-step verification is offered to the phone once, with its first page.
  await untilListed(await open(await scene.user('care coordinator', { removed: ['canViewMfaOptIn'] })), people);
  const context = await browser.newContext({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  complaints.watch(context);
  await signInTo(context.request, (await scene.user('care coordinator')).username);
  const page = await context.newPage();
  await page.goto('/dashboard/home/inbox');
  await expect(rows(page)).toHaveCount(4);
  const offer = page.getByRole('status').filter({ hasText: 'two-step verification' });
  expect((await boxOf(offer)).y).toBeGreaterThanOrEqual((await boxOf(rows(page).first())).bottom);
  await offer.getByRole('button', { name: 'Close this message' }).tap();
  const bar = await boxOf(page.getByRole('navigation').last());
  expect((await boxOf(rows(page).nth(3))).bottom).toBeLessThanOrEqual(bar.y);
  for (const row of await rows(page).all()) {
    const [all, facility] = [await boxOf(row), await boxOf(row.getByText(scene.hospital.name))];
    expect(facility.right).toBeLessThanOrEqual(all.right);
    expect(facility.bottom).toBeLessThanOrEqual(all.bottom);
  }
  expect((await boxOf(page.getByRole('button', { name: 'Owner' }))).right).toBeLessThanOrEqual(320);
  const targets = [
    page.getByRole('button', { name: /^Account of/ }),
    rowOf(page, people[0] as Person).locator('xpath=../label'),
    page.getByRole('button', { name: 'Owner' }),
  ];
  for (const target of targets) {
    const { width, height } = await boxOf(target);
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  }

  await page.setViewportSize({ width: 390, height: 844 });
  // All tools are in one line, which scrolls.
  const [filters, sort] = [page.getByRole('button', { name: 'Filters' }), page.getByLabel('Sort by')];
  expect((await boxOf(sort)).y).toBeCloseTo((await boxOf(filters)).y, 0);
  await rows(page).first().tap();
  await detail(page).getByRole('button', { name: 'Mark in progress' }).tap();
  const links = [
    detail(page).getByRole('link', { name: 'Why this ping?' }),
    detail(page).getByRole('link', { name: 'Story' }),
  ];
  for (const link of links) expect((await boxOf(link)).height).toBeGreaterThanOrEqual(44);
  const banner = detail(page).locator('header');
  await expect(banner).not.toContainText('Gender', { useInnerText: true });
  const toast = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Undo', exact: true }) });
  expect((await boxOf(toast)).y).toBeGreaterThanOrEqual((await boxOf(banner)).bottom);
  await banner.getByRole('button', { name: 'More' }).tap();
  await expect(banner).toContainText('Gender', { useInnerText: true });
  await detail(page).getByRole('button', { name: 'Resolve', exact: true }).tap();
  expect(
    (await boxOf(page.getByRole('checkbox', { name: 'No action needed' }).locator(CHOICE))).height,
  ).toBeGreaterThanOrEqual(44);
  await context.close();
});

test('on a phone the columns are chosen with a finger, and the tabs of administration are one line', async ({
  scene,
  browser,
  complaints,
}) => {
  await scene.list(scene.people);
  const context = await browser.newContext({ viewport: { width: 390, height: 640 }, hasTouch: true, isMobile: true });
  complaints.watch(context);
  await signInTo(context.request, (await scene.user('administrator', { removed: ['canViewMfaOptIn'] })).username);
  const page = await context.newPage();
  await page.goto('/dashboard/patients/my-patients');
  await page.getByRole('button', { name: 'Columns' }).tap();
  const menu = page.getByRole('dialog', { name: 'Columns' });
  await expect(menu).toBeInViewport({ ratio: 1 });
  for (const choice of await menu.getByRole('checkbox').all())
    expect((await boxOf(choice.locator(CHOICE))).height).toBeGreaterThanOrEqual(44);
  const last = menu.getByRole('checkbox').last();
  const { x, right, bottom } = await boxOf(last.locator(CHOICE));
  const was = await last.isChecked();
  await menu.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  const { y, height } = await boxOf(last.locator(CHOICE));
  expect(bottom).toBeGreaterThan(y + height);
  await page.touchscreen.tap((x + right) / 2, y + height - 2);
  expect(await last.isChecked()).toBe(!was);
  // At the first page of the tab too, Back closes what is over it.
  await page.goBack();
  await expect(menu).toHaveCount(0);
  await page.getByRole('button', { name: 'Filters' }).tap();
  await expect(page).toHaveURL(/showFilters=true/);
  await page.goBack();
  await expect(page).toHaveURL('/dashboard/patients/my-patients');
  await page.getByRole('button', { name: 'Search' }).tap();
  // Its code comes with the first use.
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Patients' })).toBeVisible();

  await page.goto('/dashboard/admin/accesses');
  const tabs = page.getByRole('navigation', { name: 'Administration' });
  await expect(tabs.getByRole('link', { name: 'Patient access' })).toBeInViewport({ ratio: 1 });
  expect((await boxOf(tabs)).height).toBeLessThanOrEqual(48);
  await context.close();
});

test('on a phone the tools of the inbox keep their places when the rows and the tools for them arrive', async ({
  scene,
  browser,
  complaints,
}) => {
  await scene.hospital.send('A01', scene.people[0] as Person);
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  complaints.watch(context);
  await signInTo(context.request, (await scene.user('care coordinator')).username);
  const page = await context.newPage();
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/pings', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/dashboard/home/inbox');
  const [filters, sort] = [page.getByRole('button', { name: 'Filters' }), page.getByLabel('Sort by')];
  await expect(sort).toBeVisible();
  await expect(page.getByRole('button', { name: 'Owner' })).toHaveCount(0);
  const before = [(await boxOf(filters)).x, (await boxOf(sort)).x];
  answer();
  await expect(page.getByRole('button', { name: 'Owner' })).toBeVisible();
  expect([(await boxOf(filters)).x, (await boxOf(sort)).x].map(Math.round)).toEqual(before.map(Math.round));
  await context.close();
});
