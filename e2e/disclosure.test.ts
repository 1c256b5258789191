/** What other organizations see of a patient beyond their own list: by consent, in an emergency, and at exchanges. */
import type { Page } from '@playwright/test';
import { sql } from '#server/platform/database/sql.ts';
import { expectAccessible } from './accessible.ts';
import { administrator, adminPath, dialog, saved } from './admin-page.ts';
import { rowOf } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import { listedName, type Person } from './people.ts';
import type { Scene } from './scene.ts';

test.slow();

const DAY = 86_400_000;
const NOTICE = /^42 CFR part 2 prohibits unauthorized use or disclosure/;

/** Marks the scene's hospital as a 42 CFR Part 2 facility whose organization allows emergency access. */
const restrict = ({ hospital: { groupId } }: Scene) => ({
  group: sql`update groups set is_part2_facility = true where id = ${groupId}`,
  organization: sql`
    update organizations set allows_emergency_access = true where id = (select organization_id from groups where id = ${groupId})`,
});

const openPatient = async (page: Page, person: Person): Promise<void> => {
  await page.goto('/dashboard/patients/my-patients');
  await page.getByRole('button', { name: 'Filter: Currently Admitted' }).click();
  await page.getByRole('menuitemradio', { name: 'All Patients' }).click();
  await page
    .getByRole('table', { name: 'Patients' })
    .getByRole('link', { name: listedName(person) })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: listedName(person) })).toBeVisible();
};

test('a consent shows the recipient a Part 2 visit with its notice, and its end closes it at once', async ({
  scene,
  open,
  db,
  complaints,
}) => {
  complaints.expect(/status of 400 .*\/consents$/);
  // The story is open while its visit goes out of sight.
  complaints.expect(/status of 404 .*\/api\/patients\/\d+_\d+/);
  const [ann] = scene.people as [Person];
  await db.query(restrict(scene).group);
  await scene.hospital.send('A01', ann);
  const nurse = await open(await scene.user('care coordinator'));
  await expect(nurse.getByText('0 new of 0 open')).toBeVisible();
  await expect(rowOf(nurse, ann)).toHaveCount(0);

  const staff = await open(await scene.engineer({ removed: ['canViewMfaOptIn'] }));
  await openPatient(staff, ann);
  await staff.getByRole('link', { name: 'Care team' }).click();
  await staff.getByRole('button', { name: 'Record consent' }).click();
  const drawer = dialog(staff, 'Record consent');
  await drawer.getByLabel('Find a group').fill(scene.group.name);
  await drawer.getByRole('radio', { name: new RegExp(scene.group.name) }).check();
  await drawer.getByLabel('Expires').fill(new Date(Date.now() - 9 * DAY).toISOString().slice(0, 10));
  await drawer.getByRole('button', { name: 'Record consent' }).click();
  await expect(drawer.getByText('Choose today or a later day.').first()).toBeVisible();
  await expectAccessible(staff, 'recording a consent');
  await drawer.getByLabel('Expires').fill(new Date(Date.now() + 90 * DAY).toISOString().slice(0, 10));
  await drawer.getByRole('button', { name: 'Record consent' }).click();
  await saved(staff, `The consent for ${scene.group.name} was recorded.`);
  await expect(staff.getByText(/^In force through /)).toBeVisible();
  await expectAccessible(staff, 'consents');

  await nurse.goto('/dashboard/home/inbox');
  await expect(rowOf(nurse, ann)).toBeVisible();
  await expect(rowOf(nurse, ann)).toContainText('42 CFR part 2 prohibits unauthorized use or disclosure');
  await rowOf(nurse, ann).click();
  await nurse.getByRole('navigation', { name: 'Patient' }).getByRole('link', { name: 'Story' }).click();
  await expect(nurse.getByRole('article', { name: `Inpatient · ${scene.hospital.name}` })).toBeVisible();
  await expect(nurse.getByText(NOTICE).first()).toBeVisible();
  await nurse.emulateMedia({ media: 'print' });
  await expect(nurse.getByText(NOTICE).first()).toBeVisible();
  await nurse.emulateMedia({ media: 'screen' });

  await staff.getByRole('button', { name: `End consent for ${scene.group.name}` }).click();
  await expectAccessible(staff, 'ending a consent');
  await dialog(staff).getByRole('button', { name: 'End consent' }).click();
  await saved(staff, `The consent for ${scene.group.name} has ended.`);
  await expect(nurse.getByRole('article', { name: `Inpatient · ${scene.hospital.name}` })).toHaveCount(0);
  await nurse.goto('/dashboard/home/inbox');
  await expect(nurse.getByText('0 new of 0 open')).toBeVisible();
  await expect(rowOf(nurse, ann)).toHaveCount(0);
});

test('in a medical emergency old visits open for an hour, with a reason that the administrator reads', async ({
  scene,
  open,
  db,
}) => {
  const [ann] = scene.people as [Person];
  const { group, organization } = restrict(scene);
  await db.query(group);
  await db.query(organization);
  await scene.hospital.send('A01', ann, { at: new Date(Date.now() - 400 * DAY) });
  await scene.hospital.send('A03', ann, { at: new Date(Date.now() - 398 * DAY), disposition: '01' });
  const nurse = await open(await scene.user('care coordinator', { firstName: 'Kofi', lastName: 'Mensah' }));
  await openPatient(nurse, ann);
  await expect(nurse.getByRole('article', { name: `Inpatient · ${scene.hospital.name}` })).toHaveCount(0);
  await nurse.getByRole('button', { name: 'Emergency access…' }).click();
  const drawer = dialog(nurse, 'Emergency access');
  await drawer.getByRole('button', { name: 'Open records for 60 minutes' }).click();
  await expect(drawer.getByText('Enter a reason.').first()).toBeVisible();
  await expectAccessible(nurse, 'asking for emergency access');
  await drawer.getByLabel('Reason').fill('Unconscious, opioids suspected');
  await drawer.getByLabel('Medical emergency').check();
  await drawer.getByRole('button', { name: 'Open records for 60 minutes' }).click();
  const access = nurse.getByRole('region', { name: 'Emergency access' });
  await expect(access.getByText(/^Emergency access until /)).toBeVisible();
  await expect(access.getByText(NOTICE)).toBeVisible();
  await expectAccessible(nurse, 'emergency access');
  await access.getByRole('link', { name: new RegExp(scene.hospital.name) }).click();
  await expect(nurse.getByText(NOTICE).first()).toBeVisible();

  const engineer = await scene.engineer({ removed: ['canViewMfaOptIn'] });
  const staff = await open(engineer, '/dashboard/admin/accesses');
  const list = staff.getByRole('region', { name: 'Emergency access' });
  await expect(list).toContainText('Unconscious, opioids suspected');
  await expectAccessible(staff, 'emergency accesses');
});

test('an exchange opens by a posted form, and no address says whom', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const office = await open(await administrator(scene), adminPath('groups'));
  await office.getByRole('button', { name: 'Change settings…' }).click();
  const settings = dialog(office, 'Patient record settings');
  await settings.getByLabel('WISHIN Pulse address').fill('https://pulse.example/find');
  await settings.getByLabel('WISHIN Pulse states').fill('NY');
  await settings.getByLabel('WISHIN Pulse form fields').fill('last={lastName}\nborn={dateOfBirth}');
  await expectAccessible(office, 'patient record settings');
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect(settings).toHaveCount(0);

  const nurse = await open(await scene.user('care coordinator', { added: ['canUseWishinPulse'] }));
  const asked: { method: string; url: string; body: string | null }[] = [];
  await nurse.context().route('https://pulse.example/**', (route) => {
    const request = route.request();
    asked.push({ method: request.method(), url: request.url(), body: request.postData() });
    return route.fulfill({ contentType: 'text/html', body: '<title>Pulse</title><h1>Pulse</h1>' });
  });
  await openPatient(nurse, ann);
  await expectAccessible(nurse, 'a story with an exchange');
  const opening = nurse.context().waitForEvent('page');
  await nurse.getByRole('link', { name: 'Open WISHIN Pulse (new tab)' }).click();
  const exchange = await opening;
  await expect(exchange.getByRole('heading', { name: 'Pulse', exact: true })).toBeVisible();
  expect(asked).toEqual([
    {
      method: 'POST',
      url: 'https://pulse.example/find',
      body: `last=${ann.family}&born=${ann.birthDate}`,
    },
  ]);
});
