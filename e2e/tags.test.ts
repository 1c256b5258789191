import { expectAccessible } from './accessible.ts';
import { detail, rowOf } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

test.slow();

const LONG = 'Heart failure pathway, weekly weight check';

test('a coordinator tags a patient, and the team finds the patient by the tag', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const user = await scene.user('care coordinator');
  const page = await open(user);
  await rowOf(page, ann).click();
  await detail(page).getByRole('button', { name: 'Edit tags' }).click();
  const field = detail(page).getByLabel('Add a tag');
  await expect(field).toBeFocused();
  for (const name of ['Fall risk', LONG]) {
    await field.fill(name);
    await field.press('Enter');
    await expect(detail(page).getByRole('button', { name: `Remove tag ${name}` })).toBeVisible();
  }
  await expectAccessible(page, 'the editor of tags');
  await detail(page).getByRole('button', { name: 'Done' }).click();
  await page.keyboard.press('t');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('');
  await detail(page).getByRole('button', { name: 'Done' }).click();
  await expect(detail(page).getByTitle(LONG)).toHaveText('Heart failure pathway, weekly …');

  await page.goto('/dashboard/patients/my-patients?view=ALL_PATIENTS');
  const panel = page.getByRole('complementary', { name: 'Filters' });
  await panel.getByRole('button', { name: /^Active Tags/ }).click();
  await panel.getByRole('checkbox', { name: /^Fall risk/ }).check();
  await expect(page.getByRole('table', { name: 'Patients' }).getByRole('row')).toHaveCount(2);

  const viewer = await open(await scene.user('viewer'));
  await rowOf(viewer, ann).click();
  await expect(detail(viewer).getByText('Fall risk')).toBeVisible();
  await expect(detail(viewer).getByRole('button', { name: 'Edit tags' })).toHaveCount(0);
});
