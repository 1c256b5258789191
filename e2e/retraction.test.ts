import { detail, rowOf } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import type { Person } from './people.ts';

test('an admission that its hospital cancels is struck through in place and can only be dismissed', async ({
  scene,
  open,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A01', bob);
  const page = await open(await scene.user('care coordinator'));
  await untilLive(page);
  await expect(rowOf(page, ann)).toBeVisible();
  const before = await rowOf(page, ann).boundingBox();
  await scene.hospital.send('A11', ann);
  await expect(rowOf(page, ann)).toContainText('Canceled');
  await expect(rowOf(page, ann).locator('s')).toHaveText('Admitted — Inpatient');
  expect((await rowOf(page, ann).boundingBox())?.y).toBe(before?.y);
  await expect(rowOf(page, ann)).toHaveAccessibleName(/Canceled: Admitted — Inpatient/);
  await rowOf(page, ann).click();
  await expect(detail(page).getByText('The sender retracted this event')).toBeVisible();
  await expect(detail(page).getByRole('button', { name: 'Resolve' })).toHaveCount(0);
  await page.reload();
  await detail(page).getByRole('button', { name: 'Dismiss' }).click();
  await expect(rowOf(page, ann)).toHaveCount(0);
  await expect(rowOf(page, bob)).toBeVisible();
});
