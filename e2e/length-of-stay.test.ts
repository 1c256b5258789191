import { expectAccessible } from './accessible.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

test('length of stay opens on nursing facilities up to 100 days, and its filters can be taken away and put back', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.tell('A01', ann, { at: new Date(Date.now() - 5 * 86_400_000) });
  const page = await open(await scene.user('care coordinator'), '/dashboard/length-of-stay');
  const used = page.getByRole('list', { name: 'Filters in use' });
  await expect(used).toContainText('Open patients only');
  await expect(used).toContainText('Facility Type: Skilled nursing facility');
  await expect(used).toContainText('Length of Stay: 0 to 100 days');
  await expect(page.getByText('No patients match 3 filters.')).toBeVisible();
  await expect(page.getByText('No stay is in this range.')).toBeVisible();
  await page.getByRole('button', { name: /^Remove the filter Facility Type/ }).click();
  const table = page.getByRole('table', { name: 'Patients' });
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table).toContainText('Day 6');
  await expect(table).toContainText('No benchmark');
  await expect(page.getByRole('img', { name: 'Most stays are in the range of 0–9 days: 1 of 1.' })).toBeVisible();
  await page.getByRole('button', { name: 'View as a table' }).click();
  await expect(page.getByRole('row', { name: '0–9 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Filter: Not saved' }).click();
  await page.getByRole('menuitemradio', { name: 'The usual view' }).click();
  await expect(page.getByText('No patients match 3 filters.')).toBeVisible();
});

const DAY = 86_400_000;
const OPEN = '/dashboard/length-of-stay?open=true&f.lengthOfStay=0:100';

test('what was expected of a stay is shown; O leaves only those over it, and rows stand under their diagnosis', async ({
  scene,
  open,
}) => {
  test.slow();
  const [ann, bob, cid] = scene.people as [Person, Person, Person];
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY);
  await scene.hospital.tell('A01', ann, { at: daysAgo(8), expected: daysAgo(3) });
  await scene.hospital.tell('A01', bob, { at: daysAgo(5), expected: 7 });
  await scene.hospital.tell('A01', cid, { at: daysAgo(2) });
  const page = await open(await scene.user('care coordinator'), OPEN);
  const table = page.getByRole('table', { name: 'Patients' });
  const rowOf = ({ family }: Person) => table.getByRole('row', { name: new RegExp(family, 'i') });
  await expect(rowOf(ann)).toContainText('+3 days over expected 5');
  await expect(rowOf(bob)).toContainText('2 days left of 7');
  await expect(rowOf(cid)).toContainText('No benchmark');
  const picture = page.getByRole('img', { name: /^Most stays/ });
  await expect(picture).toContainText('Median expected: 5 days');
  await page.getByRole('button', { name: 'View as a table' }).click();
  await expect(page.getByRole('row', { name: 'Median expected 5 days' })).toBeVisible();

  const used = page.getByRole('list', { name: 'Filters in use' });
  const over = page.getByRole('button', { name: 'Over expected', exact: true });
  await page.keyboard.press('o');
  await expect(used).toContainText('Expected Stay: Over expected');
  await expect(over).toHaveAttribute('aria-pressed', 'true');
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(rowOf(ann)).toBeVisible();
  await page.reload();
  await expect(table.getByRole('row')).toHaveCount(2);
  await page.keyboard.press('o');
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(over).toHaveAttribute('aria-pressed', 'false');

  const grouped = page.getByRole('combobox', { name: 'Group the rows' });
  await grouped.selectOption('By diagnosis');
  await expect(
    table.getByRole('rowheader', { name: /Heart failure, unspecified · I50.9 3 on this page/ }),
  ).toBeVisible();
  await page.reload();
  await expect(grouped).toHaveValue('diagnosis');
  await grouped.selectOption('By facility');
  await expect(table.getByRole('rowheader', { name: `${scene.hospital.name} 3 on this page` })).toBeVisible();
  await expectAccessible(page, 'length of stay, grouped, with expected stays');
});

test('a pending discharge says when it is expected, and its cancel takes that back; the key is listed and can be turned off', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY);
  await scene.hospital.tell('A01', ann, { at: daysAgo(4) });
  await scene.hospital.tell('A16', ann, { at: daysAgo(3), admittedAt: daysAgo(4), expected: daysAgo(1) });
  const page = await open(await scene.user('care coordinator'), OPEN);
  const table = page.getByRole('table', { name: 'Patients' });
  await expect(table).toContainText('+1 day over expected 3');
  await scene.hospital.tell('A25', ann, { at: daysAgo(2), admittedAt: daysAgo(4) });
  await expect(table).toContainText('No benchmark');
  await expect(table).not.toContainText('over expected');

  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet.getByRole('row', { name: 'O Length of stay: only those over expected' })).toBeVisible();
  await sheet.getByRole('switch', { name: /Single-key shortcuts/ }).uncheck();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await page.keyboard.press('o');
  // Had the key done something, the button would take it back.
  const over = page.getByRole('button', { name: 'Over expected', exact: true });
  await over.click();
  await expect(over).toHaveAttribute('aria-pressed', 'true');
});
