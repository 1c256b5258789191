import { expectAccessible } from './accessible.ts';
import { rowOf, untilListed } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import { listedName, type Person } from './people.ts';

const hours = (ago: number) => ({ at: new Date(Date.now() - ago * 3_600_000) });

test('several stays are changed at once by keys, one that someone else took is named, and undo takes the rest back', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/\/api\/live/);
  const [ann, bob, cid] = scene.people as [Person, Person, Person];
  for (const [n, person] of [cid, bob, ann].entries()) await scene.hospital.send('A01', person, hours(n + 1));
  const page = await open(await scene.user('care coordinator'));
  const other = await open(await scene.user('clinician'));
  // This page doesn't hear of what others do.
  await page.route('**/api/live*', (route) => route.abort());
  await untilListed(page, [ann, bob, cid]);
  await untilListed(other, [bob]);
  await page.keyboard.press('j');
  await expect(rowOf(page, cid)).toBeFocused();
  await page.keyboard.press('x');
  const bar = page.getByRole('region', { name: 'Selected pings' });
  await expect(bar).toContainText('1 stay of 1 patient selected');
  await page.keyboard.press('Shift+J');
  await expect(bar).toContainText('2 stays of 2 patients selected');
  await bar.getByRole('button', { name: 'Select this page' }).click();
  await expect(bar).toContainText('3 stays of 3 patients selected');
  await expect(page.getByRole('checkbox', { name: /^Select (?!this)/ })).toHaveCount(3);
  await expectAccessible(page, 'the inbox with selected rows');

  await rowOf(other, bob).click();
  await other.getByRole('button', { name: 'Mark in progress' }).click();
  await expect(rowOf(other, bob)).toContainText('In Progress');
  // Once it is saved.
  await expect(other.getByText(/: In Progress\.$/)).toBeVisible();

  await bar.getByRole('button', { name: 'Resolve…' }).click();
  await expect(bar).toContainText('Resolve 3 stays of 3 patients');
  await bar.getByRole('checkbox', { name: 'No action needed' }).check();
  await bar.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(rowOf(page, ann)).toHaveCount(0);
  await expect(rowOf(page, cid)).toHaveCount(0);
  await expect(bar).toContainText(`${listedName(bob)}: `);
  await expect(bar).toContainText('just changed this ping');
  // Undo is offered for ten seconds.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectAccessible(page, 'the inbox with a row that was not changed');
  await expect(rowOf(page, ann)).toContainText('Unresolved');
  await expect(rowOf(page, cid)).toContainText('Unresolved');
});

test('on a phone rows are selected by touch and all matching are changed after a question', async ({ scene, open }) => {
  test.slow();
  for (const [n, person] of scene.people.entries()) await scene.hospital.send('A01', person, hours(n + 1));
  const page = await open(await scene.user('care coordinator'), '/dashboard/home/inbox?rows=10');
  await page.setViewportSize({ width: 390, height: 844 });
  const [ann] = scene.people as [Person];
  await untilListed(page, scene.people);
  await page
    .getByRole('checkbox', { name: /^Select (?!this)/ })
    .first()
    .check();
  const bar = page.getByRole('region', { name: 'Selected pings' });
  await bar.getByRole('button', { name: 'Select this page' }).click();
  await expectAccessible(page, 'selected rows');
  await page.setViewportSize({ width: 390, height: 844 });
  const content = await page.evaluate<number>('document.scrollingElement.scrollWidth');
  expect(content).toBeLessThanOrEqual(390);
  await bar.getByRole('button', { name: 'More' }).click();
  await bar.getByRole('menuitem', { name: 'In Progress' }).click();
  await expect(rowOf(page, ann)).toContainText('In Progress');
  await expect(bar).toHaveCount(0);
});
