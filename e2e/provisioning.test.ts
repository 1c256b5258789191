import { scimClient } from '#server/testing/scim-client.ts';
import { expectAccessible } from './accessible.ts';
import { administrator, adminPath, dialog, openRow, rowNamed } from './admin-page.ts';
import { approveDomains, expect, test } from './journey.ts';

test.slow();

test('an identity provider creates accounts, its groups give access, and its page says so', async ({
  scene,
  open,
  db,
  baseURL,
}) => {
  const domain = `scim${scene.team.id}.example`;
  const { organizationId } = scene.team;
  await scene.make.connection({ organizationId, domains: [domain] });
  await approveDomains(db, organizationId);
  const admin = await administrator(scene);
  const page = await open(admin, adminPath('single-sign-on'));
  await page.getByRole('button', { name: /^Connection / }).click();
  const drawer = dialog(page);
  const accounts = drawer.getByRole('region', { name: 'Accounts' });
  await expect(accounts.getByText('Someone without an account is refused.')).toBeVisible();
  await accounts.getByRole('button', { name: 'Create accounts at the first sign-in…' }).click();
  await accounts.getByLabel('Role').selectOption('Viewer');
  await expect(accounts.getByLabel('Role').getByRole('option', { name: 'Administrator' })).toHaveCount(0);
  await accounts.getByRole('button', { name: 'Create accounts this way' }).click();
  await expect(accounts.getByText(`one at the first sign-in: Viewer on ${scene.team.name}.`)).toBeVisible();

  await expect(accounts.getByText("No tokens. Your identity provider can't manage accounts.")).toBeVisible();
  await accounts.getByRole('button', { name: 'Issue token' }).click();
  const shown = accounts.getByRole('status');
  await expect(shown.getByText("You won't be able to see it again.")).toBeVisible();
  const token = (await shown.locator('code').textContent()) ?? '';
  await expectAccessible(page, 'provisioning at a connection');

  const scim = scimClient({ url: baseURL ?? '' }, token.trim());
  const user = (first: string, last: string) =>
    scim.call('POST', '/Users', {
      userName: `${first}.${last}@${domain}`.toLowerCase(),
      name: { givenName: first, familyName: last },
    });
  const ids = [];
  for (const [first, last] of [
    ['Ines', 'Ferreira'],
    ['Jun', 'Watanabe'],
  ] as const) {
    const { status, body } = await user(first, last);
    expect(status).toBe(201);
    ids.push((body as { id: string }).id);
  }
  const members = ids.map((value) => ({ value }));
  const group = await scim.call('POST', '/Groups', { displayName: 'Tidings nurses', members });
  expect(group.status).toBe(201);

  await page.reload();
  await page.getByRole('button', { name: /^Connection / }).click();
  await expect(accounts.getByText('Tidings nurses')).toBeVisible();
  await expect(accounts.getByText('Gives no access.')).toBeVisible();
  await expect(accounts.getByText(`Ends in ${token.trim().slice(-4)}`)).toBeVisible();
  await accounts.getByRole('button', { name: 'Change what Tidings nurses gives' }).click();
  const access = dialog(page, 'What members of Tidings nurses may do');
  await access.getByRole('button', { name: 'Add a team' }).click();
  await access.getByLabel('Role').selectOption('Clinician');
  await expectAccessible(page, 'what a group gives');
  await access.getByRole('button', { name: 'Save access' }).click();
  await expect(accounts.getByText(`Gives Clinician on ${scene.team.name}.`)).toBeVisible();
  await drawer.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('link', { name: 'Users' }).click();
  await expect(rowNamed(page, 'Ferreira, Ines')).toContainText('Clinician · 1 group');
  await expect(rowNamed(page, 'Ferreira, Ines')).toContainText('Single sign-on');
  const ines = await openRow(page, 'Ferreira, Ines');
  const provisioned = ines.getByRole('region', { name: 'Access through your identity provider' });
  await expect(provisioned.getByRole('listitem')).toHaveText(`Clinician: ${scene.team.name} · ${scene.group.name}`);
  await expectAccessible(page, 'a provisioned user');
  await ines.getByRole('button', { name: 'Cancel' }).click();

  // Whoever leaves the group there loses the access here.
  const remove = { op: 'remove', path: `members[value eq "${ids[0]}"]` };
  const { id } = group.body as { id: string };
  expect((await scim.call('PATCH', `/Groups/${id}`, { Operations: [remove] })).status).toBe(200);
  expect((await scim.call('DELETE', `/Users/${ids[1]}`)).status).toBe(204);
  await page.reload();
  await expect(rowNamed(page, 'Ferreira, Ines')).toContainText('None');
  await expect(rowNamed(page, 'Watanabe, Jun')).toContainText('Disabled');

  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Jun Watanabe' }).first()).toContainText('removed all access');
  await page.getByRole('link', { name: 'Single sign-on' }).click();
  await page.getByRole('button', { name: /^Connection / }).click();
  await accounts.getByRole('button', { name: /^Revoke the token/ }).click();
  await dialog(page, /^Revoke the token/)
    .getByRole('button', { name: 'Revoke token' })
    .click();
  await expect(accounts.getByText("No tokens. Your identity provider can't manage accounts.")).toBeVisible();
  expect((await scim.call('GET', '/Users')).status).toBe(401);
});
