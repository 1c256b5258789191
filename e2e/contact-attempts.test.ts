import { expectAccessible } from './accessible.ts';
import { detail, rowOf } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

test.slow();

test('a coordinator logs a call by keyboard, the team sees it, and only she takes it back', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('care coordinator'));
  await rowOf(page, ann).click();
  await expect(detail(page).getByText('No contact attempts yet.')).toBeVisible();
  await page.keyboard.press('l');
  const form = page.getByRole('dialog', { name: 'Log contact' });
  await expect(form.getByText(ann.family)).toBeVisible();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Choose an outcome.')).toBeVisible();
  await expect(form.getByLabel('Outcome')).toBeFocused();
  await form.getByLabel('Outcome').selectOption('Left a message');
  await form.getByLabel('Note').fill('With the daughter');
  await expectAccessible(page, 'the form of a contact attempt');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toHaveCount(0);
  await expect(detail(page).getByText('Call: Left a message')).toBeVisible();
  await expectAccessible(page, 'the contact attempts');

  const viewer = await open(await scene.user('viewer'));
  await rowOf(viewer, ann).click();
  await expect(detail(viewer).getByText('With the daughter')).toBeVisible();
  await expect(detail(viewer).getByRole('button', { name: 'Log contact' })).toHaveCount(0);
  await expect(detail(viewer).getByRole('button', { name: /^Remove: Call/ })).toHaveCount(0);

  await detail(page)
    .getByRole('button', { name: /^Remove: Call: Left a message/ })
    .click();
  await page.getByRole('button', { name: 'Remove attempt' }).click();
  await expect(detail(page).getByText('No contact attempts yet.')).toBeVisible();
});
