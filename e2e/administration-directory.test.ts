import { administrator, adminPath, dialog, mailsTo, openRow, rowNamed, saved, searchFor } from './admin-page.ts';
import { choose } from './choose.ts';
import { expect, test } from './journey.ts';

test.slow();

test('groups and teams are added and changed, with each error at its field', async ({ scene, open, complaints }) => {
  complaints.expect(/status of 409 .*\/api\/admin\/(groups|teams)/);
  const { id } = scene.team;
  const page = await open(await administrator(scene), adminPath('groups'));
  await page.getByRole('button', { name: 'Add group' }).click();
  const drawer = dialog(page);
  const save = drawer.getByRole('button', { name: 'Save' });
  const name = drawer.getByLabel('Name');
  await save.click();
  await expect(drawer.getByText('Enter a name.')).toBeVisible();
  await expect(name).toBeFocused();
  await name.fill(scene.group.name);
  await drawer.getByLabel('Type', { exact: true }).selectOption('Other facility');
  await drawer.getByLabel('Facility type').selectOption('Home health agency');
  await save.click();
  await expect(drawer.getByText('This name is already in use. Choose another one.')).toBeVisible();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await name.fill(`Heron Home Health ${id}`);
  await drawer.getByLabel('State').selectOption('New York');
  await save.click();
  await saved(page, `The group Heron Home Health ${id} was saved.`);
  const group = rowNamed(page, `Heron Home Health ${id}`);
  await expect(group).toContainText('Home health agency');
  await expect(group).toContainText('NY');
  await openRow(page, `Heron Home Health ${id}`);
  await choose(drawer, 'Time zone', 'Chicago (America/Chicago)');
  await drawer.getByLabel(/^Substance use disorder treatment/).check();
  await save.click();
  await expect(group).toContainText('Chicago');
  await expect(group).toContainText('Yes, needs consent');

  await page.getByRole('link', { name: 'Teams' }).click();
  await page.getByRole('button', { name: 'Add team' }).click();
  await save.click();
  for (const words of ['Enter a name.', 'Enter an abbreviation.', 'Choose at least one group.'])
    await expect(drawer.getByText(words)).toBeVisible();
  await name.fill(scene.team.name);
  await drawer.getByLabel('Abbreviation').fill('NIGHT');
  await drawer.getByRole('checkbox', { name: `Heron Home Health ${id}` }).check();
  await save.click();
  await expect(drawer.getByText('This name is already in use. Choose another one.')).toBeVisible();
  await name.fill(`Night Team ${id}`);
  await save.click();
  await saved(page, `The team Night Team ${id} was saved.`);
  const team = rowNamed(page, `Night Team ${id}`);
  await expect(team).toContainText(`Heron Home Health ${id}`);
  await openRow(page, `Night Team ${id}`);
  await drawer.getByRole('checkbox', { name: `Heron Home Health ${id}` }).uncheck();
  await drawer.getByRole('checkbox', { name: scene.group.name }).check();
  await expect(drawer.getByText(/^This removes 1 group from the team\. Its members will no longer see/)).toBeVisible();
  await save.click();
  await expect(team).toContainText(scene.group.name);
  await expect(team).not.toContainText('Heron');
});

test('a role is made of permissions in plain words, and a change says who is affected before it is saved', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 409 .*\/api\/admin\/roles/);
  const admin = await administrator(scene);
  const kofi = await scene.user('viewer', { firstName: 'Kofi', lastName: 'Mensah' });
  const page = await open(admin, adminPath('roles'));
  await openRow(page, 'Viewer');
  const drawer = dialog(page);
  await expect(
    drawer.getByText(/^This is a standard role that every organization has, so it can't be changed\./),
  ).toBeVisible();
  await expect(drawer.getByRole('checkbox', { name: 'Manage users' })).toBeDisabled();
  await drawer.getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('button', { name: 'Add role' }).click();
  await drawer.getByLabel('Name').fill('Viewer');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByText('This name is already in use. Choose another one.')).toBeVisible();
  await drawer.getByLabel('Name').fill('Night desk');
  await drawer.getByRole('checkbox', { name: 'View the ping inbox' }).check();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await saved(page, 'The role Night desk was saved.');
  await expect(rowNamed(page, 'Night desk')).toContainText('1');

  await page.getByRole('link', { name: 'Users' }).click();
  await openRow(page, 'Mensah, Kofi');
  await drawer.getByLabel(/^Role at/).selectOption('Night desk');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await saved(page, 'The account of Kofi Mensah was saved.');
  const theirs = await open(kofi);
  await expect(theirs.getByRole('link', { name: 'Rosters' })).toHaveCount(0);

  await page.getByRole('link', { name: 'Roles' }).click();
  await openRow(page, 'Night desk');
  await drawer.getByRole('checkbox', { name: 'Upload rosters' }).check();
  await expect(drawer.getByText('For the 1 user with this role:')).toBeVisible();
  await expect(drawer.getByText('Adds: upload rosters.')).toBeVisible();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await saved(page, 'The role Night desk was saved.');
  await theirs.reload();
  await expect(theirs.getByRole('link', { name: 'Rosters' })).toBeVisible();
});

test('the second of two administrators who change the same team learns who was first, and keeps or discards their own changes', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 409 .*\/api\/admin\/teams/);
  const [first, second] = [await administrator(scene), await administrator(scene, { firstName: 'Ben' })];
  const [hers, his] = [await open(first, adminPath('teams')), await open(second, adminPath('teams'))];
  const { name } = scene.team;
  for (const page of [hers, his]) await openRow(page, name);
  await dialog(hers).getByLabel('Abbreviation').fill('EAST');
  await dialog(hers).getByRole('button', { name: 'Save' }).click();
  await saved(hers, `The team ${name} was saved.`);
  const drawer = dialog(his);
  await drawer.getByLabel('Abbreviation').fill('WEST');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByRole('alert')).toContainText('Someone else changed this while you had it open.');
  await expect(drawer.getByRole('alert')).toContainText('Last changed by Rosa Diaz');
  await expect(drawer.getByLabel('Abbreviation')).toHaveValue('WEST');
  await drawer.getByRole('button', { name: 'Take theirs' }).click();
  await expect(drawer.getByLabel('Abbreviation')).toHaveValue('EAST');
  await expect(drawer.getByRole('alert')).toHaveCount(0);

  await openRow(hers, name);
  await dialog(hers).getByLabel('Abbreviation').fill('NORTH');
  await dialog(hers).getByRole('button', { name: 'Save' }).click();
  await saved(hers, `The team ${name} was saved.`);
  await drawer.getByLabel('Abbreviation').fill('SOUTH');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.getByRole('button', { name: 'Keep mine' }).click();
  await saved(his, `The team ${name} was saved.`);
  await expect(rowNamed(his, name)).toContainText('SOUTH');
});

test('unused teams, roles and groups are removed; those still in use say what uses them', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 40[39] .*\/api\/admin\/(teams|roles|groups)/);
  const page = await open(await administrator(scene), adminPath('teams'));
  const remove = async (kind: string): Promise<void> => {
    await dialog(page)
      .getByRole('button', { name: `Remove this ${kind}…` })
      .click();
    await dialog(page, /^Remove the /)
      .getByRole('button', { name: `Remove ${kind}` })
      .click();
  };
  const closeBoth = async (): Promise<void> => {
    await dialog(page, /^Remove the /)
      .getByRole('button', { name: 'Cancel' })
      .click();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  };
  await openRow(page, scene.team.name);
  await remove('team');
  await expect(dialog(page, /^Remove the /)).toContainText(/This team is still in use: \d people are on it\./);
  await closeBoth();
  await page.getByRole('button', { name: 'Add team' }).click();
  await dialog(page).getByLabel('Name').fill('Night shift');
  await dialog(page).getByLabel('Abbreviation').fill('NS');
  await dialog(page).getByRole('checkbox', { name: scene.group.name }).check();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await saved(page, 'The team Night shift was saved.');
  await openRow(page, 'Night shift');
  await remove('team');
  await saved(page, 'The team Night shift was removed.');
  await expect(rowNamed(page, 'Night shift')).toHaveCount(0);

  await page.getByRole('link', { name: 'Roles' }).click();
  await openRow(page, 'Viewer');
  await expect(dialog(page).getByRole('button', { name: 'Remove this role…' })).toHaveCount(0);
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Add role' }).click();
  await dialog(page).getByLabel('Name').fill('Scribe');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await saved(page, 'The role Scribe was saved.');
  await openRow(page, 'Scribe');
  await remove('role');
  await saved(page, 'The role Scribe was removed.');

  await page.getByRole('link', { name: 'Groups' }).click();
  await openRow(page, scene.group.name);
  await remove('group');
  await expect(dialog(page, /^Remove the /)).toContainText(
    "This is the only group you manage, so you can't remove it.",
  );
  await closeBoth();
  await page.getByRole('button', { name: 'Add group' }).click();
  await dialog(page).getByLabel('Name').fill('Annexe');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await saved(page, 'The group Annexe was saved.');
  await openRow(page, scene.group.name);
  await remove('group');
  await expect(dialog(page, /^Remove the /)).toContainText('This group is still in use: 6 patients are on its roster;');
  await closeBoth();
  await openRow(page, 'Annexe');
  await remove('group');
  await saved(page, 'The group Annexe was removed.');
  await expect(page.getByRole('region', { name: 'Removed groups' })).toContainText('Annexe');

  await page.getByRole('link', { name: 'Audit log' }).click();
  const first = page.getByRole('row').nth(1);
  await expect(first).toContainText('Rosa Diaz');
  await expect(first).toContainText('removed the group Annexe');
  await expect(page.getByRole('row').filter({ hasText: 'added the team Night shift' })).toContainText(
    `Groups: ${scene.group.name}`,
  );
});

test('a removed group is reopened from the list of removed groups, and the audit log says so', async ({
  scene,
  open,
}) => {
  const page = await open(await administrator(scene), adminPath('groups'));
  const name = `Annexe ${scene.team.id}`;
  const removed = page.getByRole('region', { name: 'Removed groups' });
  await page.getByRole('button', { name: 'Add group' }).click();
  await dialog(page).getByLabel('Name').fill(name);
  await dialog(page).getByLabel('Address').fill('12 Heron Lane');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await saved(page, `The group ${name} was saved.`);
  await openRow(page, name);
  await dialog(page).getByRole('button', { name: 'Remove this group…' }).click();
  await dialog(page, /^Remove the /)
    .getByRole('button', { name: 'Remove group' })
    .click();
  await saved(page, `The group ${name} was removed.`);
  await removed.getByRole('button', { name: `Reopen ${name}` }).click();
  await expect(dialog(page)).toContainText('Its roster is empty until you upload one');
  await dialog(page).getByRole('button', { name: 'Reopen group' }).click();
  await saved(page, `The group ${name} was reopened.`);
  await expect(removed).toHaveCount(0);
  await openRow(page, name);
  await expect(dialog(page).getByLabel('Address')).toHaveValue('12 Heron Lane');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('link', { name: 'Audit log' }).click();
  const first = page.getByRole('row').nth(1);
  await expect(first).toContainText(`reopened the group ${name}`);
  await expect(first).toContainText(`Team: ${scene.team.name}`);
});

test('a request to join is approved or declined by an administrator of the group', async ({ scene, open, request }) => {
  const { id } = scene.group;
  for (const [firstName, lastName] of [
    ['Lena', 'Okafor'],
    ['Visit', 'Spam'],
  ]) {
    const data = { username: `${firstName}.${id}@lakeside.example`, firstName, lastName, groupId: id };
    expect((await request.post('/api/registrations', { data })).status()).toBe(204);
  }
  const page = await open(await administrator(scene), adminPath('requests'));
  await page.getByRole('button', { name: `Approve Lena Okafor for ${scene.group.name}` }).click();
  await dialog(page).getByRole('button', { name: 'Approve request' }).click();
  await saved(page, `Lena Okafor was added to ${scene.group.name} and will get an email.`);
  await page.getByRole('button', { name: `Decline Visit Spam for ${scene.group.name}` }).click();
  await expect(dialog(page)).toContainText(`Visit Spam won't get access to ${scene.group.name}, but can ask again.`);
  await dialog(page).getByRole('button', { name: 'Decline request' }).click();
  await saved(page, 'The request from Visit Spam was declined.');
  await expect(page.getByText('No pending requests')).toBeVisible();
  await page.getByRole('link', { name: 'Users' }).click();
  const row = rowNamed(page, 'Okafor, Lena');
  await expect(row).toContainText('Invited');
  await expect(row).toContainText('Viewer · 1 group');
  await expect(rowNamed(page, 'Spam, Visit')).toHaveCount(0);
  expect(await mailsTo(request, `lena.${id}@lakeside.example`)).toHaveLength(1);
});

test('operators see the organization of each row, and add access only within it', async ({ scene, open }) => {
  const { make, team } = scene;
  const home = await make.organization({ name: `Operations ${team.id}` });
  const desk = await make.group({ organizationId: home.id, name: `Desk ${team.id}` });
  const office = await make.team({ organizationId: home.id, groupIds: [desk.id], name: `Operators ${team.id}` });
  const operator = await make.user({
    team: office,
    role: 'administrator',
    isOperator: true,
    removed: ['canViewMfaOptIn'],
    username: `operator.${team.id}@operations.example`,
  });
  await scene.user('viewer', { firstName: 'Kofi', lastName: `Mensah ${team.id}` });
  const page = await open(operator, adminPath('teams'));
  await searchFor(page, team.name);
  await expect(rowNamed(page, team.name)).toContainText(scene.team.organizationName);
  await searchFor(page, office.name);
  await expect(rowNamed(page, office.name)).toContainText(home.name);
  await page.getByRole('link', { name: 'Groups' }).click();
  await searchFor(page, scene.group.name);
  await expect(rowNamed(page, scene.group.name)).toContainText(scene.team.organizationName);
  await page.getByRole('link', { name: 'Users' }).click();
  // Until the page is there, the search is still that of the groups.
  await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search' }).fill(`mensah ${team.id}`);
  await expect(rowNamed(page, `Mensah ${team.id}, Kofi`)).toContainText(scene.team.organizationName);
  const drawer = await openRow(page, `Mensah ${team.id}, Kofi`);
  await expect(drawer.getByLabel('Team', { exact: true }).getByRole('option')).toHaveText([
    `${team.name} (${scene.team.organizationName})`,
  ]);
});

for (const role of ['care coordinator', 'viewer'] as const)
  test(`a ${role} is not offered administration, and its addresses say that there is no access`, async ({
    scene,
    open,
  }) => {
    const page = await open(await scene.user(role));
    for (const name of ['Admin', 'Feeds']) await expect(page.getByRole('link', { name })).toHaveCount(0);
    for (const path of [adminPath('users'), '/dashboard/admin', adminPath('single-sign-on')]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: "You don't have access to this page" })).toBeVisible();
      await expect(page.getByRole('navigation', { name: 'Administration' })).toHaveCount(0);
    }
    const headers = { 'X-ping-team-id': scene.team.id };
    expect((await page.request.get('/api/admin/users', { headers })).status()).toBe(403);
  });
