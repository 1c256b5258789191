import type { Page } from '@playwright/test';
import { TEAM_HEADER } from '#contract/constants.ts';
import { FILTER_NAME_LIMIT } from '#contract/saved-filter-words.ts';
import { rowOf, rows, untilListed } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

const panel = (page: Page) => page.getByRole('complementary', { name: 'Filters' });

test('a value filters rows and counts, "is not" inverts it, and the URL restores it', async ({ scene, open }) => {
  const [ann, bob, cid] = scene.people as [Person, Person, Person];
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A01', bob);
  await scene.hospital.send('A04', cid, { patientClass: 'E' });
  const page = await open(await scene.user('care coordinator'));
  await untilListed(page, [ann, bob, cid]);
  await page.keyboard.press('f');
  await expect(panel(page).getByRole('searchbox', { name: 'Find a filter' })).toBeFocused();
  const admitted = panel(page).getByRole('checkbox', { name: /^Admitted/ });
  await expect(admitted).toHaveAccessibleName(/2$/);
  await admitted.check();
  await expect(rows(page)).toHaveCount(2);
  await expect(page).toHaveURL(/f\.currentStatus=ADMIT/);
  // The counts within the facet do not change, because another value would add rows.
  await expect(panel(page).getByRole('checkbox', { name: /^Presented/ })).toHaveAccessibleName(/1$/);
  await panel(page).getByText('is not', { exact: true }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rowOf(page, cid)).toBeVisible();
  await page.reload();
  await expect(rowOf(page, cid)).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove filter Current Status: not Admitted' }).click();
  await expect(rows(page)).toHaveCount(3);
  await page.goBack();
  await expect(rows(page)).toHaveCount(1);
});

test('values are looked up, ranges are typed, and filters without matches say so', async ({ scene, open }) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A01', bob);
  const page = await open(await scene.user('care coordinator'), '/dashboard/home/inbox?showFilters=true');
  await panel(page)
    .getByRole('button', { name: /^Facility Name/ })
    .click();
  await panel(page).getByRole('combobox', { name: 'Look up Facility Name' }).fill('saint odi');
  await panel(page)
    .getByRole('option', { name: new RegExp(scene.hospital.name) })
    .click();
  await expect(page.getByRole('list', { name: 'Applied filters' })).toContainText(
    `Facility Name: ${scene.hospital.name}`,
  );
  await expect(rows(page)).toHaveCount(2);
  await panel(page).getByRole('button', { name: /^Age/ }).click();
  await panel(page).getByRole('textbox', { name: 'Age, from, years' }).fill('120');
  await expect(page.getByText('No pings match 2 filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove last filter' }).click();
  await expect(rows(page)).toHaveCount(2);
  await panel(page)
    .getByRole('button', { name: /^Event Date/ })
    .click();
  await panel(page).getByRole('button', { name: 'Today' }).click();
  await expect(page.getByRole('list', { name: 'Applied filters' })).toContainText('Event Date: 0 days ago');
});

test('a filter is saved, opens the list by default, is modified, renamed and deleted', async ({ scene, open }) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A04', bob, { patientClass: 'E' });
  const user = await scene.user('care coordinator');
  const page = await open(user, '/dashboard/home/inbox?f.currentStatus=ADMIT&view=ALL_PATIENTS');
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Save filter' }).click();
  const modal = page.getByRole('dialog', { name: 'Save filter' });
  await expect(modal.getByText(/^In the last 30 days this filter would have matched/)).toBeVisible();
  await modal.getByRole('textbox', { name: 'Name' }).fill('Just admitted');
  await modal.getByRole('checkbox', { name: 'Make this my default view' }).check();
  await modal.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved Just admitted')).toBeVisible();
  await expect(page).toHaveURL(/\/home\/inbox\/active-filter-id\/\d+$/);
  await expect(rows(page)).toHaveCount(1);

  await page.goto('/dashboard/home/inbox');
  await expect(page).toHaveURL(/\/active-filter-id\/\d+$/);
  await expect(page.getByRole('button', { name: 'Filter: Just admitted' })).toBeVisible();
  await expect(rowOf(page, ann)).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove filter Current Status: Admitted' }).click();
  await expect(page.getByRole('group', { name: 'Modified filter' })).toContainText('Just admitted • Modified');
  await expect(rows(page)).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole('group', { name: 'Modified filter' })).toBeVisible();
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(rows(page)).toHaveCount(1);

  await page.getByRole('button', { name: 'Filter: Just admitted' }).click();
  await page.getByRole('menuitem', { name: 'Manage filters…' }).click();
  const manage = page.getByRole('dialog', { name: 'Manage filters' });
  await manage.getByRole('button', { name: 'Rename Just admitted' }).click();
  await manage.getByRole('textbox').fill('Admitted now');
  await manage.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(manage.getByText('Admitted now')).toBeVisible();
  await manage.getByRole('button', { name: 'Delete Admitted now' }).click();
  await page.getByRole('dialog', { name: 'Delete filter' }).getByRole('button', { name: 'Delete' }).click();
  await manage.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Deleted Admitted now filter')).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await page.goto('/dashboard/home/inbox');
  await expect(page.getByRole('button', { name: 'Filter: All Patients' })).toBeVisible();
});

for (const [name, width] of [
  ['a phone', 390],
  ['a desktop', 1440],
] as const)
  test(`the longest filter name pushes nothing off the screen of ${name}`, async ({ scene, open }) => {
    await scene.hospital.send('A01', scene.people[0] as Person);
    const page = await open(await scene.user('care coordinator'), '/dashboard/home/inbox');
    const long = 'Discharged and not yet called '.repeat(4).slice(0, FILTER_NAME_LIMIT - 1);
    const headers = { [TEAM_HEADER]: scene.team.id };
    const saved = await page.request.post('/api/patient-search-params', { headers, data: { name: `${long}.` } });
    const { id } = (await saved.json()) as { id: string };
    await page.setViewportSize({ width, height: 900 });
    for (const list of ['home/inbox', 'patients/my-patients', 'length-of-stay']) {
      await page.goto(`/dashboard/${list}/active-filter-id/${id}`);
      const menu = page.getByRole('button', { name: `Filter: ${long}.` });
      for (const button of [menu, page.getByRole('button', { name: 'Refresh' }), page.getByLabel('Sort by')]) {
        // On a phone the tools are a line that scrolls.
        await button.scrollIntoViewIfNeeded();
        await expect(button).toBeInViewport({ ratio: 1 });
      }
    }
  });
