import { expectAccessible } from './accessible.ts';
import { administrator, adminPath, dialog, mailsTo, openRow, rowNamed, saved } from './admin-page.ts';
import { choose } from './choose.ts';
import { expect, signIn, test, untilLive } from './journey.ts';

test.slow();

test('users are found by what they hold, and several get a role at once with a result for each', async ({
  scene,
  open,
}) => {
  const { team, make } = scene;
  const { organizationId } = team;
  const clinic = await make.group({ organizationId, name: `Heron Clinic ${team.id}` });
  const second = await make.team({ organizationId, groupIds: [clinic.id], name: `Heron Team ${team.id}` });
  const far = await make.group({ organizationId, name: `Far group ${team.id}` });
  const farTeam = await make.team({ organizationId, groupIds: [far.id], name: `Far ${team.id}` });
  const admin = await administrator(scene);
  await scene.grant(admin, second.id, 'administrator');
  for (const [name, of, role] of [
    ['Alder', team, 'viewer'],
    ['Birch', team, 'viewer'],
    ['Cedar', farTeam, 'viewer'],
  ] as const) {
    await make.user({ team: of, role, lastName: name, username: `${name.toLowerCase()}.${team.id}@lakeside.example` });
  }
  const page = await open(admin, adminPath('users'));
  await page.getByText('Filters', { exact: true }).click();
  await page.getByLabel('Role').selectOption('Viewer');
  await expect(page.getByText('3 users match 1 filter')).toBeVisible();
  await page.getByLabel('Last sign-in').selectOption('Never');
  await page.getByLabel('Sort by').selectOption('Newest accounts first');
  await expect(page.getByText('3 users match 2 filters')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Users' }).getByRole('row').nth(1)).toContainText('Cedar');
  await expectAccessible(page, 'filtered users');
  await page.reload();
  await expect(page.getByText('3 users match 2 filters')).toBeVisible();

  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Give a role…' }).click();
  const question = dialog(page, 'Give 3 people a role?');
  await choose(question, 'Team', second.name);
  await question.getByLabel('Role').selectOption('Clinician');
  await question.getByLabel('Only these').check();
  await expect(question.getByRole('button', { name: 'Give the role to 3 people' })).toBeDisabled();
  await question.getByRole('checkbox', { name: clinic.name }).check();
  await expectAccessible(page, 'a role for several');
  await question.getByRole('button', { name: 'Give the role to 3 people' }).click();
  await saved(page, '3 people got the role.');
  await expect(rowNamed(page, 'Alder, Ama')).toContainText('Viewer, Clinician · 2 groups');

  // What was given at a group that she does not manage stays.
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Remove access…' }).click();
  const removal = dialog(page, 'Remove access from 3 people?');
  await choose(removal, 'Team', farTeam.name);
  await removal.getByRole('button', { name: 'Remove access from 3 people' }).click();
  await expect(dialog(page)).toContainText('Done for 2 of 3. Not for:');
  await expect(dialog(page).getByRole('listitem')).toHaveText([/^Cedar, Ama: /]);
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();

  await page.getByLabel('Group').selectOption(clinic.name);
  await page.getByLabel('Role').selectOption('All roles');
  await expect(page.getByText('3 users match 2 filters')).toBeVisible();
});

test('sessions are seen and ended one by one, and a link to reset the password is sent', async ({
  scene,
  open,
  page: theirs,
  request,
  complaints,
}) => {
  complaints.expect(/status of 401/);
  const kofi = await scene.user('care coordinator', { firstName: 'Kofi', lastName: 'Mensah' });
  await theirs.goto('/login');
  await signIn(theirs, kofi.username, scene.password);
  await untilLive(theirs);
  const page = await open(await administrator(scene), adminPath('users'));
  const drawer = await openRow(page, 'Mensah, Kofi');
  const sessions = drawer.getByRole('region', { name: 'Sessions' });
  await expect(sessions.getByRole('button', { name: /^End session: Chrome on Linux at 127\.0\.0\.1/ })).toHaveCount(1);
  await expect(sessions.getByText('1 known browser')).toBeVisible();
  await expectAccessible(page, 'a user who is signed in');
  await sessions.getByRole('button', { name: /^End session/ }).click();
  await expect(sessions.getByText('Not signed in now.')).toBeVisible();
  await expect(theirs).toHaveURL('/login');

  await drawer.getByRole('button', { name: 'Send a link to reset the password…' }).click();
  await dialog(page, /^Send Kofi Mensah/)
    .getByRole('button', { name: 'Send a link to reset the password' })
    .click();
  await saved(page, `A link to set a new password was sent to ${kofi.username.toLowerCase()}.`);
  const [letter] = await mailsTo(request, kofi.username.toLowerCase());
  await theirs.goto(letter?.link ?? '');
  await expect(theirs.getByLabel('New password', { exact: true })).toBeVisible();
});

test('an organization shortens its sessions, and the warning comes in time', async ({ scene, open, complaints }) => {
  complaints.expect(/status of 401/);
  const page = await open(await administrator(scene), adminPath('users'));
  await expect(page.getByText(/40 minutes without activity/)).toBeVisible();
  await page.getByRole('button', { name: 'Sign-in rules…' }).click();
  const drawer = dialog(page, 'Sign-in rules');
  await expect(drawer.getByRole('checkbox', { name: 'Everyone signs in with single sign-on' })).toBeDisabled();
  await drawer.getByLabel('A session ends after').selectOption('8 hours');
  await drawer.getByLabel('Without activity, it ends after').selectOption('10 minutes');
  await expectAccessible(page, 'sign-in rules');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('A session ends after 8 hours, or 10 minutes without activity.')).toBeVisible();
  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByText('Hours until a session ends: none → 8')).toBeVisible();

  const kofi = await scene.user('care coordinator', { firstName: 'Kofi', lastName: 'Mensah' });
  const theirs = await open(kofi);
  await theirs.context().clock.install();
  // The warning loads in spare time.
  const timeoutChunk = theirs.waitForResponse(/\/session-timeout-/);
  await theirs.reload();
  await untilLive(theirs);
  await (await timeoutChunk).finished();
  const warning = theirs.getByRole('dialog', { name: 'Your session is about to end' });
  await theirs.context().clock.fastForward(4 * 60_000);
  await expect(warning).toHaveCount(0);
  await theirs.context().clock.fastForward(61_000);
  await expect(warning).toContainText('5 minutes');
});
