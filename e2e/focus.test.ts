import type { Page } from '@playwright/test';
import { detail, rowOf, untilListed } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

test.slow();

const main = (page: Page) => page.locator('#main');
const selected = (page: Page) => page.getByRole('region', { name: 'Selected pings' });

test('the focus goes to the page that opens, and comes back to the row', async ({ scene, open }) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann, { at: new Date(Date.now() - 7_200_000) });
  await scene.hospital.send('A03', ann, { at: new Date(Date.now() - 3_600_000) });
  await scene.hospital.send('A01', bob);
  const page = await open(await scene.user('care coordinator'));
  await untilListed(page, [ann, bob]);
  await rowOf(page, ann).focus();
  await page.keyboard.press('Enter');
  for (const name of ['Why this ping?', 'Evidence packet']) {
    await detail(page).getByRole('link', { name }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Back' })).toBeVisible();
    await expect(main(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(rowOf(page, ann)).toBeFocused();
    await detail(page).getByRole('link', { name }).click();
    await expect(main(page)).toBeFocused();
    await page.goBack();
    await expect(rowOf(page, ann)).toBeFocused();
  }
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await expect(page.getByRole('heading', { level: 1, name: 'Patients' })).toBeVisible();
  await expect(main(page)).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await rowOf(page, bob).focus();
  await page.keyboard.press('Enter');
  await expect(detail(page)).toBeFocused();
  await page.goBack();
  await expect(rowOf(page, bob)).toBeFocused();
});

test('the focus comes back to the list after a change of many rows, an undo and an export', async ({ scene, open }) => {
  const [ann, bob, cid] = scene.people as [Person, Person, Person];
  const hours = (ago: number) => ({ at: new Date(Date.now() - ago * 3_600_000) });
  await scene.hospital.send('A01', ann, hours(3));
  await scene.hospital.send('A01', bob, hours(2));
  await scene.hospital.send('A01', cid, hours(1));
  const page = await open(await scene.user('administrator'));
  await untilListed(page, [ann, bob, cid]);
  const press = (key: string) => page.keyboard.press(key);
  await rowOf(page, cid).focus();
  await press('x');
  await press('j');
  await press('x');
  await selected(page).getByRole('button', { name: 'Resolve…' }).focus();
  await press('Enter');
  await selected(page).getByLabel('No action needed').focus();
  await press('Space');
  await press('Enter');
  await expect(rowOf(page, bob)).toHaveCount(0);
  await expect(rowOf(page, ann)).toBeFocused();
  await press('z');
  await expect(rowOf(page, bob)).toBeVisible();
  await expect(rowOf(page, ann)).toBeFocused();
  await press('x');
  await selected(page).getByRole('button', { name: 'Clear' }).focus();
  await press('Enter');
  await expect(selected(page)).toHaveCount(0);
  await expect(rowOf(page, ann)).toBeFocused();

  await press('e');
  await page.getByLabel('No action needed').focus();
  await press('Space');
  await press('Enter');
  await expect(rowOf(page, ann)).toHaveCount(0);
  await expect(rowOf(page, bob)).toBeFocused();
  const toast = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Undo', exact: true }) });
  const top = (await toast.boundingBox())?.y ?? 0;
  // The next patient's actions are above the toasts, whose place is fixed.
  for (const name of ['Resolve', 'Mark in progress', 'Status']) {
    const box = await detail(page).getByRole('button', { name, exact: true }).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(top);
  }
  await toast.getByRole('button', { name: 'Undo', exact: true }).focus();
  await press('Enter');
  await expect(rowOf(page, ann)).toBeVisible();
  await expect(rowOf(page, bob)).toBeFocused();

  await page.goto('/dashboard/exports');
  await page.getByRole('button', { name: 'New export' }).focus();
  await press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Start export' }).focus();
  await press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'New export' })).toBeFocused();
});

test('on a slow computer too, the focus comes back from a dialog that was opened as soon as the page was there', async ({
  scene,
  open,
}) => {
  const page = await open(await scene.user('administrator'));
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  await page.goto('/dashboard/exports');
  await page.getByRole('button', { name: 'New export' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Start export' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'New export' })).toBeFocused();
});
