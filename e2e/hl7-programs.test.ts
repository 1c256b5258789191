import { expectAccessible } from './accessible.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

const DAY = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY);
const usDate = (date: Date): string => {
  const [year, month, day] = date.toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
};

test('a program is defined with a preview, lists whom a discharge enrolls, and says why', async ({ scene, open }) => {
  test.slow();
  const [ann, bob] = scene.people as [Person, Person];
  const stay = async (person: Person, drg: string, payer: string) => {
    const visit = `B${person.recordNumber}`;
    await scene.hospital.send('A01', person, { visit, at: daysAgo(9) });
    // Noon, so that the day is the same in every time zone of the journey.
    const at = new Date(`${daysAgo(3).toISOString().slice(0, 10)}T17:00:00Z`);
    const fields = { 'DRG-1': drg, 'IN1-3': payer, 'IN1-4': payer };
    await scene.hospital.send('A03', person, { visit, at, admittedAt: daysAgo(9), disposition: '01', fields });
  };
  await stay(ann, '291', 'MEDICARE');
  await stay(bob, '190', 'MEDICARE');
  const user = await scene.user('administrator');
  const page = await open(user, '/dashboard/admin/hl7-programs');
  await expect(page.getByText('No programs yet.', { exact: false })).toBeVisible();
  await expectAccessible(page, 'HL7 programs, none yet');

  await page.getByRole('button', { name: 'Add program' }).click();
  const drawer = page.getByRole('dialog', { name: 'Add program' });
  await drawer.getByRole('textbox', { name: 'DRG codes' }).fill('29');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByText('Enter a name.')).toBeVisible();
  await expect(drawer.getByText('29 is not a DRG.', { exact: false })).toBeVisible();
  await expect(drawer.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Heart failure bundle');
  const facility = drawer.getByRole('combobox', { name: 'Admitting facility' });
  await facility.fill(scene.hospital.name);
  await expect(drawer.getByRole('option', { name: scene.hospital.name }).first()).toBeVisible();
  await expectAccessible(page, 'facilities found for a program');
  await facility.press('Enter');
  await expect(drawer.getByRole('listbox', { name: 'Facilities found' })).toBeHidden();
  await drawer.getByRole('textbox', { name: 'DRG codes' }).fill('291-293');
  await drawer.getByRole('textbox', { name: 'Payer' }).fill('Medicare');
  await drawer.getByRole('button', { name: 'Preview the past year' }).click();
  await expect(drawer.getByRole('status')).toContainText('Today: 1 patient in the program.');
  await expect(drawer.getByRole('status')).toContainText('DRGs are known since');
  await expect(drawer.getByRole('region', { name: 'Latest examples' })).toContainText(ann.family.toUpperCase());
  await expectAccessible(page, 'a program with a preview');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The program Heart failure bundle was saved.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'HL7 programs' })).toContainText('DRG: 291, 292, 293');

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Patients' }).click();
  await page.getByRole('button', { name: 'Filter: Currently Admitted' }).click();
  await page.getByRole('menuitemradio', { name: 'All Patients' }).click();
  const table = page.getByRole('table', { name: 'Patients' });
  const bobs = table.getByRole('row', { name: new RegExp(bob.family, 'i') });
  await expect(bobs).toBeVisible();
  await page.keyboard.press('f');
  const panel = page.getByRole('complementary', { name: 'Filters' });
  await panel.getByRole('button', { name: /^Program/ }).click();
  await panel.getByRole('checkbox', { name: /^Heart failure bundle/ }).check();
  await expect(bobs).toHaveCount(0);
  await table.getByRole('link', { name: new RegExp(ann.family, 'i') }).click();

  const opener = page.getByRole('button', { name: 'Heart failure bundle', exact: true });
  await opener.click();
  const modal = page.getByRole('dialog', { name: 'Heart failure bundle' });
  await expect(modal).toContainText(usDate(daysAgo(3)));
  await expect(modal).toContainText('enrolls a patient for 90 days');
  await expectAccessible(page, 'what an HL7 program is');
  await page.keyboard.press('Escape');
  await expect(modal).toHaveCount(0);
  await expect(opener).toBeFocused();

  await page.goto('/dashboard/admin/hl7-programs');
  await page.getByRole('button', { name: 'Heart failure bundle', exact: true }).click();
  await page.getByRole('button', { name: 'Remove this program…' }).click();
  await page.getByRole('button', { name: 'Remove program' }).click();
  await expect(page.getByText('The program Heart failure bundle was removed.')).toBeVisible();
  await page.goto('/dashboard/admin/changes');
  for (const words of ['defined the HL7 program', 'removed the HL7 program'])
    await expect(page.getByText(words, { exact: false }).first()).toBeVisible();
  await expectAccessible(page, 'the audit log with a program');
});
