import { dialog, saved, searchFor } from './admin-page.ts';
import { choose } from './choose.ts';
import { connectHospital, type Hospital } from './hospital.ts';
import { rowOf } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import type { Person } from './people.ts';
import type { Scene } from './scene.ts';

test.slow();

/** Another interface engine of the scene's hospital that no feed matches. */
const newSender = ({ hospital, feed }: Scene): Promise<Hospital> =>
  connectHospital({ ...hospital, application: `ANNEX_ADT_${feed.id}`, identifier: `ANNEX${feed.id}` });

test('feed settings are edited with each error at its row, and apply to the next message', async ({ scene, open }) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  const inbox = await open(await scene.user('care coordinator'));
  await expect(rowOf(inbox, ann)).toContainText('Admitted — Inpatient');
  await untilLive(inbox);
  const page = await open(await scene.engineer({ removed: ['canViewMfaOptIn'], isOperator: true }), '/dashboard/feeds');
  await searchFor(page, scene.feed.name);
  await page.getByRole('button', { name: `Settings for ${scene.feed.name}` }).click();
  const drawer = dialog(page);
  await choose(drawer, 'Time zone', 'Chicago (America/Chicago)');
  await drawer.getByLabel('Order of month and day').selectOption('Month first (March 4)');

  await drawer.getByRole('button', { name: 'Add row to facilities' }).click();
  await drawer.getByRole('button', { name: 'Add row to units' }).click();
  const classes = drawer.getByRole('region', { name: 'Patient classes' });
  await classes.getByRole('button', { name: 'Customize table' }).click();
  await classes.getByRole('button', { name: 'Add row to patient classes' }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  for (const words of ['Enter the identifier.', 'Enter at least one code.', 'Enter the code.', 'Enter the unit name.'])
    await expect(drawer.getByText(words).first()).toBeVisible();
  const identifier = drawer.getByRole('region', { name: 'Rows of facilities' }).getByLabel('Sent as, row 2');
  await expect(identifier).toBeFocused();

  await identifier.fill('NEWWING');
  await choose(drawer, 'Facility, row 2', scene.hospital.name);
  const rows = classes.getByRole('row');
  await classes
    .getByRole('button', { name: /^Remove row \d+ of patient classes$/ })
    .last()
    .click();
  const codes = await rows
    .getByLabel(/^Class \(PV1-2\), row/)
    .evaluateAll((all) => (all as unknown as { value: string }[]).map(({ value }) => value));
  const services = await rows
    .getByLabel(/^Service/)
    .evaluateAll((all) => (all as unknown as { value: string }[]).map(({ value }) => value));
  const plain = codes.findIndex((code, at) => code === 'I' && services[at] === '' && codes.lastIndexOf('I') === at);
  await classes.getByLabel(`Setting, row ${plain + 1}`, { exact: true }).selectOption('Observation');
  const units = drawer.getByRole('region', { name: 'Units', exact: true });
  await units.getByLabel('Sent as, row 1').fill('3w');
  await units.getByLabel('Unit name, row 1').fill('Heron Ward');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await saved(page, `The settings for ${scene.feed.name} were saved.`);
  await expect(page.getByRole('row', { name: new RegExp(scene.feed.name) })).toContainText('NEWWING');

  await scene.hospital.send('A01', bob, { identifier: 'NEWWING' });
  await inbox.getByRole('button', { name: '1 new ping — show' }).click();
  await expect(rowOf(inbox, bob)).toContainText('Admitted — Observation');

  await page.getByRole('button', { name: `Settings for ${scene.feed.name}` }).click();
  await expect(drawer.getByLabel('Time zone')).toHaveValue('Chicago (America/Chicago)');
  await expect(units.getByLabel('Sent as, row 1')).toHaveValue('3W');
});

test('a new feed sends pings from its first message; while paused it keeps messages, and processes them when it is resumed', async ({
  scene,
  open,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  const inbox = await open(await scene.user('care coordinator'));
  await untilLive(inbox);
  const page = await open(await scene.engineer({ removed: ['canViewMfaOptIn'], isOperator: true }), '/dashboard/feeds');
  await page.getByRole('button', { name: 'Add feed' }).click();
  const drawer = dialog(page, 'Add feed');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByLabel('Name', { exact: true })).toBeFocused();
  await expect(drawer.getByText('Enter a name.')).toBeVisible();
  await expect(drawer.getByText('Enter the identifier.')).toBeVisible();
  const name = `Annex ${scene.feed.id}`;
  await drawer.getByLabel('Name', { exact: true }).fill(name);
  await drawer.getByLabel('Sending application (MSH-3)').fill(`ANNEX_ADT_${scene.feed.id}`);
  await drawer.getByLabel('Sent as, row 1').fill(`ANNEX${scene.feed.id}`);
  await choose(drawer, 'Facility, row 1', scene.hospital.name);
  await drawer.getByLabel('Sending facility (MSH-4)').fill(`ANNEX${scene.feed.id}`);
  await drawer.getByRole('button', { name: 'Save' }).click();
  await saved(page, `The feed ${name} was added.`);
  await searchFor(page, name);
  const row = page.getByRole('row', { name: new RegExp(name) });
  await expect(row).toContainText('None yet');

  const annex = await newSender(scene);
  await annex.send('A01', ann);
  await expect(rowOf(inbox, ann)).toContainText('Admitted — Inpatient');

  await page.getByRole('button', { name: `Settings for ${name}` }).click();
  await dialog(page).getByRole('button', { name: 'Pause this feed…' }).click();
  await dialog(page).getByRole('button', { name: 'Pause the feed' }).click();
  await saved(page, `The feed ${name} was paused.`);
  await expect(row).toContainText('Paused since');
  await annex.send('A01', bob);
  await expect(row.getByRole('cell').nth(2)).toHaveText('1', { timeout: 20_000 });
  await expect(inbox.getByRole('button', { name: /new ping/ })).toHaveCount(0);
  await page.getByRole('button', { name: `Settings for ${name}` }).click();
  await dialog(page).getByRole('button', { name: 'Resume this feed…' }).click();
  await dialog(page).getByRole('button', { name: 'Resume the feed' }).click();
  await saved(page, `The feed ${name} was resumed. 1 message from quarantine will be processed now.`);
  await inbox.getByRole('button', { name: '1 new ping — show' }).click();
  await expect(rowOf(inbox, bob)).toBeVisible();

  await page.getByRole('button', { name: `Settings for ${name}` }).click();
  await dialog(page).getByLabel('Name', { exact: true }).fill(`Former ${name}`);
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await saved(page, `The settings for Former ${name} were saved.`);
  await page.getByRole('button', { name: `Settings for Former ${name}` }).click();
  await dialog(page).getByRole('button', { name: 'Remove this feed…' }).click();
  await dialog(page).getByRole('button', { name: 'Remove feed' }).click();
  await saved(page, `The feed Former ${name} was removed.`);
  await expect(row).toHaveCount(0);
  annex.close();
  await page.goto('/dashboard/admin/changes');
  for (const words of ['added the feed', 'paused the feed', 'resumed the feed', 'removed the feed'])
    await expect(page.getByText(words).first()).toBeVisible();
});

test('an operator sees an unknown sender, sets up a feed for it, and replays what was quarantined', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  const inbox = await open(await scene.user('care coordinator'));
  await untilLive(inbox);
  const annex = await newSender(scene);
  await annex.send('A01', ann);
  annex.close();
  const operator = await scene.user('administrator', { isOperator: true, removed: ['canViewMfaOptIn'] });
  const page = await open(operator, '/dashboard/feeds');
  const words = `ANNEX_ADT_${scene.feed.id} / ANNEX${scene.feed.id}`;
  await page.getByRole('button', { name: `Set up a feed for ${words}` }).click();
  const drawer = dialog(page, 'Add feed');
  await expect(drawer.getByLabel('Sending application (MSH-3)')).toHaveValue(`ANNEX_ADT_${scene.feed.id}`);
  await expect(drawer.getByLabel('Sent as, row 1')).toHaveValue(`ANNEX${scene.feed.id}`);
  const name = `Annex ${scene.feed.id}`;
  await drawer.getByLabel('Name', { exact: true }).fill(name);
  await choose(drawer, 'Facility, row 1', scene.hospital.name);
  await drawer.getByRole('button', { name: 'Save' }).click();
  await saved(page, `The feed ${name} was added. 1 message from its sender is in quarantine. Replay it.`);
  await searchFor(page, name);
  await expect(page.getByRole('button', { name: `Set up a feed for ${words}` })).toHaveCount(0);
  await page.getByRole('button', { name: `Replay quarantined messages from ${name}` }).click();
  await dialog(page).getByRole('button', { name: 'Replay all' }).click();
  await saved(page, `1 message from ${name} is being replayed.`);
  await expect(rowOf(inbox, ann)).toBeVisible();
});
