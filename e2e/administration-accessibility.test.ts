import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { administrator, adminPath, dialog, openRow } from './admin-page.ts';
import { expect, test } from './journey.ts';

test.slow();

/** Closes the open form and discards what was typed. */
async function leave(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  const discard = page.getByRole('button', { name: 'Discard changes' });
  await expect(discard.or(page.getByRole('heading', { level: 1 })).first()).toBeVisible();
  if (await discard.isVisible()) await discard.click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('the user pages are accessible', async ({ scene, open }) => {
  await scene.user('viewer', { firstName: 'Kofi', lastName: 'Mensah' });
  const page = await open(await administrator(scene), adminPath('users'));
  await expect(page.getByText('3 users', { exact: true })).toBeVisible();
  await expectAccessible(page, 'users');

  await page.getByRole('button', { name: 'Invite' }).click();
  const drawer = dialog(page);
  await drawer.getByLabel('Paste a list').check();
  await drawer.getByRole('textbox', { name: 'List' }).fill('nobody at all');
  await drawer.getByRole('checkbox', { name: scene.group.name }).check();
  await drawer.getByRole('button', { name: 'Add access' }).click();
  await drawer.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(drawer.getByText(/^1 of 1 lines can't be used/)).toBeVisible();
  await expectAccessible(page, 'invitation of many');
  await drawer.getByLabel('One person').check();
  await drawer.getByRole('button', { name: 'Invite', exact: true }).click();
  await expectAccessible(page, 'invitation of one');
  await leave(page);

  await openRow(page, 'Mensah, Kofi');
  await drawer.getByLabel(/^Role at/).selectOption('Clinician');
  await drawer.getByRole('button', { name: /^Custom permissions at/ }).click();
  await expectAccessible(page, 'user');
  await drawer.getByRole('button', { name: 'Disable account…' }).click();
  await expect(dialog(page, /^Disable/)).toBeVisible();
  await expectAccessible(page, 'confirmation before an account is disabled');
  await dialog(page, /^Disable/)
    .getByRole('button', { name: 'Cancel' })
    .click();
  await leave(page);

  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Disable…' }).click();
  await expect(dialog(page, 'Disable 2 accounts?')).toBeVisible();
  await expectAccessible(page, 'confirmation before several accounts are disabled');
  await dialog(page).getByRole('button', { name: 'Disable 2 accounts' }).click();
  await expect(page.getByText('2 accounts were disabled.')).toBeVisible();
  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'disabled the account of' })).toHaveCount(2);
  await expectAccessible(page, 'audit log');
});

test('the team, group and role pages are accessible', async ({ scene, open }) => {
  const page = await open(await administrator(scene), adminPath('teams'));
  for (const [part, name, add] of [
    ['Teams', scene.team.name, 'Add team'],
    ['Groups', scene.group.name, 'Add group'],
    ['Roles', 'Viewer', 'Add role'],
  ] as const) {
    await page.getByRole('link', { name: part, exact: true }).click();
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible();
    await expectAccessible(page, part);
    await page.getByRole('button', { name: add }).click();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await expect(dialog(page).getByText('Enter a name.')).toBeVisible();
    await expectAccessible(page, add);
    await leave(page);
  }
});

test('the single sign-on and access request pages are accessible', async ({ scene, open, request }) => {
  const data = { username: 'lena@lakeside.example', firstName: 'Lena', lastName: 'Okafor', groupId: scene.group.id };
  await request.post('/api/registrations', { data });
  const page = await open(await administrator(scene), adminPath('requests'));
  await expect(page.getByRole('button', { name: /^Approve Lena/ })).toBeVisible();
  await expectAccessible(page, 'access requests');
  await page.getByRole('link', { name: 'Single sign-on' }).click();
  await expect(page.getByText('No connections yet.')).toBeVisible();
  await expectAccessible(page, 'connections');
  for (const kind of ['OpenID Connect', 'SAML 2.0', 'SMART App Launch']) {
    await page.getByRole('button', { name: `Add ${kind}` }).click();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await expect(dialog(page).getByText('Enter a name.')).toBeVisible();
    await expectAccessible(page, kind);
    await leave(page);
  }
});

test("a feed's settings are accessible", async ({ scene, open }) => {
  const page = await open(await scene.engineer({ removed: ['canViewMfaOptIn'] }), '/dashboard/feeds');
  await page.getByRole('button', { name: `Settings for ${scene.feed.name}` }).click();
  const drawer = dialog(page);
  for (const map of ['Patient classes', 'Discharge dispositions'])
    await drawer.getByRole('region', { name: map }).getByRole('button', { name: 'Customize table' }).click();
  await drawer.getByRole('button', { name: 'Add row to units' }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByText('Enter the code.')).toBeVisible();
  await expectAccessible(page, "a feed's settings");
});
