import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { rowOf } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import { type Person, rosterOf } from './people.ts';

async function upload(page: Page, text: string, name = 'roster.csv'): Promise<void> {
  await page.getByLabel('Roster file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await attest(page);
  await page.getByRole('button', { name: 'Upload and preview' }).click();
}

async function attest(page: Page): Promise<void> {
  await page.getByLabel('Relationship with the people in this file').selectOption('CARE_COORDINATION');
  await page.getByLabel(/^I confirm that .* coordinates care for everyone in this file/).check();
}

const latest = (page: Page) => page.getByRole('region', { name: 'Latest upload' });

/** Applies the file after its preview. `removals`: their number, where it has to be typed. */
async function apply(page: Page, removals?: number): Promise<void> {
  if (removals !== undefined) await page.getByLabel(`Type ${removals} to confirm the removals`).fill(String(removals));
  await page.getByRole('button', { name: 'Apply file' }).click();
  await expect(latest(page).getByText('Done', { exact: true })).toBeVisible();
}

const factOf = (page: Page, term: string) =>
  latest(page)
    .locator('dl > div', { has: page.getByText(term, { exact: true }) })
    .getByRole('definition');

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

  await expect(page.getByRole('heading', { name: 'Preview of november.csv' })).toBeFocused();
  await expect(page.getByText('1 of 6 people would leave the roster (17%)')).toBeVisible();
  for (const [tab, text] of [
    ['Adds (1)', stays.family],
    ['Changes (1)', '99 Other Street'],
    ['Removals (1)', (others[4] as Person).family],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('tabpanel').getByRole('row', { name: new RegExp(text, 'i') })).toBeVisible();
  }
  await expect(inbox.getByText('No unresolved pings.')).toBeVisible();
  await apply(page, 1);

  const main = page.getByRole('main');
  await expect(main).toContainText('november.csv');
  await expect(main).toContainText('Ama Osei');
  for (const [term, count] of Object.entries({ Added: '1', Changed: '1', Removed: '1 (17%)', Unchanged: '4' }))
    await expect(factOf(page, term)).toHaveText(count);
  await expect(page.getByRole('row', { name: /Date of Birth/ })).toContainText('13/45/1950');
  await expect(page.getByRole('row', { name: /Date of Birth/ })).toContainText('Not a valid date. Use MM/DD/YYYY');
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
  await expect(factOf(page, 'Dates of birth')).toHaveText('Read as DD/MM/YYYY');
  await expect(factOf(page, 'To add')).toHaveText('2');
  await expect(factOf(page, 'Rows with errors')).toHaveText('0');
  await expect(page.getByRole('tab', { name: /Errors/ })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Warnings (2)' }).click();
  const warnings = page.getByRole('region', { name: 'Warnings' });
  await expect(warnings.getByRole('row', { name: /Gender/ })).toContainText('lady');
  await expect(warnings.getByRole('row', { name: /Home Phone/ })).toContainText(
    'Not a valid phone number. Use 10 digits',
  );
  await page.getByRole('button', { name: 'Gender: 1' }).click();
  await expect(warnings.getByRole('row', { name: /Home Phone/ })).toHaveCount(0);
});

test('a file that would remove more than half of a roster waits until the number is typed', async ({ scene, open }) => {
  const many = Array.from({ length: 110 }, scene.stranger);
  await scene.list(many);
  const page = await open(await scene.user('administrator'), '/dashboard/rosters');
  await upload(page, rosterOf(many.slice(0, 10)));
  await expect(latest(page).getByText('Waiting for your confirmation')).toBeVisible();
  await expect(page.getByText('100 of 110 people would leave the roster (91%)')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel upload' }).click();
  await expect(latest(page).getByText('Canceled', { exact: true }).first()).toBeVisible();

  await upload(page, rosterOf(many.slice(0, 10)));
  await page.getByLabel('Type 100 to confirm the removals').fill('99');
  await page.getByRole('button', { name: 'Apply file' }).click();
  await expect(page.getByText("The number doesn't match.")).toBeVisible();
  await apply(page, 100);
});

test('a file that removes people waits if a row might be anyone', async ({ scene, open }) => {
  const [stays, goes, isUnread] = [scene.stranger(), scene.stranger(), scene.stranger()];
  await scene.list([stays, goes]);
  const page = await open(await scene.user('administrator'), '/dashboard/rosters');
  await upload(page, rosterOf([stays, { ...isUnread, memberId: '1.00237E+11' }]));
  await expect(page.getByText('1 of 2 people would leave the roster (50%)')).toBeVisible();
  await expect(page.getByText("The member ID in 1 row can't be used")).toBeVisible();
  await apply(page, 1);
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
  await page.getByRole('button', { name: 'Upload and preview' }).click();
  for (const missing of ['Choose a file first.', 'Choose a relationship.', 'Confirm this to upload the file.'])
    await expect(page.getByText(missing)).toBeVisible();
  await upload(page, rosterOf([scene.stranger()]));
  await page.getByRole('button', { name: 'Apply file' }).click();
  await expect(latest(page).getByText('Waiting for approval')).toBeVisible();
  await expect(page.getByText("This group's first roster needs approval")).toBeVisible();

  const admin = await open(await scene.user('administrator', { isOperator: true }), '/dashboard/admin/groups');
  await admin.getByRole('button', { name: `Approve the roster of ${name}` }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Approve roster' }).click();
  await expect(admin.getByText(`The roster of ${name} was approved and is being applied.`)).toBeVisible();
  await expect(latest(page).getByText('Done', { exact: true })).toBeVisible();
});

test('a dropped file with headers of its own is matched once, and the template and later files have them', async ({
  scene,
  open,
}) => {
  const page = await open(await scene.user('administrator'), '/dashboard/rosters');
  const own = 'Kundennummer,Rufname,Nachname,Geb,Shoe size';
  const drop = async (text: string): Promise<void> => {
    const transfer = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(text)}], 'own.csv', { type: 'text/csv' }));
      return data;
    })()`);
    const zone = page.getByTestId('drop-zone');
    await zone.dispatchEvent('dragenter', { dataTransfer: transfer });
    await expect(zone).toContainText('Drop the file to choose it');
    await zone.dispatchEvent('drop', { dataTransfer: transfer });
  };
  await drop(`${own}\nK1,Ann,Warnford,12/25/1950,42\n`);
  await expect(
    page.getByText('Choose which columns are Member ID, First Name, Last Name, and Date of Birth.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload and preview' })).toBeDisabled();
  await expectAccessible(page, 'the columns of a roster');
  for (const [header, column] of [
    ['Kundennummer', 'Member ID'],
    ['Rufname', 'First Name'],
    ['Nachname', 'Last Name'],
    ['Geb', 'Date of Birth'],
  ] as const)
    await page.getByLabel(`Read ${header} as`).selectOption({ label: column });
  await expect(page.getByText('All required columns are there.')).toBeVisible();
  await attest(page);
  await page.getByRole('button', { name: 'Upload and preview' }).click();
  await expect(page.getByText('1 column of the file not read')).toBeVisible();
  await expect(latest(page)).toContainText('Shoe size');
  await apply(page, 6);

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download template' }).click();
  const template = await readFile((await (await download).path()) ?? '', 'utf8');
  expect(template).toMatch(/^Kundennummer,Rufname,Middle Name,Nachname,Suffix,Geb,/);
  await drop(`${own}\nK1,Ann,Warnford,12/25/1950,42\nK2,Bo,Warnley,3/4/1961,42\n`);
  await expect(page.getByText('All required columns are there.')).toBeVisible();
  await page.getByRole('button', { name: 'Forget headers' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget headers' }).click();
  await expect(page.getByText(/have a meaning of their own/)).toHaveCount(0);
});

test('the history says who uploaded what, and the latest upload can be undone', async ({ scene, open }) => {
  const admin = await scene.user('administrator');
  const page = await open(admin, '/dashboard/rosters');
  await upload(page, rosterOf([...scene.people.slice(1), scene.stranger()]), 'wrong.csv');
  await apply(page, 1);
  await page.getByRole('button', { name: 'Undo upload' }).click();
  const dialog = page.getByRole('dialog', { name: 'Undo upload' });
  await expect(dialog).toContainText('1 person it added leaves the roster.');
  await expect(dialog).toContainText('1 person it removed returns.');
  await expectAccessible(page, 'the undo of a roster');
  await dialog.getByRole('button', { name: 'Undo upload' }).click();
  await expect(page.getByRole('button', { name: 'Undo upload' })).toHaveCount(0);
  const history = page.getByRole('region', { name: 'Uploads' });
  await expect(history.getByRole('row')).toHaveCount(4);
  await expect(history.getByRole('row').nth(1)).toContainText('Undo of wrong.csv');
  await expect(history.getByRole('row').nth(1)).toContainText('Ama Osei');
  await expect(history.getByRole('row').nth(2)).toContainText('Undone');
  await history
    .getByRole('row')
    .nth(2)
    .getByRole('button', { name: /^Details/ })
    .click();
  await expect(page.getByRole('dialog', { name: 'wrong.csv' })).toContainText('by Ama Osei');
  await expectAccessible(page, 'an earlier upload');
  await page.keyboard.press('Escape');
  await expectAccessible(page, 'rosters with a history');
  await upload(page, rosterOf([scene.stranger()]), 'preview.csv');
  await expect(page.getByRole('heading', { name: 'Preview of preview.csv' })).toBeVisible();
  await expectAccessible(page, 'the preview of a roster');
});

test('a file of another kind is refused before it is sent, with what to do', async ({ scene, open }) => {
  const page = await open(await scene.user('administrator'), '/dashboard/rosters');
  const file = {
    name: 'roster.xlsx',
    mimeType: 'application/zip',
    buffer: Buffer.from('PK\x03\x04[Content_Types].xml'),
  };
  await page.getByLabel('Roster file').setInputFiles(file);
  await expect(page.getByText(/This is an Excel workbook\. Open it in Excel and save it as CSV UTF-8/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload and preview' })).toBeDisabled();
});

test('the rosters page is only for users who may upload rosters', async ({ scene, open }) => {
  const page = await open(await scene.user('clinician'));
  await expect(page.getByRole('link', { name: 'Rosters' })).toHaveCount(0);
  await page.goto('/dashboard/rosters');
  await expect(page.getByRole('heading', { level: 1, name: "You don't have access to this page" })).toBeVisible();
});
