import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { sql } from '#server/platform/database/sql.ts';
import { readCsv } from '#server/testing/exports.ts';
import { expectAccessible } from './accessible.ts';
import { rowOf, rows } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

const contentOf = async (download: Download) => readCsv(await readFile(await download.path(), 'utf8'));
const exportRow = (page: Page, name: RegExp) => page.getByRole('row', { name });

/** Messages may cover a link; a dialog covers them. */
async function closeMessages(page: Page): Promise<void> {
  const messages = page.getByRole('button', { name: 'Close this message' });
  while ((await messages.count()) > 0) await messages.first().click();
}

async function download(page: Page, name: RegExp): Promise<Download> {
  if (!(await page.getByRole('dialog').isVisible())) await closeMessages(page);
  const started = page.waitForEvent('download');
  await page.getByRole('link', { name }).click();
  return started;
}

test('encounters are exported from the modal, with progress, and the file has what was chosen', async ({
  scene,
  open,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A04', bob, { patientClass: 'E' });
  const page = await open(await scene.user('care coordinator'));
  await expect(rows(page)).toHaveCount(2);
  await page.goto('/dashboard/exports');
  await expect(page.getByText('No exports in the last 7 days.')).toBeVisible();
  await page.getByRole('button', { name: 'New export' }).click();
  const modal = page.getByRole('dialog', { name: 'Export' });
  // Folded up: the list of fields scrolls, and a box that is half out of sight is too small a target.
  await expectAccessible(page, 'export modal');
  await page.setViewportSize({ width: 1440, height: 900 });
  await modal.getByText(/^Fields: \d+ of \d+$/).click();
  await modal.getByRole('checkbox', { name: 'Bed' }).check();
  await modal.getByRole('combobox', { name: 'Statuses' }).click();
  await page.getByRole('option', { name: 'Admitted' }).click();
  await page.keyboard.press('Tab');
  await modal.getByRole('button', { name: 'Start export' }).click();
  const row = exportRow(page, /^Encounters, /);
  await expect(row).toContainText(/Waiting to start|so far|1 row/);
  await expect(row).toContainText('1 row, ');
  await expect(page.getByText('Your export has completed and can be found in Recent Exports.')).toBeVisible();
  await expectAccessible(page, 'Recent Exports');
  const file = await download(page, /^Download Encounters, /);
  expect(file.suggestedFilename()).toMatch(/^encounters-filtered-\d{4}-\d\d-\d\d-\d+\.csv$/);
  const exported = await contentOf(file);
  expect(exported).toHaveLength(1);
  expect(exported[0]).toMatchObject({ 'Last name': ann.family, 'Latest event': 'Admitted' });
  expect(exported[0]).toHaveProperty('Bed');
  expect(exported[0]).not.toHaveProperty('Room');
});

test('patients with an active encounter are downloaded at once', async ({ scene, open }) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A01', bob);
  await scene.hospital.send('A03', bob);
  const page = await open(await scene.user('care coordinator'));
  await expect(rowOf(page, ann)).toBeVisible();
  await expect(rowOf(page, bob)).toContainText('Discharged');
  await page.getByRole('link', { name: 'Exports', exact: true }).click();
  await page.getByRole('button', { name: 'New export' }).click();
  await page.getByText('Patient active encounters').click();
  await expectAccessible(page, 'export of active encounters');
  await page.setViewportSize({ width: 1440, height: 900 });
  const exported = await contentOf(await download(page, /^Download$/));
  expect(exported.map((row) => row['Last name'])).toEqual([ann.family]);
});

test('the inbox and the patient list export what they show', async ({ scene, open, db }) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A01', bob);
  const user = await scene.user('care coordinator');
  const page = await open(user);
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Export list' }).click();
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
  await expect(page.getByText('Export of 2 rows started. You can find it in Recent Exports.')).toBeVisible();
  await page.getByRole('button', { name: 'Recent Exports' }).click();
  await expect(exportRow(page, /^Pings list/)).toContainText('2 rows, ');
  const inbox = await contentOf(await download(page, /^Download Pings list/));
  expect(inbox.map((row) => row['Ping status'])).toEqual(['Unresolved', 'Unresolved']);
  await page.getByRole('link', { name: 'Patients', exact: true }).click();
  await page.getByRole('button', { name: 'Export list' }).click();
  await page.getByRole('menuitem', { name: 'Export as Excel (XLSX)' }).click();
  await expect(page.getByText(/^Export of \d+ rows started/)).toBeVisible();
  await page.getByRole('link', { name: 'Exports', exact: true }).click();
  const file = await download(page, /^Download Patients list/);
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
  expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK');
  const { rows: entries } = await db.query(
    sql`select from audit_entries where user_id = ${user.id} and action = 'export.download'`,
  );
  expect(entries).toHaveLength(2);
});

test('the event feed is exported as it is filtered', async ({ scene, open }) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A04', bob, { patientClass: 'E' });
  const page = await open(await scene.user('care coordinator'), '/dashboard/event-feed?f.currentStatus=ADMIT');
  await expect(page.getByText(`1 event · ${scene.team.name}`)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 900 });
  await page.getByRole('button', { name: 'Export event feed' }).click();
  const modal = page.getByRole('dialog', { name: 'Export event feed' });
  await expect(modal).toBeVisible();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Export event feed' }).click();
  await expectAccessible(page, 'export event feed');
  await expect(modal).toContainText('1 event, each with its patient and visit');
  await expect(modal).toContainText('Filters: Current Status: Admitted');
  await modal.getByRole('button', { name: 'Start export' }).click();
  await expect(modal).toBeHidden();
  await page.getByRole('button', { name: 'Recent Exports' }).click();
  await expect(exportRow(page, /^Events list/)).toContainText('1 row, ');
  const exported = await contentOf(await download(page, /^Download Events list/));
  expect(exported).toMatchObject([{ 'Last name': ann.family, Event: 'Admitted' }]);
});
