import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { rowOf } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

test.slow();

/** The content fits into the window at each of these widths. */
async function expectFitting(page: Page): Promise<void> {
  for (const width of [320, 390, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const content = await page.evaluate<number>('document.scrollingElement.scrollWidth');
    expect(content, `width of the content in a window of ${width} px`).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('a coordinator keeps the care team, and the team sees it live', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('care coordinator'));
  await rowOf(page, ann).click();
  await page.getByRole('navigation', { name: 'Patient' }).getByRole('link', { name: 'Care team' }).click();
  await expect(page).toHaveURL(/\/dashboard\/patients\/\d+_\d+\/care-team$/);
  await expect(page.getByText('No contacts yet.')).toBeVisible();
  const viewer = await open(await scene.user('viewer'), new URL(page.url()).pathname);
  await expect(viewer.getByText('No contacts yet.')).toBeVisible();

  await page.getByRole('button', { name: 'Add contact' }).click();
  await page.getByLabel('Name').fill('Marisol Etchegaray, RN');
  await page.getByLabel('Job title').fill('Nurse care manager');
  await page.getByLabel('Phone').fill('906-555-0151');
  await page.getByLabel('Email').fill('m.etchegaray@lakeshore.example');
  await page.getByLabel('Call first').check();
  await expectAccessible(page, 'the form of a contact');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Marisol Etchegaray, RN was saved.')).toBeVisible();
  await expectAccessible(page, 'the care team');
  await expectFitting(page);

  const card = viewer.getByRole('listitem').filter({ hasText: 'Marisol Etchegaray, RN' });
  await expect(card).toContainText('Call first');
  await expect(card.getByRole('link', { name: /^Call/ })).toHaveAttribute('href', 'tel:9065550151');
  await expect(viewer.getByRole('button', { name: /^Edit|^Add/ })).toHaveCount(0);

  await page.getByRole('button', { name: 'Edit Marisol Etchegaray, RN' }).click();
  await page.getByRole('button', { name: 'Remove this contact…' }).click();
  await page.getByRole('button', { name: 'Remove contact', exact: true }).click();
  await expect(page.getByText('No contacts yet.')).toBeVisible();
  await expect(viewer.getByText('No contacts yet.')).toBeVisible();
});

test('care plans and instructions are kept in order, with a form to download', async ({ scene, open, complaints }) => {
  // The browser logs the refused upload.
  complaints.expect(/status of 400 .*\/form$/);
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('care coordinator'));
  await rowOf(page, ann).click();
  await page.getByRole('link', { name: 'Case management' }).click();
  await page.getByRole('button', { name: 'Add care plan' }).click();
  await page.getByLabel('Name').fill('Anneke Boateng, NP');
  await page.getByLabel('Program').fill('Palliative home visits');
  await page.getByRole('textbox', { name: 'Care plan' }).fill('Comfort first.\nCall before the emergency department.');
  await page.getByRole('button', { name: 'Save' }).click();
  const plans = page.getByRole('region', { name: 'Care plans' });
  await expect(plans.getByRole('listitem')).toContainText('Comfort first.');

  const admit = page.getByRole('region', { name: 'Admit instructions' });
  for (const text of ['Fax the medication list.', 'Call within 2 hours.']) {
    await page.getByRole('button', { name: 'Add admit instruction' }).click();
    await page.getByLabel('Instruction', { exact: true }).fill(text);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(admit).toContainText(text);
  }
  await admit.getByRole('button', { name: 'Move up: Call within 2 hours.' }).click();
  await expect(admit.getByRole('listitem').first()).toContainText('Call within 2 hours.');

  await admit.getByRole('button', { name: 'Edit: Call within 2 hours.' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  const file = { name: 'Intake.html', mimeType: 'text/html', buffer: Buffer.from('<script>alert(1)</script>') };
  await (await chooser).setFiles(file);
  await page.getByRole('button', { name: 'Upload form' }).click();
  await expect(page.getByRole('alert')).toContainText('This file is not a PDF, PNG, or JPEG');
  const again = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  await (await again).setFiles({ name: 'Intake.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n') });
  await page.getByRole('button', { name: 'Upload form' }).click();
  await expect(page.getByText('Intake.pdf was uploaded.')).toBeVisible();
  const saved = page.waitForEvent('download');
  await admit.getByRole('link', { name: 'Intake.pdf' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('Intake.pdf');
  expect((await readFile(await download.path())).toString()).toBe('%PDF-1.4\n');
  await expectAccessible(page, 'case management');
  await expectFitting(page);

  await page.getByRole('navigation', { name: 'Patient' }).getByRole('link', { name: 'Attachments' }).click();
  const attached = page.getByRole('row').filter({ hasText: 'Call within 2 hours.' });
  await expect(attached.getByRole('link', { name: 'Intake.pdf' })).toBeVisible();
  await expect(attached).toContainText('When admitted');
  await expectAccessible(page, 'attachments');
  await expectFitting(page);
});
