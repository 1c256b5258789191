import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { detail, rowOf } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

test.slow();

/** The page as it is printed fits on a sheet, begins with notice and patient, and has no buttons. */
async function expectPrintable(page: Page, family: string): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 816, height: 1056 });
  await expect(page.getByText(/^Confidential: contains patient information \(PHI\)\. Printed /)).toBeVisible();
  await expect(page.getByRole('main').getByText(family)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Back' })).toBeHidden();
  const width = await page.evaluate<number>('document.scrollingElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(816);
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('a coordinator learns by W why there is a ping, and prints the evidence about a discharge', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A03', ann);
  const page = await open(await scene.user('care coordinator'));
  await rowOf(page, ann).click();
  await expect(detail(page).getByRole('link', { name: 'Why this ping?' })).toBeVisible();
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/\/dashboard\/patients\/\d+_\d+\/events\/\d+$/);
  await expect(page.getByText(/^Saint Odile Hospital .* sent a discharge \(A03\)/)).toBeVisible();
  await expect(page.getByText(/matched automatically/)).toBeVisible();
  await page.getByRole('button', { name: 'Show the message' }).click();
  await expect(page.getByText('Control ID', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /message text/ })).toHaveCount(0);
  await expectAccessible(page, 'why this ping');
  await page.reload();
  await page.getByRole('link', { name: 'Evidence packet' }).click();
  await expect(page.getByRole('table', { name: 'Clocks' })).toBeVisible();
  await expect(page.getByText(/Based on ADT messages; not a claim\./)).toBeVisible();
  await expectAccessible(page, 'the evidence');
  await expectPrintable(page, ann.family);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { name: 'Why this ping' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rowOf(page, ann)).toBeVisible();
});

test('an administrator asks why there is no ping, from the feeds and from the patient', async ({ scene, open }) => {
  const [, ben] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ben);
  const page = await open(await scene.user('administrator'));
  await rowOf(page, ben).click();
  await page.getByRole('navigation', { name: 'Patient' }).getByRole('link', { name: 'Story' }).click();
  const { pathname } = new URL(page.url());
  await page.getByRole('link', { name: 'Why is there no ping?' }).click();
  await expect(page.getByText(/there is a ping\. It was sent for/)).toBeVisible();
  await page.getByLabel('Day').fill('2026-01-02');
  await expect(page.getByText(/The patient joined .* only/)).toBeVisible();
  await expectAccessible(page, 'why there is no ping');
  await page.getByRole('link', { name: 'Feeds' }).click();
  await page.getByText('Missing pings').click();
  await page.getByLabel('Patient ID').fill(pathname);
  await page.getByRole('button', { name: 'Show reasons' }).click();
  await expect(page.getByText(/there is a ping\. It was sent for/)).toBeVisible();
});
