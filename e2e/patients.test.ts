import type { Page } from '@playwright/test';
import { expect, test, untilLive } from './journey.ts';
import { listedName, type Person } from './people.ts';

const PATH = '/dashboard/patients/my-patients';
const rows = (page: Page) => page.getByRole('table', { name: 'Patients' }).getByRole('row');
const rowOf = (page: Page, person: Person) => rows(page).filter({ hasText: listedName(person) });
const panel = (page: Page) => page.getByRole('complementary', { name: 'Filters' });

test('the patient list opens on current patients, widens to all, and a row opens the patient', async ({
  scene,
  open,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('care coordinator'), PATH);
  await expect(page.getByRole('button', { name: 'Filter: Currently Admitted' })).toBeVisible();
  await expect(rowOf(page, ann)).toContainText('Admitted — Inpatient');
  await expect(rowOf(page, ann)).toContainText(scene.hospital.name);
  await expect(rowOf(page, bob)).toHaveCount(0);
  await expect(page.getByText(`1 of ${scene.people.length} · ${scene.team.name}`)).toBeVisible();
  // A time never breaks before its AM or zone.
  await page.setViewportSize({ width: 1024, height: 900 });
  const lines = 'Array.from(document.querySelectorAll("td time > span"), (part) => part.getClientRects().length)';
  await expect.poll(() => page.evaluate(lines)).toEqual([1, 1]);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole('button', { name: 'Filter: Currently Admitted' }).click();
  await page.getByRole('menuitemradio', { name: 'All Patients' }).click();
  await expect(rows(page)).toHaveCount(scene.people.length + 1);
  await expect(rowOf(page, bob)).toContainText(bob.memberId);
  await page.goBack();
  await expect(rows(page)).toHaveCount(2);

  await page.keyboard.press('j');
  await expect(page.locator(':focus')).toHaveAttribute('data-patient', /^\d+_\d+$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/patients\/\d+_\d+$/);
  await expect(page.getByRole('heading', { level: 1, name: listedName(ann) })).toBeVisible();
});

test('a name and a birth date are found, stay out of the URL, and survive a reload and the back button', async ({
  scene,
  open,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  const page = await open(await scene.user('viewer'), PATH);
  await expect(rows(page)).toHaveCount(scene.people.length + 1);
  await page.keyboard.press('/');
  const field = page.getByRole('searchbox', { name: 'Name or identifier' });
  await expect(field).toBeFocused();
  await field.fill(ann.family.slice(0, 5).toLowerCase());
  await expect(rowOf(page, ann)).toBeVisible();
  await expect(rowOf(page, bob)).toHaveCount(0);
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveValue('RELEVANCE ASC');
  expect(page.url().toLowerCase()).not.toContain(ann.family.slice(0, 5).toLowerCase());
  await page.reload();
  await expect(field).toHaveValue(ann.family.slice(0, 5).toLowerCase());
  await expect(rowOf(page, ann)).toBeVisible();
  await expect(rowOf(page, bob)).toHaveCount(0);
  await rowOf(page, ann).getByRole('link').click();
  await expect(page).toHaveURL(/\/patients\/\d+_\d+$/);
  await page.goBack();
  await expect(rowOf(page, ann)).toBeVisible();
  await expect(rowOf(page, bob)).toHaveCount(0);

  await field.fill('');
  await expect(rowOf(page, bob)).toBeVisible();
  const [year = '', month = '', day = ''] = bob.birthDate.split('-');
  const born = page.getByRole('textbox', { name: 'Date of birth, MM/DD/YYYY' });
  await born.fill(`${Number(month)}/${Number(day)}/${year}`);
  await expect(rows(page)).toHaveCount(2);
  await expect(rowOf(page, bob)).toBeVisible();
  await expect(born).toHaveValue(`${month}/${day}/${year}`);
  // Without the origin, whose port may contain the year's digits.
  expect(page.url().slice(new URL(page.url()).origin.length)).not.toContain(year);
  await born.fill('13/45/1950');
  await expect(page.getByText('Not a valid date. Use MM/DD/YYYY.')).toBeVisible();
  await field.fill('Nobodyofthisname');
  await expect(page.getByText(/No patients match 2 filters\./)).toBeVisible();
});

test('a changed result waits behind a bar, and no row moves', async ({ scene, open }) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann, { at: new Date(Date.now() - 7_200_000) });
  const page = await open(await scene.user('care coordinator'), PATH);
  await expect(rowOf(page, ann)).toBeVisible();
  await untilLive(page);
  const before = await rowOf(page, ann).boundingBox();
  await scene.hospital.send('A04', bob, { patientClass: 'E' });
  await expect(page.getByRole('button', { name: 'List updated — show' })).toBeVisible();
  expect(await rowOf(page, ann).boundingBox()).toEqual(before);
  await expect(rowOf(page, bob)).toHaveCount(0);
  await page.getByRole('button', { name: 'List updated — show' }).press('Enter');
  await expect(rowOf(page, bob)).toContainText('Presented — Emergency');
});

test('a facility sees its own patients live, although it gets no pings about them', async ({ scene, open }) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann, { at: new Date(Date.now() - 7_200_000) });
  const page = await open(await scene.engineer(), `${PATH}?view=ALL_PATIENTS`);
  await expect(rowOf(page, ann)).toBeVisible();
  await untilLive(page);
  await scene.hospital.send('A01', bob);
  await page.getByRole('button', { name: 'List updated — show' }).press('Enter');
  await expect(rowOf(page, bob)).toContainText('Day 1');
  await expect(rowOf(page, bob)).toContainText('Admitted — Inpatient');
});

test('pages have 5, 10 or 20 rows, and chosen columns are stored', async ({ scene, open }) => {
  const page = await open(await scene.user('viewer'), PATH);
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('5');
  await expect(rows(page)).toHaveCount(6);
  await expect(page.getByText(`1–5 of ${scene.people.length}`, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(rows(page)).toHaveCount(scene.people.length - 5 + 1);
  await expect(page).toHaveURL(/[?&]p=2/);
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('20');
  await expect(page).not.toHaveURL(/[?&]p=/);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Practice' }).check();
  const kept = page.waitForResponse('**/api/users/preferences');
  await page.getByRole('checkbox', { name: 'Stay', exact: true }).uncheck();
  await kept;
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Practice' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Stay', exact: true })).toHaveCount(0);
});

test('on a phone the filter panel opens from below, says how many patients it leaves, and closes', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('viewer'), PATH);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(panel(page)).toHaveCount(0);
  await page.getByRole('button', { name: /^Filters/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Filters' });
  await drawer.getByRole('checkbox', { name: /^Admitted/ }).check();
  await drawer.getByRole('button', { name: 'Show 1 patient' }).click();
  await expect(drawer).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Patients' }).getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'Applied filters' })).toContainText('Current Status: Admitted');
});
