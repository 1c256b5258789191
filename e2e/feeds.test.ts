import { dialog, saved } from './admin-page.ts';
import { rowOf } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import type { Person } from './people.ts';

test('a quarantined message is found with its reason, and processed when it is replayed after the setting is fixed', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  const controlId = await scene.hospital.send('A01', ann, { identifier: 'NEWWING' });
  const page = await open(await scene.engineer(), '/dashboard/feeds');
  await expect(page.getByRole('heading', { level: 1, name: 'Feeds' })).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(scene.feed.name) })).toBeVisible();
  await page.getByText('Messages', { exact: true }).click();
  await page.getByLabel('Status').selectOption('Quarantined');
  const row = page.getByRole('row', { name: new RegExp(controlId) });
  await expect(row).toContainText('Quarantined');
  await expect(row).toContainText('NEWWING');
  await row.getByRole('button').click();
  await expect(page.getByRole('heading', { level: 2, name: `Message ${controlId}` })).toBeFocused();
  await expect(page.getByRole('region', { name: 'Message text' })).toContainText('ADT^A01');

  const inbox = await open(await scene.user('care coordinator'));
  await untilLive(inbox);
  const { id: feedId } = scene.feed;
  await scene.make.feedFacility({ feedId, groupId: scene.hospital.groupId, identifier: 'NEWWING' });
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByText(/^Replayed: /)).toBeVisible();
  await expect(page.getByRole('main').getByText('Applied', { exact: true }).last()).toBeVisible();
  await expect(rowOf(inbox, ann)).toBeVisible();
});

test('a code that looks like observation is suggested; once it is added, the next outpatient with it is an observation stay', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  const observed = { patientClass: 'O', patientType: 'OBV' } as const;
  for (let n = 0; n < 5; n += 1) await scene.hospital.send('A04', scene.stranger(), observed);
  const inbox = await open(await scene.user('care coordinator'));
  await untilLive(inbox);
  const page = await open(await scene.engineer({ removed: ['canViewMfaOptIn'] }), '/dashboard/feeds');
  const feed = page.getByRole('row', { name: new RegExp(scene.feed.name) });
  await expect(async () => {
    await page.reload();
    await expect(feed).toContainText('Suggested: read OBV as observation', { timeout: 2000 });
  }).toPass();
  await page.getByRole('button', { name: `Settings for ${scene.feed.name}` }).click();
  const drawer = dialog(page);
  await drawer.getByRole('button', { name: 'Read OBV as observation' }).click();
  await expect(drawer.getByRole('region', { name: 'What saving does' })).toContainText(
    'up to 5 visits had such a code',
  );
  await drawer.getByRole('button', { name: 'Save' }).click();
  await saved(page, `The settings for ${scene.feed.name} were saved.`);
  await expect(feed).not.toContainText('Suggested');

  await scene.hospital.send('A04', ann, observed);
  await expect(rowOf(inbox, ann)).toContainText('Admitted — Observation');
});

test('the feeds page is only for administrators', async ({ scene, open }) => {
  const page = await open(await scene.user('clinician'));
  await expect(page.getByRole('link', { name: 'Feeds' })).toHaveCount(0);
  await page.goto('/dashboard/feeds');
  await expect(page.getByRole('heading', { level: 1, name: "You don't have access to this page" })).toBeVisible();
});
