import { detail, openList, rowOf, rows } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

const DAY = 86_400_000;

test('the smallest phone shows four pings with their reasons, and no width lets lists and tools overlap', async ({
  scene,
  open,
}) => {
  const people = [...scene.people, scene.stranger(), scene.stranger()].slice(0, 4);
  await scene.list(people);
  for (const person of people) {
    const visit = { at: new Date(Date.now() - 20 * DAY), visit: `BEFORE-${person.recordNumber}` };
    await scene.hospital.send('A01', person, visit);
    await scene.hospital.send('A03', person, { ...visit, at: new Date(Date.now() - 10 * DAY) });
    await scene.hospital.send('A01', person);
  }
  const page = await open(await scene.user('care coordinator', { removed: ['canViewMfaOptIn'] }));
  await expect(async () => {
    await page.reload();
    await expect(rows(page).filter({ hasText: 'Readmitted' })).toHaveCount(4, { timeout: 2000 });
  }).toPass();
  await page.setViewportSize({ width: 320, height: 640 });
  for (const n of [0, 1, 2, 3]) await expect(rows(page).nth(n)).toBeInViewport({ ratio: 1 });
  const bar = await page.getByRole('navigation').last().boundingBox();
  const fourth = await rows(page).nth(3).boundingBox();
  expect((fourth?.y ?? 0) + (fourth?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);

  const lists = page.getByRole('radiogroup', { name: 'List' });
  for (const width of [768, 820, 1024, 1200, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(lists).toContainText(/Needs action \d/);
    const box = await lists.boundingBox();
    const right = (box?.x ?? 0) + (box?.width ?? 0);
    for (const label of await lists.locator('label').all()) {
      const one = await label.boundingBox();
      expect((one?.x ?? 0) + (one?.width ?? 0), `${width} px: ${await label.innerText()}`).toBeLessThanOrEqual(right);
      // A label under a tool could not be clicked.
      await label.click({ trial: true });
    }
  }
});

test('a closed stay says who closed it, when and why, also beside a reason', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  const visit = { at: new Date(Date.now() - 20 * DAY), visit: `BEFORE-${ann.recordNumber}` };
  await scene.hospital.send('A01', ann, visit);
  await scene.hospital.send('A03', ann, { ...visit, at: new Date(Date.now() - 10 * DAY) });
  await scene.hospital.send('A01', ann);
  const user = await scene.user('care coordinator', { removed: ['canViewMfaOptIn'] });
  const page = await open(user);
  const row = rowOf(page, ann).filter({ hasText: 'Readmitted' });
  await expect(async () => {
    await page.reload();
    await expect(row).toBeVisible({ timeout: 2000 });
  }).toPass();
  await row.click();
  await detail(page).getByRole('button', { name: 'Resolve' }).click();
  await page.getByLabel('No action needed').check();
  await page.getByRole('form').getByRole('button', { name: 'Resolve' }).click();
  await expect(page.getByText(': Resolved.')).toBeVisible();
  await openList(page, 'Resolved');
  for (const width of [1440, 1024, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const why = row.getByText(`${user.firstName} ${user.lastName} · `);
    await expect(why).toHaveText(/\d\d:\d\d [AP]M.* · No action needed$/);
    await expect(why).toBeInViewport({ ratio: 1 });
    const [inner, outer] = [await why.boundingBox(), await row.boundingBox()];
    expect((inner?.x ?? 0) + (inner?.width ?? 0), `${width} px`).toBeLessThanOrEqual(
      (outer?.x ?? 0) + (outer?.width ?? 0),
    );
  }
});
