import { expectAccessible } from './accessible.ts';
import { detail, openList, rowOf, untilListed } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import { listedName, type Person } from './people.ts';

test('the palette finds, opens and acts by keyboard alone, and lands on the row of another list', async ({
  scene,
  open,
}) => {
  test.slow();
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A01', bob);
  const page = await open(await scene.user('care coordinator'));
  await untilListed(page, [ann, bob]);
  const field = page.getByRole('combobox', { name: 'Search patients, pages and actions' });
  const press = (key: string) => page.keyboard.press(key);
  const look = async (text: string): Promise<void> => {
    await press('Control+k');
    await expect(field).toBeFocused();
    await page.keyboard.type(text);
  };

  // Act on the open ping.
  await rowOf(page, ann).focus();
  await press('Enter');
  await expect(detail(page).getByRole('button', { name: 'Mark in progress' })).toBeVisible();
  await look('');
  await expect(page.getByRole('group', { name: `Open ping: ${listedName(ann)}` })).toBeVisible();
  await expectAccessible(page, 'palette');
  await page.keyboard.type('in progress');
  await expect(page.getByRole('listbox').getByRole('option', { selected: true })).toHaveText('Mark in progress');
  await press('Enter');
  await expect(field).toHaveCount(0);
  await expect(rowOf(page, ann)).toContainText('In Progress');

  // From another page to the list that has the row now.
  await press('g');
  await press('p');
  await expect(page).toHaveURL(/my-patients/);
  await expect(page.getByRole('heading', { name: 'Patients' })).toBeVisible();
  const [year, month, day] = ann.birthDate.split('-');
  await look(`${month}/${day}/${year}`);
  const pings = page.getByRole('group', { name: 'Pings' });
  await expect(pings.getByRole('option')).toContainText([listedName(ann)]);
  await expect(pings.getByRole('option')).toContainText(`Admitted — Inpatient · ${scene.hospital.name}`);
  const most = await page.getByRole('listbox').getByRole('option').count();
  for (let at = 0; at < most && (await pings.getByRole('option', { selected: true }).count()) === 0; at += 1)
    await press('ArrowDown');
  await press('Enter');
  await expect(rowOf(page, ann)).toBeFocused();
  await expect(page.getByRole('radio', { name: /^In Progress/ })).toBeChecked();
  await expect(detail(page).getByRole('heading', { level: 2, name: listedName(ann) })).toBeVisible();
  expect(page.url()).not.toContain(year as string);

  await openList(page, 'Unresolved');
  await expect(rowOf(page, bob)).toBeVisible();
});

test('a phone has a bar of five, and the inbox of an EHR fits into 320 px', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const admin = await open(await scene.user('administrator'));
  await admin.setViewportSize({ width: 390, height: 844 });
  const bar = admin.getByRole('navigation', { name: 'Pages' });
  await expect(bar.getByRole('listitem')).toHaveCount(5);
  const { height = 0 } = (await bar.boundingBox()) ?? {};
  expect(height).toBeGreaterThanOrEqual(56);
  await bar.getByRole('button', { name: 'More' }).click();
  await admin.getByRole('menuitem', { name: 'Admin' }).click();
  await expect(admin).toHaveURL(/\/admin/);

  const user = await scene.user('care coordinator', { applicationExperience: 'JANUS_EHR_SSO' });
  const page = await open(user, '/ehr/inbox');
  await page.setViewportSize({ width: 320, height: 640 });
  await untilListed(page, [ann]);
  const width = () => page.evaluate<number>('document.scrollingElement.scrollWidth');
  expect(await width()).toBe(320);
  await rowOf(page, ann).click();
  await expect(detail(page).getByRole('heading', { level: 2, name: listedName(ann) })).toBeVisible();
  expect(await width()).toBe(320);
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await expect(rowOf(page, ann)).toBeFocused();
});
