import type { Page } from '@playwright/test';
import { rowOf } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import { type Person, rosterOf } from './people.ts';

async function upload(page: Page, text: string, name = 'roster.csv'): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByLabel('Roster file').click();
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByLabel('Relationship with the people in this file').selectOption('CARE_COORDINATION');
  await page.getByLabel(/^I confirm that .* coordinates care for everyone in this file/).check();
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
}

const factOf = (page: Page, term: string) =>
  page.locator('dl > div', { has: page.getByText(term, { exact: true }) }).getByRole('definition');

test('an upload with errors shows what it changed and the errors by column, and a listed patient in hospital brings a ping', async ({
  scene,
  open,
}) => {
  const stays = scene.stranger();
  await scene.hospital.send('A01', stays, { at: new Date(Date.now() - 3_600_000) });
  const admin = await scene.user('administrator');
  const page = await open(admin, '/dashboard/rosters');
  const inbox = await open(await scene.user('care coordinator'));
  await untilLive(inbox);
  await expect(inbox.getByText('No unresolved pings.')).toBeVisible();

  const [ann, ...others] = scene.people as [Person, ...Person[]];
  const moved = { ...ann, street: '99 Other Street' };
  const wrong = rosterOf([scene.stranger()])
    .split('\r\n')[1]
    ?.replace(/\d\d\/\d\d\/\d{4}/, '13/45/1950');
  await upload(page, `${rosterOf([moved, ...others.slice(0, 4), stays])}${wrong}\r\n`, 'november.csv');

  await expect(page.getByText('Done', { exact: true })).toBeVisible();
  const main = page.getByRole('main');
  await expect(main).toContainText('november.csv');
  await expect(main).toContainText(admin.username.toLowerCase());
  for (const [term, count] of Object.entries({ Created: '1', Updated: '1', Removed: '1', Unchanged: '4' }))
    await expect(factOf(page, term)).toHaveText(count);
  await expect(page.getByRole('row', { name: /Date of Birth/ })).toContainText('1');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download errors.csv' }).click();
  expect((await download).suggestedFilename()).toMatch(/errors\.csv$/);

  await expect(rowOf(inbox, stays)).toBeVisible();
  await expect(rowOf(inbox, stays)).toContainText('Admitted — Inpatient');
});

test('cells that cannot be read are warnings, and dates with the day first are read as such', async ({
  scene,
  open,
}) => {
  const page = await open(await scene.user('administrator'), '/dashboard/rosters');
  const header = 'Member ID,First Name,Last Name,Date of Birth,Gender,Home Phone';
  await upload(page, `${header}\nW1,Ann,Warnford,25/12/1950,lady,774-2231\nW2,Bo,Warnley,03/04/1961,F,585-774-2231\n`);
  await expect(page.getByText('Done', { exact: true })).toBeVisible();
  await expect(factOf(page, 'Dates of birth')).toHaveText('Read as DD/MM/YYYY');
  await expect(factOf(page, 'Created')).toHaveText('2');
  await expect(factOf(page, 'Rows with errors')).toHaveText('0');
  const warnings = page.getByRole('table', { name: 'Rows with warnings' });
  await expect(warnings.getByRole('row', { name: 'Gender' })).toContainText('1');
  await expect(warnings.getByRole('row', { name: 'Home Phone' })).toContainText('1');
  await expect(page.getByRole('heading', { name: 'Errors by column' })).toHaveCount(0);
});

test('a file that would remove more than half of a roster waits until the number is typed', async ({ scene, open }) => {
  const many = Array.from({ length: 110 }, scene.stranger);
  await scene.list(many);
  const page = await open(await scene.user('administrator'), '/dashboard/rosters');
  await upload(page, rosterOf(many.slice(0, 10)));
  await expect(page.getByText('Waiting for your confirmation')).toBeVisible();
  await expect(page.getByText('This file removes 100 people')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel upload' }).click();
  await expect(page.getByText('Canceled', { exact: true })).toBeVisible();

  await upload(page, rosterOf(many.slice(0, 10)));
  await page.getByLabel('Type 100 to confirm the removals').fill('99');
  await page.getByRole('button', { name: 'Apply file' }).click();
  await expect(page.getByText("The number doesn't match.")).toBeVisible();
  await page.getByLabel('Type 100 to confirm the removals').fill('100');
  await page.getByRole('button', { name: 'Apply file' }).click();
  await expect(page.getByText('Done', { exact: true })).toBeVisible();
});

test('a file that removes people waits if a row might be anyone', async ({ scene, open }) => {
  const [stays, goes, isUnread] = [scene.stranger(), scene.stranger(), scene.stranger()];
  await scene.list([stays, goes]);
  const page = await open(await scene.user('administrator'), '/dashboard/rosters');
  await upload(page, rosterOf([stays, { ...isUnread, memberId: '1.00237E+11' }]));
  await expect(page.getByText('This file removes 1 person')).toBeVisible();
  await expect(page.getByText("The member ID in 1 row can't be used")).toBeVisible();
  await page.getByLabel('Type 1 to confirm the removals').fill('1');
  await page.getByRole('button', { name: 'Apply file' }).click();
  await expect(page.getByText('Done', { exact: true })).toBeVisible();
});

test("a group's first roster is uploaded with a relationship, and applied once an operator approves it", async ({
  scene,
  open,
}) => {
  const organizationId = scene.team.organizationId;
  const name = `New Program ${scene.group.id}`;
  const group = await scene.make.group({ organizationId, name, approvedAt: null });
  const team = await scene.make.team({ organizationId, groupIds: [group.id], name: `Team of ${name}` });
  const page = await open(await scene.make.user({ team, role: 'administrator' }), '/dashboard/rosters');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  for (const missing of ['Choose a file first.', 'Choose a relationship.', 'Confirm this to upload the file.'])
    await expect(page.getByText(missing)).toBeVisible();
  await upload(page, rosterOf([scene.stranger()]));
  await expect(page.getByText('Waiting for approval')).toBeVisible();
  await expect(page.getByText("This group's first roster needs approval")).toBeVisible();

  const admin = await open(await scene.user('administrator', { isOperator: true }), '/dashboard/admin/groups');
  await admin.getByRole('button', { name: `Approve the roster of ${name}` }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Approve roster' }).click();
  await expect(admin.getByText(`The roster of ${name} was approved and is being applied.`)).toBeVisible();
  await expect(page.getByText('Done', { exact: true })).toBeVisible();
});

test('the rosters page is only for users who may upload rosters', async ({ scene, open }) => {
  const page = await open(await scene.user('clinician'));
  await expect(page.getByRole('link', { name: 'Rosters' })).toHaveCount(0);
  await page.goto('/dashboard/rosters');
  await expect(page.getByRole('heading', { level: 1, name: "You don't have access to this page" })).toBeVisible();
});
