import { expectAccessible } from './accessible.ts';
import { detail, rowOf, untilListed } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

test.slow();

test('a team shares its inbox: taken by keyboard, seen at once, filtered by owner, waiting and handed over', async ({
  scene,
  open,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  for (const person of [bob, ann]) await scene.hospital.send('A01', person);
  const page = await open(await scene.user('care coordinator'));
  const colleague = await scene.user('clinician', { firstName: 'Noor', lastName: 'Vasko' });
  const other = await open(colleague);
  await untilListed(page, [ann, bob]);
  await untilListed(other, [ann, bob]);

  await rowOf(page, ann).click();
  await expect(detail(page).getByText('No owner')).toBeVisible();
  await page.keyboard.press('a');
  const chooser = detail(page).getByRole('group', { name: 'Assign to' });
  await expect(chooser.getByRole('textbox')).toBeFocused();
  await expectAccessible(page, 'the choice of a colleague');
  await chooser.getByRole('button', { name: 'Me', exact: true }).click();
  await expect(rowOf(page, ann)).toContainText('Taken by you');
  await expect(rowOf(other, ann)).toContainText('Taken by ');

  await rowOf(other, ann).click();
  await expect(detail(other).getByText(/is viewing this patient now\.$/)).toBeVisible();
  // Whoever was first learns of the second over the stream, long before asking again.
  await expect(detail(page).getByText('Noor Vasko is viewing this patient now.')).toBeVisible({ timeout: 3000 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await rowOf(page, ann).focus();
  await page.keyboard.press('h');
  await expectAccessible(page, 'the choice of a wait');
  await detail(page).getByRole('button', { name: 'Until a new event' }).click();
  await expect(rowOf(other, ann)).toContainText('Waiting for a new event');
  await scene.hospital.send('A02', ann, { fields: { 'PV1-3': 'ICU^1^A' } });
  await expect(rowOf(other, ann)).not.toContainText('Waiting');

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Owner', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Mine' }).click();
  await expect(page).toHaveURL(/owner=mine/);
  await expect(rowOf(page, bob)).toHaveCount(0);
  await expect(rowOf(page, ann)).toBeVisible();
  await expectAccessible(page, 'the inbox by owner');

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Owner: Mine', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Hand over…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand over' });
  await expect(dialog).toContainText('You have 1 stay');
  await dialog
    .getByRole('group', { name: 'To' })
    .getByRole('button', { name: `${colleague.firstName} ${colleague.lastName}` })
    .click();
  await expectAccessible(page, 'a hand-over');
  await dialog.getByRole('button', { name: /^Hand over 1 stay to / }).click();
  await expect(rowOf(other, ann)).toContainText('Taken by you');

  await page.getByRole('button', { name: 'Owner: Mine', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Recently done' }).click();
  const done = page.getByRole('dialog', { name: 'Recently done' });
  await expect(done).toContainText('Handed over to ');
  await expectAccessible(page, 'what was done lately');
  await done.getByRole('button', { name: /^Undo: .*Handed over/ }).click();
  await expect(rowOf(other, ann)).not.toContainText('Taken by you');
});
