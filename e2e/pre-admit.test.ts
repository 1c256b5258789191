import { expectAccessible } from './accessible.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

test('staff of a facility hold a patient, look them up, and see that an admission ended the hold', async ({
  scene,
  open,
}) => {
  test.slow();
  const [ann] = scene.people as [Person];
  const page = await open(await scene.engineer(), '/dashboard/pre-admit');
  await expect(page.getByText('No held patients.')).toBeVisible();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'Hold patient' });
  const hold = async (person: Person): Promise<void> => {
    await form.getByRole('textbox', { name: 'First name' }).fill(person.given);
    await form.getByRole('textbox', { name: 'Last name' }).fill(person.family);
    await form.getByRole('combobox', { name: 'Gender' }).selectOption(person.sex);
    await form.getByRole('textbox', { name: 'Date of birth' }).fill(person.birthDate);
    await form.getByRole('textbox', { name: 'ZIP' }).fill(person.zip);
    await form.getByRole('button', { name: 'Hold patient' }).click();
    await expect(form).toBeHidden();
  };
  await form.getByRole('button', { name: 'Hold patient' }).click();
  await expect(form.getByText('Enter a first name.')).toBeVisible();
  await expectAccessible(page, 'the form of a held patient');
  await hold(ann);
  const held = page.getByRole('region', { name: 'Held patients' });
  const rowOf = ({ family }: Person) => held.getByRole('row', { name: new RegExp(family, 'i') });
  await expect(rowOf(ann)).toContainText(scene.team.organizationName);
  await expect(rowOf(ann)).toContainText('72 hours left');

  await page.getByRole('button', { name: 'Hold patient' }).click();
  const stranger = scene.stranger();
  await hold(stranger);
  await expect(rowOf(stranger)).toContainText('No organization found');
  await expectAccessible(page, 'pre-admit');

  await rowOf(ann)
    .getByRole('button', { name: /^Look up/ })
    .click();
  const lookUp = page.getByRole('dialog', { name: 'Look up' });
  await expect(lookUp.getByRole('heading', { name: 'Programs' })).toBeVisible();
  await expectAccessible(page, 'the look-up of a held patient');
  await page.keyboard.press('Escape');
  await rowOf(stranger)
    .getByRole('button', { name: /^Look up/ })
    .click();
  await expect(lookUp.getByText('No automatic match.')).toBeVisible();
  await page.keyboard.press('Escape');

  await rowOf(stranger)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await page.getByRole('dialog', { name: 'Delete held patient' }).getByRole('button', { name: 'Delete' }).click();
  await expect(rowOf(stranger)).toBeHidden();

  await scene.hospital.send('A01', ann, { at: new Date() });
  await expect(page.getByText('No held patients.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Admitted in the last 72 hours' })).toBeVisible();
  await page.getByRole('link', { name: new RegExp(ann.family, 'i') }).click();
  await expect(page).toHaveURL(/\/patients\/\d+_\d+$/);
});
