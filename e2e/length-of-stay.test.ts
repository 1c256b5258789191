import { FACETS } from '#contract/facets.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

test('length of stay opens on skilled nursing stays up to 100 days, and its filters can be removed and restored', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann, { at: new Date(Date.now() - 5 * 86_400_000) });
  const page = await open(await scene.user('care coordinator'), '/dashboard/length-of-stay');
  const used = page.getByRole('list', { name: 'Applied filters' });
  await expect(used).toContainText('Current stays only');
  await expect(used).toContainText(`${FACETS.groupType.label}: Skilled nursing facility`);
  await expect(used).toContainText('Length of Stay: 0 to 100 days');
  await expect(page.getByText('No patients match 3 filters.')).toBeVisible();
  await expect(page.getByText('No stays in this range.')).toBeVisible();
  await page.getByRole('button', { name: new RegExp(`^Remove filter ${FACETS.groupType.label}`) }).click();
  const table = page.getByRole('table', { name: 'Patients' });
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table).toContainText('Day 6');
  await expect(table).toContainText('No expected stay');
  await expect(page.getByRole('img', { name: 'Most stays are 0–9 days (1 of 1).' })).toBeVisible();
  await page.getByRole('button', { name: 'View table' }).click();
  await expect(page.getByRole('row', { name: '0–9 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Filter: Custom' }).click();
  await page.getByRole('menuitemradio', { name: 'Default view' }).click();
  await expect(page.getByText('No patients match 3 filters.')).toBeVisible();
});

const DAY = 86_400_000;
const OPEN = '/dashboard/length-of-stay?open=true&f.lengthOfStay=0:100';

test('expected stays are shown, O limits the list to stays over them, and rows are grouped by diagnosis', async ({
  scene,
  open,
}) => {
  test.slow();
  const [ann, bob, cid] = scene.people as [Person, Person, Person];
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY);
  await scene.hospital.send('A01', ann, { at: daysAgo(8), expected: daysAgo(3) });
  await scene.hospital.send('A01', bob, { at: daysAgo(5), expected: 7 });
  await scene.hospital.send('A01', cid, { at: daysAgo(2) });
  const page = await open(await scene.user('care coordinator'), OPEN);
  const table = page.getByRole('table', { name: 'Patients' });
  const rowOf = ({ family }: Person) => table.getByRole('row', { name: new RegExp(family, 'i') });
  await expect(rowOf(ann)).toContainText('+3 days over expected 5');
  await expect(rowOf(bob)).toContainText('2 days left of 7');
  await expect(rowOf(cid)).toContainText('No expected stay');
  const chart = page.getByRole('img', { name: /^Most stays/ });
  await expect(chart).toContainText('Median expected: 5 days');
  await page.getByRole('button', { name: 'View table' }).click();
  await expect(page.getByRole('row', { name: 'Median expected 5 days' })).toBeVisible();

  const used = page.getByRole('list', { name: 'Applied filters' });
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

  const grouped = page.getByRole('combobox', { name: 'Group rows' });
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

test('a pending discharge sets the expected stay and its cancellation removes it; the O key is listed and can be turned off', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY);
  await scene.hospital.send('A01', ann, { at: daysAgo(4) });
  await scene.hospital.send('A16', ann, { at: daysAgo(3), admittedAt: daysAgo(4), expected: daysAgo(1) });
  const page = await open(await scene.user('care coordinator'), OPEN);
  const table = page.getByRole('table', { name: 'Patients' });
  await expect(table).toContainText('+1 day over expected 3');
  await scene.hospital.send('A25', ann, { at: daysAgo(2), admittedAt: daysAgo(4) });
  await expect(table).toContainText('No expected stay');
  await expect(table).not.toContainText('over expected');

  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet.getByRole('row', { name: 'O Over expected only' })).toBeVisible();
  await sheet.getByRole('switch', { name: /Single-key shortcuts/ }).uncheck();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await page.keyboard.press('o');
  // If the key had done something, this click would revert it.
  const over = page.getByRole('button', { name: 'Over expected', exact: true });
  await over.click();
  await expect(over).toHaveAttribute('aria-pressed', 'true');
});
