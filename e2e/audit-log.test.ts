import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { TEAM_HEADER } from '#contract/constants.ts';
import { expectAccessible } from './accessible.ts';
import { administrator, adminPath, dialog, mailsTo, openRow, rowNamed, saved } from './admin-page.ts';
import { expect, test } from './journey.ts';
import { type Scene, signInTo } from './scene.ts';

test.slow();

const AUDIT_LOG = '/dashboard/admin/changes';
const entries = (page: Page, words: string): Locator => page.getByRole('row').filter({ hasText: words });

/** Signs Kofi Mensah in, after a wrong password, and has him refused by an administrators' call. */
async function kofiIsRefused(scene: Scene, request: Parameters<typeof signInTo>[0]) {
  const kofi = await scene.user('viewer', { firstName: 'Kofi', lastName: 'Mensah' });
  const wrong = await request.post('/api/authenticate', { data: { username: kofi.username, password: 'wrong' } });
  expect(wrong.status()).toBe(401);
  await signInTo(request, kofi.username);
  const refused = await request.get('/api/admin/users', { headers: { [TEAM_HEADER]: scene.team.id } });
  expect(refused.status()).toBe(403);
  return kofi;
}

test('the audit log shows sign-ins and refusals, is filtered, and is downloaded', async ({ scene, open, request }) => {
  const kofi = await kofiIsRefused(scene, request);
  const page = await open(await administrator(scene), AUDIT_LOG);
  await expect(entries(page, 'Someone as Kofi Mensah')).toContainText('was refused: wrong password');
  await expect(entries(page, 'signed in with a password').filter({ hasText: 'Kofi Mensah' })).toHaveCount(1);
  await expect(entries(page, 'the role on the team doesn’t allow it')).toContainText('Kofi Mensah');
  await expect(page.getByText(/^\d+ entries$/)).toBeVisible();
  await expectAccessible(page, 'audit log');

  const filters = page.getByRole('search', { name: 'Audit log' });
  const doneBy = filters.getByRole('combobox', { name: 'Done by' });
  await doneBy.fill('Kof');
  await page.getByRole('option', { name: /^Kofi Mensah/ }).click();
  await expect(page).toHaveURL(`${AUDIT_LOG}?by=${kofi.id}`);
  await expect(page.getByText('2 entries match 1 filter')).toBeVisible();
  await filters.getByLabel('Kind').selectOption('Refused');
  await expect(page.getByText('1 entry matches 2 filters')).toBeVisible();
  await expectAccessible(page, 'filtered audit log');

  const file = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as CSV' }).click();
  const lines = (await readFile(await (await file).path(), 'utf8')).trim().split('\r\n');
  expect(lines[0]).toBe('Date (UTC),Who,What,Action,IP address,Details');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('Kofi Mensah,was refused');

  await filters.getByLabel('To', { exact: true }).fill('2020-01-31');
  await expect(page.getByText('No entries match.')).toBeVisible();
  await expect(page).toHaveURL(`${AUDIT_LOG}?by=${kofi.id}&kind=refused&to=2020-01-31`);
  await page.reload();
  await expect(doneBy).toHaveValue('Kofi Mensah');
  await expectAccessible(page, 'audit log without entries');
  await page.getByRole('button', { name: 'Clear all' }).first().click();
  await expect(page).toHaveURL(AUDIT_LOG);
  await expect(doneBy).toHaveValue('');
  await expect(entries(page, 'downloaded the audit log of')).toHaveCount(1);
});

test('a request is approved on a chosen team and role, or declined with a letter, and the audit log says so', async ({
  scene,
  open,
  request,
  complaints,
}) => {
  complaints.expect(/status of 404 .*\/api\/users\/authorize-group/);
  const { id: groupId, name: groupName } = scene.group;
  const { id: teamId, organizationId } = scene.team;
  const night = await scene.make.team({ organizationId, groupIds: [groupId], name: `Night shift ${teamId}` });
  const register = async (firstName: string, lastName: string) => {
    const username = `${firstName}.${teamId}@harbor.example`.toLowerCase();
    const data = { username, firstName, lastName, title: 'Charge nurse', groupId };
    expect((await request.post('/api/registrations', { data })).status()).toBe(204);
    return username;
  };
  const lena = await register('Lena', 'Okafor');
  const omar = await register('Omar', 'Haddad');
  const page = await open(await administrator(scene), adminPath('requests'));
  const other = await open(await administrator(scene, { firstName: 'Ben', lastName: 'Ito' }), adminPath('requests'));
  await expect(page.getByRole('row').filter({ hasText: 'Lena Okafor' })).toContainText('Charge nurse');

  await other.getByRole('button', { name: `Approve Lena Okafor for ${groupName}` }).click();
  await expect(dialog(other).getByLabel('Team')).toHaveValue(teamId);
  await page.getByRole('button', { name: `Approve Lena Okafor for ${groupName}` }).click();
  await dialog(page).getByLabel('Team').selectOption(night.name);
  await dialog(page).getByLabel('Role').selectOption('Clinician');
  await expect(dialog(page)).toContainText('change ping status');
  await expectAccessible(page, 'approval of a request');
  await dialog(page).getByRole('button', { name: 'Approve request' }).click();
  await saved(page, `Lena Okafor was added to ${groupName} and will get an email.`);
  expect(await mailsTo(request, lena)).toMatchObject([{ subject: 'Activate your Tidings account' }]);

  await dialog(other).getByRole('button', { name: 'Approve request' }).click();
  await expect(dialog(other)).toContainText('No changes were made.');
  await dialog(other).getByRole('button', { name: 'Cancel' }).click();
  await expect(other.getByRole('row').filter({ hasText: 'Lena Okafor' })).toHaveCount(0);
  await other.getByRole('button', { name: `Decline Omar Haddad for ${groupName}` }).click();
  await dialog(other).getByRole('button', { name: 'Decline request' }).click();
  await saved(other, 'The request from Omar Haddad was declined.');
  expect(await mailsTo(request, omar)).toMatchObject([{ subject: 'Your request for access' }]);

  await page.getByRole('link', { name: 'Users' }).click();
  await expect(rowNamed(page, 'Okafor, Lena')).toContainText('Clinician · 1 group');
  const drawer = await openRow(page, 'Okafor, Lena');
  await drawer.getByLabel('Title').fill('Nurse manager');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await saved(page, 'The account of Lena Okafor was saved.');

  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByLabel('Kind').selectOption('Access and requests to join');
  await expect(entries(page, 'declined the request from Omar Haddad')).toContainText('Ben Ito');
  const approved = entries(page, 'approved the request from Lena Okafor');
  for (const words of ['Rosa Diaz', `Team: ${night.name}`, 'Role: Clinician'])
    await expect(approved).toContainText(words);
  await page.getByLabel('Kind').selectOption('Accounts');
  await expect(entries(page, 'updated account details for Lena Okafor')).toContainText(
    'Title: Charge nurse → Nurse manager',
  );
});
