import { demoAccounts } from '#demo/start.ts';
import { expectAccessible } from './accessible.ts';
import { detail, rowOf } from './inbox-page.ts';
import { expect, signIn, test } from './journey.ts';
import { type Person, rosterOf } from './people.ts';

test.slow();

test('sign-in, errors and empty pages are accessible', async ({ page, scene, open, complaints }) => {
  complaints.expect(/status of 401 .*\/api\/authenticate$/);
  await page.goto('/login');
  await expect(page.getByText(demoAccounts()[0]?.username ?? '')).toBeVisible();
  await signIn(page, 'nobody@lakeside.example', 'not the password');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'sign-in');
  await page.goto('/error');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page, 'error');

  const inbox = await open(await scene.user('care coordinator'));
  await expect(inbox.getByText('No unresolved pings.')).toBeVisible();
  await expectAccessible(inbox, 'empty inbox');
  await inbox.goto('/hospital/feeds');
  await expect(inbox.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(inbox, 'page that does not exist');
});

test('the inbox is accessible', async ({ scene, open }) => {
  const [ann, bob, cid, dan] = scene.people as [Person, Person, Person, Person];
  const ago = (hours: number) => ({ at: new Date(Date.now() - hours * 3_600_000) });
  await scene.hospital.send('A04', dan, { patientClass: 'E', ...ago(100) });
  await scene.hospital.send('A01', cid, ago(30));
  await scene.hospital.send('A03', cid, { ...ago(2), disposition: '03' });
  await scene.hospital.send('A01', bob, ago(1));
  await scene.hospital.send('A01', ann);
  const page = await open(await scene.user('care coordinator'));
  for (const person of [ann, bob, cid, dan]) await expect(rowOf(page, person)).toBeVisible();
  await scene.hospital.send('A11', bob);
  await expect(rowOf(page, bob)).toContainText('Canceled');
  await expectAccessible(page, 'inbox');
  await rowOf(page, ann).click();
  await expect(detail(page).getByText('No status changes yet.')).toBeVisible();
  await expectAccessible(page, 'open ping');
  await detail(page).getByRole('button', { name: 'Resolve' }).click();
  await page.getByLabel('Other', { exact: true }).check();
  await page.getByRole('form').getByRole('button', { name: 'Resolve' }).click();
  await expectAccessible(page, 'resolution form');
  await page.keyboard.press('Escape');
  await detail(page).getByRole('button', { name: 'Status' }).click();
  await expectAccessible(page, 'menu of statuses');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'keyboard shortcuts');
});

test('a first roster that waits, and the page where operators approve it and facilities, are accessible', async ({
  scene,
  open,
}) => {
  const { organizationId } = scene.team;
  const group = await scene.make.group({ organizationId, approvedAt: null });
  const team = await scene.make.team({ organizationId, groupIds: [group.id] });
  const username = `administrator.${team.id}@lakeside.example`;
  const page = await open(await scene.make.user({ team, role: 'administrator', username }), '/dashboard/rosters');
  const buffer = Buffer.from(rosterOf([scene.stranger()]));
  await page.getByLabel('Roster file').setInputFiles({ name: 'roster.csv', mimeType: 'text/csv', buffer });
  await page.getByLabel('Relationship with the people in this file').selectOption('TREATMENT');
  await page.getByLabel(/^I confirm that /).check();
  await page.getByRole('button', { name: 'Upload and preview' }).click();
  await page.getByRole('button', { name: 'Apply file' }).click();
  await expect(page.getByText('Waiting for approval').first()).toBeVisible();
  await expectAccessible(page, 'a roster that waits');

  const facility = await scene.make.group({ organizationId, type: 'SNF', approvedAt: null });
  await page.goto('/dashboard/admin/groups');
  await expect(page.getByRole('row', { name: facility.name })).toContainText('Manual entry, waiting for approval');
  await expectAccessible(page, 'a facility that waits');

  const admin = await open(await scene.user('administrator', { isOperator: true }), '/dashboard/admin/groups');
  await expect(admin.getByRole('heading', { name: 'Rosters to approve' })).toBeVisible();
  await expect(admin.getByRole('button', { name: `Approve the facility ${facility.name}` })).toBeVisible();
  await expectAccessible(admin, 'rosters and facilities to approve');
});

test('the roster and feed pages are accessible', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  const wrong = rosterOf([scene.stranger()])
    .split('\r\n')[1]
    ?.replace(/\d\d\/\d\d\/\d{4}/, '13/45/1950');
  await scene.list(scene.people, `${wrong}\r\n`);
  const controlId = await scene.hospital.send('A01', ann, { identifier: 'NEWWING' });
  const page = await open(await scene.user('administrator'), '/dashboard/rosters');
  await expect(page.getByRole('row', { name: /Date of Birth/ })).toBeVisible();
  await expectAccessible(page, 'rosters');

  const feeds = await open(await scene.engineer(), '/dashboard/feeds');
  await expect(feeds.getByRole('row', { name: new RegExp(scene.feed.name) })).toBeVisible();
  await expectAccessible(feeds, 'feeds');
  await feeds.getByRole('button', { name: 'Add feed' }).click();
  await feeds.getByRole('button', { name: 'Save' }).click();
  await expect(feeds.getByText('Enter a name.')).toBeVisible();
  await expectAccessible(feeds, 'a new feed');
  await feeds.getByRole('button', { name: 'Cancel' }).click();
  await feeds.getByText('Messages', { exact: true }).click();
  await expect(feeds.getByRole('row', { name: new RegExp(controlId) })).toContainText('Quarantined');
  await expectAccessible(feeds, 'messages');
  await feeds
    .getByRole('row', { name: new RegExp(controlId) })
    .getByRole('button')
    .click();
  await expect(feeds.getByRole('region', { name: 'Message text' })).toBeVisible();
  await expectAccessible(feeds, 'message');
  await feeds.getByRole('radio', { name: /^Matches to review/ }).click();
  await expect(feeds.getByText('No matches to review.')).toBeVisible();
  await expectAccessible(feeds, 'reviews');
});

test('the patient list, the filter panel, length of stay and the saved-filter dialogs are accessible', async ({
  scene,
  open,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', ann);
  await scene.hospital.send('A01', bob);
  const user = await scene.user('administrator');
  const page = await open(user, '/dashboard/patients/my-patients?view=ALL_PATIENTS');
  await expect(page.getByRole('table', { name: 'Patients' })).toBeVisible();
  await expectAccessible(page, 'patients');
  const panel = page.getByRole('complementary', { name: 'Filters' });
  for (const group of [/^Facility Name/, /^Diagnoses/, /^Event Date/, /^Age/, /^Flags/])
    await panel.getByRole('button', { name: group }).click();
  await panel.getByRole('button', { name: 'Search' }).click();
  await panel.getByRole('checkbox', { name: /^Admitted/ }).check();
  await panel.getByText('is not', { exact: true }).click();
  await expect(page.getByRole('list', { name: 'Applied filters' })).toContainText('not Admitted');
  await expectAccessible(page, 'patients with the panel in use');
  await page.getByRole('button', { name: 'Save filter' }).click();
  await expect(page.getByText(/^In the last 30 days/)).toBeVisible();
  await expectAccessible(page, 'saving a filter');
  await page.getByRole('textbox', { name: 'Name' }).fill('Not admitted');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Remove filter Current Status: not Admitted' }).click();
  await expect(page.getByRole('group', { name: 'Modified filter' })).toBeVisible();
  await expectAccessible(page, 'changed filter');
  await page.getByRole('button', { name: 'Filter: Not admitted' }).click();
  await page.getByRole('menuitem', { name: 'Manage filters…' }).click();
  await expect(page.getByRole('dialog', { name: 'Manage filters' })).toBeVisible();
  await expectAccessible(page, 'managing filters');
  await page.goto('/dashboard/length-of-stay?view=ALL_PATIENTS');
  await expect(page.getByRole('img', { name: /^Most stays/ })).toBeVisible();
  await expectAccessible(page, 'length of stay');
});
