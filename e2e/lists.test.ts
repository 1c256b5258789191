/** What the three lists have in common: no personal data in URLs, browser history, identity warnings, printing. */
import type { Page } from '@playwright/test';
import { FACETS } from '#contract/facets.ts';
import { rowOf, rows, untilListed } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import { listedName, type Person } from './people.ts';

const INBOX = '/dashboard/home/inbox';
const ROSTER = '/dashboard/patients/my-patients';
const STAYS = '/dashboard/length-of-stay';
const panel = (page: Page) => page.getByRole('complementary', { name: 'Filters' });
const table = (page: Page) => page.getByRole('table', { name: 'Patients' });

test('in the inbox a name is typed in the panel, shown as a chip, kept in the history and never in the URL', async ({
  scene,
  open,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A01', bob);
  const page = await open(await scene.user('care coordinator'), INBOX);
  await expect(rows(page)).toHaveCount(2);
  await page.keyboard.press('f');
  await expect(panel(page).getByRole('searchbox', { name: 'Find a filter' })).toBeFocused();
  await page.getByRole('button', { name: /^Filters/ }).click();
  await expect(panel(page)).toHaveCount(0);
  await page.keyboard.press('/');
  const field = panel(page).getByRole('searchbox', { name: 'Name or identifier' });
  await expect(field).toBeFocused();
  const name = ann.family.toLowerCase();
  await field.fill(name);
  await expect(rows(page)).toHaveCount(1);
  await expect(rowOf(page, ann)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Applied filters' })).toContainText(`1 of 2Name or identifier: ${name}`);
  expect(page.url().toLowerCase()).not.toContain(name);
  await rowOf(page, ann).click();
  await expect(page).toHaveURL(/[?&]sel=\d+_\d+/);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await panel(page)
    .getByRole('checkbox', { name: /^Admitted/ })
    .check();
  await expect(page).toHaveURL(/f\.currentStatus=ADMIT/);
  await page.goBack();
  await expect(page).not.toHaveURL(/f\.currentStatus/);
  await expect(panel(page).getByRole('searchbox', { name: 'Name or identifier' })).toHaveValue(name);
  await page.goForward();
  await expect(page).toHaveURL(/f\.currentStatus=ADMIT/);
  await expect(rows(page)).toHaveCount(1);
  expect(page.url().toLowerCase()).not.toContain(name);
  await page.getByRole('button', { name: `Remove filter Name or identifier: ${name}` }).click();
  await expect(rows(page)).toHaveCount(2);
});

test('length of stay follows the browser history, and its URL holds only codes', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann, { at: new Date(Date.now() - 5 * 86_400_000) });
  const page = await open(await scene.user('care coordinator'), STAYS);
  await page.getByRole('button', { name: new RegExp(`^Remove filter ${FACETS.groupType.label}`) }).click();
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await page.getByRole('searchbox', { name: 'Name or identifier' }).fill(ann.family.toLowerCase());
  await expect(page.getByRole('list', { name: 'Applied filters' })).toContainText('Name or identifier');
  await panel(page).getByRole('button', { name: 'Up to 20 days' }).click();
  await expect(page).toHaveURL(/f\.lengthOfStay=0%3A20|f\.lengthOfStay=0:20/);
  const { search } = new URL(page.url());
  expect([...new URLSearchParams(search).keys()].toSorted((a, b) => a.localeCompare(b))).toEqual([
    'f.lengthOfStay',
    'open',
    'view',
  ]);
  await page.goBack();
  await expect(page.getByRole('list', { name: 'Applied filters' })).toContainText('Length of Stay: 0 to 100 days');
  await page.goForward();
  await expect(page.getByRole('list', { name: 'Applied filters' })).toContainText('Length of Stay: 0 to 20 days');
  await expect(table(page).getByRole('row')).toHaveCount(2);
});

test('a patient with a namesake is marked in every list', async ({ scene, open }) => {
  const [ann, bob] = scene.people as [Person, Person];
  const twin = { ...scene.stranger(), family: ann.family, birthDate: ann.birthDate };
  await scene.list([...scene.people, twin]);
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A01', bob);
  const page = await open(await scene.user('care coordinator'), INBOX);
  await expect(rowOf(page, ann)).toContainText('Similar name');
  await expect(rowOf(page, bob)).not.toContainText('Similar name');
  await page.goto(ROSTER);
  const row = (person: Person) =>
    table(page)
      .getByRole('row')
      .filter({ hasText: listedName(person) });
  await expect(row(ann)).toContainText('Similar name');
  await expect(row(bob)).not.toContainText('Similar name');
  await page.goto(`${STAYS}?open=true&view=ALL_PATIENTS`);
  await expect(row(ann)).toContainText('Similar name');
  await expect(row(bob)).not.toContainText('Similar name');
});

test('a page that no longer exists is replaced by the last one', async ({ scene, open }) => {
  for (const person of scene.people) await scene.hospital.send('A01', person);
  const user = await scene.user('care coordinator');
  const page = await open(user, INBOX);
  await untilListed(page, scene.people);
  await page.goto(`${INBOX}?p=7&size=5`);
  await expect(rows(page)).toHaveCount(scene.people.length - 5);
  await expect(page).toHaveURL(/[?&]p=2/);
  await page.goto(`${ROSTER}?view=ALL_PATIENTS&p=7`);
  await expect(table(page).getByRole('row')).toHaveCount(scene.people.length + 1);
  await expect(page).not.toHaveURL(/[?&]p=/);
});

for (const [name, path, words] of [
  ['the inbox', `${INBOX}?f.currentStatus=ADMIT`, 'Current Status: Admitted'],
  ['the roster', `${ROSTER}?f.currentStatus=ADMIT`, 'Current Status: Admitted'],
  ['length of stay', `${STAYS}?open=true&f.lengthOfStay=0:9`, 'Current stays only; Length of Stay: 0 to 9 days'],
] as const)
  test(`${name} prints identities, filters in words, counts and a privacy notice, in black on white`, async ({
    scene,
    open,
  }) => {
    const [ann] = scene.people as [Person];
    await scene.hospital.send('A01', ann);
    const page = await open(await scene.user('care coordinator'), path);
    await page.emulateMedia({ colorScheme: 'dark' });
    const row = page.locator('li, tr').filter({ hasText: listedName(ann) });
    await expect(row).toBeVisible();
    const filters = page.locator('dd').getByText(words, { exact: true });
    // The print parts are loaded in spare time.
    await expect(filters).toHaveCount(1);
    await expect(filters).toBeHidden();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    // US letter within its margins.
    await page.setViewportSize({ width: 725, height: 950 });
    await expect(filters).toBeVisible();
    await expect(page.getByText(/^1–1 of 1 (ping|patient) · 1 of \d+$/)).toBeVisible();
    await expect(page.getByText(/^Confidential: contains patient information \(PHI\)\. Printed /)).toBeVisible();
    await expect(row).toContainText(ann.memberId);
    for (const hidden of [page.getByRole('navigation', { name: 'Pages' }), panel(page), page.getByRole('banner')])
      await expect(hidden).toBeHidden();
    const box = await row.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(725);
    await expect(row).toHaveCSS('color', 'rgb(0, 0, 0)');
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  });
