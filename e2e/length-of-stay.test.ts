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
  await expect(used).toContainText('Facility Kind: Skilled nursing facility');
  await expect(used).toContainText('Length of Stay: 0 to 100 days');
  await expect(page.getByText('No patients match 3 filters.')).toBeVisible();
  await expect(page.getByText('No stay is in this range.')).toBeVisible();
  await page.getByRole('button', { name: /^Remove the filter Facility Kind/ }).click();
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
