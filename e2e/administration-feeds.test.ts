import { dialog, saved } from './admin-page.ts';
import { rowOf } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import type { Person } from './people.ts';

test.slow();

test('how a feed writes is set on the screen, each error at its row, and holds for the next message', async ({
  scene,
  open,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.tell('A01', ann);
  const inbox = await open(await scene.user('care coordinator'));
  await expect(rowOf(inbox, ann)).toContainText('Admitted — Inpatient');
  await untilLive(inbox);
  const page = await open(await scene.engineer({ removed: ['canViewMfaOptIn'] }), '/dashboard/feeds');
  await page.getByRole('button', { name: `Settings of ${scene.feed.name}` }).click();
  const drawer = dialog(page);
  await drawer.getByLabel('Time zone').selectOption('Chicago (America/Chicago)');

  await drawer.getByRole('button', { name: 'Add a row to facilities' }).click();
  await drawer.getByRole('button', { name: 'Add a row to units' }).click();
  const classes = drawer.getByRole('region', { name: 'Patient classes' });
  await classes.getByRole('button', { name: 'Use a table of its own' }).click();
  await classes.getByRole('button', { name: 'Add a row to patient classes' }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  for (const words of ['Enter the identifier.', 'Name at least one code.', 'Enter the code.', 'Enter the name.'])
    await expect(drawer.getByText(words).first()).toBeVisible();
  const identifier = drawer.getByRole('region', { name: 'Rows of facilities' }).getByLabel('Sender writes, row 2');
  await expect(identifier).toBeFocused();

  await identifier.fill('NEWWING');
  await drawer.getByLabel('Facility, row 2').selectOption(scene.hospital.name);
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
  await units.getByLabel('Sender writes, row 1').fill('3w');
  await units.getByLabel('Name of the unit, row 1').fill('Heron Ward');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await saved(page, `The settings of ${scene.feed.name} were saved.`);
  await expect(page.getByRole('row', { name: new RegExp(scene.feed.name) })).toContainText('NEWWING');

  await scene.hospital.tell('A01', bob, { identifier: 'NEWWING' });
  await inbox.getByRole('button', { name: '1 new ping — show' }).click();
  await expect(rowOf(inbox, bob)).toContainText('Admitted — Observation');

  await page.getByRole('button', { name: `Settings of ${scene.feed.name}` }).click();
  await expect(drawer.getByLabel('Time zone')).toHaveValue('America/Chicago');
  await expect(units.getByLabel('Sender writes, row 1')).toHaveValue('3W');
});
