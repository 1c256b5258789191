import { expectAccessible } from './accessible.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

const DAY = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY);

test('a second ED visit puts a patient on the list with the reason, and a stricter rule takes them off', async ({
  scene,
  open,
}) => {
  test.slow();
  const [ann, bob] = scene.people as [Person, Person];
  const visit = (person: Person, days: number) =>
    scene.hospital.send('A04', person, {
      patientClass: 'E',
      visit: `${person.recordNumber}-${days}`,
      at: daysAgo(days),
    });
  await visit(ann, 20);
  await visit(ann, 3);
  await visit(bob, 5);
  const page = await open(await scene.user('administrator'), '/dashboard/rising-risk');
  const table = page.getByRole('table', { name: 'Patients' });
  const rowOf = ({ family }: Person) => table.getByRole('row', { name: new RegExp(family, 'i') });
  await expect(rowOf(ann)).toContainText('Rising risk');
  await expect(rowOf(ann)).toContainText('2 in 60 days, usually none');
  await expect(rowOf(bob)).toHaveCount(0);
  await page.getByText('How this list works', { exact: true }).click();
  await expectAccessible(page, 'rising risk');
  await page.getByRole('button', { name: /^Why is/ }).click();
  const why = page.getByRole('dialog', { name: 'Why on the list?' });
  await expect(why.getByRole('table', { name: /^Visits counted/ }).getByRole('row')).toHaveCount(3);
  await expectAccessible(page, 'why someone is on the list');
  await page.keyboard.press('Escape');

  // The list is open when a visit arrives.
  await visit(bob, 1);
  // Or it is still being loaded for the width that it has had since a moment ago.
  const news = page.getByRole('button', { name: 'List updated — show' });
  await expect(news.or(rowOf(bob))).toBeVisible();
  if (await news.isVisible()) await news.click();
  await expect(rowOf(bob)).toContainText('2 in 60 days');

  await page.goto('/dashboard/admin/groups');
  await page.getByRole('button', { name: 'Change rising-risk rule…' }).click();
  const drawer = page.getByRole('dialog', { name: 'Rising-risk rule' });
  await drawer.getByRole('textbox', { name: 'Visits, at least' }).fill('3');
  await drawer.getByRole('button', { name: 'Preview the past year' }).click();
  await expect(drawer.getByRole('status')).toContainText('0 patients on the list instead of 2 (0 added, 2 dropped)');
  await expectAccessible(page, 'rising-risk rule with a preview');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The rising-risk rule was saved.')).toBeVisible();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Rising risk' }).click();
  await expect(page.getByText('No one is on the list.')).toBeVisible();
  await page.getByText('How this list works', { exact: true }).click();
  await expect(page.getByText('At least 3 unplanned acute visits in 60 days', { exact: false })).toBeVisible();
});

test('on a phone, each patient is a card with the reason', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  for (const days of [12, 2])
    await scene.hospital.send('A04', ann, {
      patientClass: 'E',
      visit: `P${ann.recordNumber}-${days}`,
      at: daysAgo(days),
    });
  const page = await open(await scene.user('care coordinator'), '/rising-risk');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page).toHaveURL(/\/dashboard\/rising-risk/);
  await expect(page.getByRole('list', { name: 'Patients' })).toContainText('Rising risk');
  await expectAccessible(page, 'rising risk on a phone');
});
