/** What happens to a patient while someone is about to act: nothing is taken from them, and nothing is changed that they haven't seen. */
import { expectAccessible } from './accessible.ts';
import { detail, rowOf, untilListed } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import { listedName, type Person } from './people.ts';

test.slow();

const hours = (ago: number) => ({ at: new Date(Date.now() - ago * 3_600_000) });

test('selected stays are resolved as they were selected, and what came later is named and left open', async ({
  scene,
  open,
}) => {
  const [ann, bob, cid] = scene.people as [Person, Person, Person];
  for (const [n, person] of [cid, bob, ann].entries())
    await scene.hospital.send('A04', person, { patientClass: 'E', ...hours(n + 1) });
  const page = await open(await scene.user('care coordinator'));
  const other = await open(await scene.user('clinician'));
  await untilListed(page, [ann, bob, cid]);
  await untilListed(other, [bob]);
  await page.getByRole('checkbox', { name: 'Select this page' }).check();
  const bar = page.getByRole('region', { name: 'Selected pings' });
  await bar.getByRole('button', { name: 'Resolve…' }).click();
  await bar.getByRole('checkbox', { name: 'No action needed' }).check();

  await scene.hospital.send('A06', ann, { patientClass: 'I' });
  await rowOf(other, bob).click();
  await other.getByRole('button', { name: 'Mark in progress' }).click();
  await expect(bar).toContainText(`${listedName(ann)}: new event: Admitted`);
  await expect(bar).toContainText(`${listedName(bob)}: In Progress by `);
  await expect(bar.getByRole('checkbox', { name: 'No action needed' })).toBeChecked();
  await expectAccessible(page, 'selected rows that have changed');

  await page.setViewportSize({ width: 1440, height: 900 });
  await bar.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(bar).toContainText("A new event arrived: Admitted. It wasn't changed.");
  await expect(bar).toContainText('just changed this ping');
  await expect(rowOf(page, cid)).toHaveCount(0);
  await expect(rowOf(page, ann)).toContainText('Unresolved');
  await expect(rowOf(page, bob)).toContainText('In Progress');
  await page.reload();
  await expect(rowOf(page, ann)).toContainText('Unresolved');
  await expect(rowOf(other, bob)).toContainText('In Progress');
});

test('a discharge that arrives while someone types how an arrival was resolved takes neither text nor focus', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A04', ann, { patientClass: 'E', ...hours(2) });
  const page = await open(await scene.user('care coordinator'));
  await untilListed(page, [ann]);
  await rowOf(page, ann).click();
  await page.keyboard.press('e');
  const form = page.getByRole('form', { name: 'Resolve this ping' });
  await form.getByRole('checkbox', { name: 'Other' }).check();
  const text = form.getByRole('textbox', { name: 'Add details' });
  await text.fill('Left word with her ');
  await scene.hospital.send('A03', ann, { patientClass: 'E', disposition: '01' });
  await expect(form).toContainText('A new event arrived: Discharged.');
  await page.keyboard.type('sons as always');
  await expect(text).toHaveValue('Left word with her sons as always');
  await expectAccessible(page, 'a resolution during which an event arrived');
  await page.setViewportSize({ width: 1440, height: 900 });
  await form.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(page.getByText(/: Resolved\.$/).first()).toBeVisible();
  await expect(rowOf(page, ann)).toContainText('Discharged');
  await expect(rowOf(page, ann)).toContainText('Unresolved');
});

test('on a phone Back closes the form that fills the screen, asks before it discards text, and a death is said in it', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann, hours(2));
  const page = await open(await scene.user('care coordinator'));
  await page.setViewportSize({ width: 390, height: 844 });
  await untilListed(page, [ann]);
  await rowOf(page, ann).click();
  await detail(page).getByRole('button', { name: 'Log contact' }).click();
  const drawer = page.getByRole('dialog', { name: 'Log contact' });
  await drawer.getByLabel('Note').fill('No answer so far');
  await page.goBack();
  await expect(drawer).toContainText('You have unsaved changes.');
  await drawer.getByRole('button', { name: 'Keep editing' }).click();
  await expect(drawer.getByLabel('Note')).toHaveValue('No answer so far');

  await scene.hospital.send('A03', ann, { disposition: '20' });
  await expect(drawer.getByRole('alert')).toContainText('Died ');
  await expect(drawer.getByRole('alert')).toContainText('Stop all outreach to the patient.');
  await expectAccessible(page, 'a form about someone who has died');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goBack();
  await drawer.getByRole('button', { name: 'Discard changes' }).click();
  await expect(drawer).toHaveCount(0);
  await expect(detail(page)).toBeVisible();
  await page.goBack();
  await expect(rowOf(page, ann)).toBeVisible();
});
