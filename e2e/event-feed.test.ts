import { expectAccessible } from './accessible.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test('new events wait behind a bar, a correction is struck through in place, and a pause stops both', async ({
  scene,
  open,
}) => {
  test.slow();
  const [ann, bob, cid] = scene.people as [Person, Person, Person];
  await scene.hospital.send('A01', ann, { at: minutesAgo(50) });
  const page = await open(await scene.user('care coordinator'), '/dashboard/event-feed');
  // Shortly after midnight those of an hour ago are yesterday's.
  const rows = page.getByRole('list', { name: /^Events, (?:Today|Yesterday)/ }).getByRole('listitem');
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('Admitted — Inpatient');
  await expect(rows.first()).toContainText(scene.hospital.name);
  await expect(page.getByText(`1 event · ${scene.team.name}`)).toBeVisible();

  await scene.hospital.send('A01', bob, { at: minutesAgo(20) });
  const bar = page.getByRole('button', { name: '1 new event — show' });
  await expect(bar).toBeVisible();
  await expect(rows).toHaveCount(1);
  await bar.click();
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(new RegExp(bob.family, 'i'));

  await scene.hospital.send('A11', ann, { at: minutesAgo(10) });
  const canceled = rows.filter({ hasText: new RegExp(ann.family, 'i') });
  await expect(canceled.locator('s')).toHaveText('Admitted — Inpatient');
  await expect(canceled).toContainText('Canceled');

  await page.keyboard.press('p');
  await expect(page.getByText(/^Live updates paused at/)).toBeVisible();
  await scene.hospital.send('A01', cid, { at: minutesAgo(5) });
  await page.waitForTimeout(2500);
  await expect(bar).toBeHidden();
  await page.getByRole('button', { name: 'Resume live updates' }).click();
  await bar.click();
  await expect(rows).toHaveCount(3);
  await expectAccessible(page, 'event feed');
});

test('a filter saved on the feed becomes its default view and notifies of new events', async ({ scene, open }) => {
  test.slow();
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann, { at: minutesAgo(30) });
  const page = await open(await scene.user('care coordinator'), '/dashboard/event-feed?f.currentStatus=ADMIT');
  await expect(page.getByRole('list', { name: 'Applied filters' })).toContainText('Current Status: Admitted');
  await page.keyboard.press('Shift+S');
  const save = page.getByRole('dialog', { name: 'Save filter' });
  await save.getByRole('textbox', { name: 'Name' }).fill('Admissions');
  await save.getByRole('checkbox', { name: 'Make this my default view' }).check();
  const isDefault = page.waitForResponse((answer) => answer.url().includes('/preferences?filterId='));
  await save.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Filter: Admissions' })).toBeVisible();
  expect((await isDefault).ok()).toBe(true);
  await page.goto('/dashboard/event-feed');
  await expect(page.getByRole('button', { name: 'Filter: Admissions' })).toBeVisible();

  await page.getByRole('button', { name: 'Notifications', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit event feed notifications' });
  await expect(dialog.getByRole('group', { name: 'Notify me of new events by' })).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Email' }).check();
  await expectAccessible(page, 'notifications of the event feed');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Filter: Admissions' }).click();
  await page.getByRole('menuitemradio', { name: 'All events' }).click();
  await expect(page.getByRole('button', { name: 'Filter: All events' })).toBeVisible();
});
