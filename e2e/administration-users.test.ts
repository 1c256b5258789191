import { administrator, adminPath, dialog, mailsTo, openRow, rowNamed, saved } from './admin-page.ts';
import { expect, signIn, test, untilLive } from './journey.ts';

test.slow();

test('users are found by name and status, page by page; a typed name stays out of the URL', async ({ scene, open }) => {
  const { team, make } = scene;
  for (let number = 1; number <= 22; number++) {
    await make.user({
      team,
      lastName: `Marlow ${number}`,
      username: `marlow${number}.${team.id}@lakeside.example`,
      ...(number === 7 ? { passwordHash: null } : {}),
    });
  }
  const page = await open(await administrator(scene), adminPath('users'));
  // 22, the administrator, and the user who uploaded the scene's roster.
  await expect(page.getByText('24 users', { exact: true })).toBeVisible();
  const rows = page.getByRole('region', { name: 'Users' }).getByRole('row');
  await expect(rows).toHaveCount(1 + 20);
  await expect(rowNamed(page, 'Diaz, Rosa')).toContainText('You');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(rows).toHaveCount(1 + 4);
  await expect(page).toHaveURL(/\?p=2$/);

  await page.getByRole('searchbox', { name: 'Search' }).fill('marlow 7');
  await expect(page.getByText('1 user matches 1 filter')).toBeVisible();
  await expect(rowNamed(page, 'Marlow 7, Ama')).toContainText('Invited');
  expect(page.url()).not.toContain('marlow');
  await page.getByRole('searchbox', { name: 'Search' }).fill('no such user');
  await expect(page.getByText('No users match.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear all' }).first().click();
  await expect(page.getByText('24 users', { exact: true })).toBeVisible();

  await page.getByText('Filters', { exact: true }).click();
  await page.getByLabel('Status').selectOption('Invited');
  await expect(rows).toHaveCount(1 + 1);
  await page.reload();
  await expect(rows).toHaveCount(1 + 1);
  await expect(page.getByLabel('Status')).toHaveValue('INVITED');
});

test('several accounts are disabled at once, ten or more only after typing the number, and refusals say why', async ({
  scene,
  open,
  page,
  complaints,
}) => {
  complaints.expect(/status of 401 .*\/authenticate$/);
  const { team, make } = scene;
  const users = [];
  for (let number = 1; number <= 11; number++)
    users.push(
      await make.user({ team, lastName: `Alder ${number}`, username: `alder${number}.${team.id}@lakeside.example` }),
    );
  // The administrator cannot disable users who have access to groups that she does not manage.
  const far = await make.group({ organizationId: team.organizationId, name: `Far group ${team.id}` });
  const office = await make.team({ organizationId: team.organizationId, groupIds: [far.id], name: `Far ${team.id}` });
  await make.user({ team: office, lastName: 'Alder 12', username: `alder12.${team.id}@lakeside.example` });

  const desk = await open(await administrator(scene), adminPath('users'));
  await desk.getByRole('searchbox', { name: 'Search' }).fill('alder');
  await expect(desk.getByText('12 users match 1 filter')).toBeVisible();
  await desk.getByLabel('Select all on this page').check();
  await desk.getByRole('checkbox', { name: 'Select Alder 11, Ama' }).uncheck();
  await desk.getByRole('checkbox', { name: 'Select Alder 10, Ama' }).uncheck();
  const selection = desk.getByRole('group', { name: 'Selected users' });
  await expect(selection.getByText('10 selected')).toBeVisible();
  await selection.getByRole('button', { name: 'Disable…' }).click();
  const disable = dialog(desk).getByRole('button', { name: 'Disable 10 accounts' });
  await expect(disable).toBeDisabled();
  await dialog(desk).getByLabel('Type 10 to confirm').fill('9');
  await expect(disable).toBeDisabled();
  await dialog(desk).getByLabel('Type 10 to confirm').fill('10');
  await disable.click();
  await expect(dialog(desk)).toContainText('Done for 9 of 10. Not for:');
  await expect(dialog(desk).getByRole('listitem')).toHaveText([/^Alder 12, Ama: /]);
  await dialog(desk).getByRole('button', { name: 'Close' }).last().click();
  await expect(rowNamed(desk, 'Alder 1, Ama')).toContainText('Disabled');
  await expect(rowNamed(desk, 'Alder 12, Ama')).toContainText('Active');
  await expect(selection.getByText('1 selected')).toBeVisible();
  await page.goto('/login');
  await signIn(page, users[0]?.username ?? '', scene.password);
  await expect(page.getByRole('alert')).toContainText('your account has been disabled');

  // Two accounts need no typing.
  await selection.getByRole('button', { name: 'Clear' }).click();
  for (const number of [10, 11]) await desk.getByRole('checkbox', { name: `Select Alder ${number}, Ama` }).check();
  await selection.getByRole('button', { name: 'Disable…' }).click();
  await dialog(desk).getByRole('button', { name: 'Disable 2 accounts' }).click();
  await saved(desk, '2 accounts were disabled.');

  const drawer = await openRow(desk, 'Alder 10, Ama');
  await drawer.getByRole('button', { name: 'View audit log for this account' }).click();
  await expect(desk).toHaveURL(/\/admin\/changes\?user=\d+$/);
  await expect(desk.getByRole('combobox', { name: 'About account' })).toHaveValue('Ama Alder 10');
  await expect(desk.getByRole('row')).toHaveCount(2);
  await expect(desk.getByRole('row').last()).toContainText('Rosa Diaz');
  await expect(desk.getByRole('row').last()).toContainText('disabled the account of Ama Alder 10');
});

test('a person is invited with a preview of their access, and the invitation can be resent', async ({
  scene,
  open,
  request,
  complaints,
}) => {
  complaints.expect(/status of 409 .*\/api\/users$/);
  const admin = await administrator(scene);
  const username = `noor.${scene.team.id}@lakeside.example`;
  const page = await open(admin, adminPath('users'));
  await page.getByRole('button', { name: 'Invite' }).click();
  const drawer = dialog(page, 'Invite users');
  const invite = drawer.getByRole('button', { name: 'Invite', exact: true });
  await invite.click();
  for (const words of ['Enter an email address.', 'Enter a first name.', 'Enter a last name.'])
    await expect(drawer.getByText(words)).toBeVisible();
  await expect(drawer.getByLabel('Email')).toBeFocused();

  await drawer.getByLabel('Email').fill(admin.username);
  await drawer.getByLabel('First name').fill('Noor');
  await drawer.getByLabel('Last name').fill('Haddad');
  await drawer.getByLabel('Role', { exact: true }).selectOption('Care coordinator');
  await drawer.getByRole('checkbox', { name: scene.group.name }).check();
  await drawer.getByRole('button', { name: 'Add access' }).click();
  const preview = drawer.getByRole('region', { name: 'What saving does' });
  await expect(preview).toContainText('Adds: view the ping inbox; ');
  await expect(preview).not.toContainText('manage users');
  await invite.click();
  await expect(drawer.getByText('An account with this username already exists.')).toBeVisible();
  await expect(drawer.getByLabel('Email')).toBeFocused();
  await drawer.getByLabel('Email').fill(username);
  await invite.click();
  await saved(page, '1 person invited by email.');
  await expect(rowNamed(page, 'Haddad, Noor')).toContainText('Invited');
  await expect(rowNamed(page, 'Haddad, Noor')).toContainText('Care coordinator · 1 group');

  const user = await openRow(page, 'Haddad, Noor');
  await user.getByRole('button', { name: 'Resend invitation…' }).click();
  await dialog(page, /^Resend the invitation/)
    .getByRole('button', { name: 'Resend invitation' })
    .click();
  await saved(page, `The invitation was resent to ${username}.`);
  const mails = await mailsTo(request, username);
  expect(mails).toHaveLength(2);
  const [former, latest] = mails.map(
    ({ link }) => new URLSearchParams(new URL(link ?? '').hash.slice(1)).get('token') ?? '',
  );
  const statusOf = async (token = '') => (await page.request.get(`/api/users/tokens/${token}`)).status();
  expect([await statusOf(former), await statusOf(latest)]).toEqual([404, 200]);
});

test('a pasted list invites many people, and names the unusable lines by number', async ({
  scene,
  open,
  request,
  complaints,
}) => {
  complaints.expect(/status of 409 .*\/api\/users$/);
  const { id } = scene.team;
  const page = await open(await administrator(scene), adminPath('users'));
  await page.getByRole('button', { name: 'Invite' }).click();
  const drawer = dialog(page, 'Invite users');
  await drawer.getByLabel('Paste a list').check();
  const list = drawer.getByRole('textbox', { name: 'List' });
  const [known, own] = [await scene.engineer(), await scene.user('viewer')];
  const good = `ines.${id}@lakeside.example, Ines, Ferreira, RN`;
  const taken = `${known.username}; Vera; Lindh`;
  await list.fill(
    `${good}\nno address here\n\nJun Watanabe <jun.${id}@lakeside.example>\n${taken}\nkofi.${id}@lakeside.example\n${own.username}, Vera, Lindh`,
  );
  await expect(drawer.getByText('Line 2: Start with an email address.')).toBeVisible();
  await expect(drawer.getByText('Line 6: First or last name is missing')).toBeVisible();
  await expect(drawer.getByText('Line 7: This person has an account already.')).toBeVisible();
  await drawer.getByRole('button', { name: 'Invite 3 people' }).click();
  await expect(drawer.getByText("3 of 6 lines can't be used. See below.")).toBeVisible();
  expect(await mailsTo(request, `ines.${id}@lakeside.example`)).toEqual([]);

  await list.fill(`${good}\nJun Watanabe <jun.${id}@lakeside.example>\n${taken}`);
  await drawer.getByRole('checkbox', { name: scene.group.name }).check();
  await drawer.getByRole('button', { name: 'Add access' }).click();
  await drawer.getByRole('button', { name: 'Invite 3 people' }).click();
  await expect(
    drawer.getByText(`${known.username.toLowerCase()}: An account with this username already exists.`),
  ).toBeVisible({ timeout: 15_000 });
  await expect(list).toHaveValue(taken);
  await drawer.getByRole('button', { name: 'Cancel' }).click();
  await drawer.getByRole('button', { name: 'Discard changes' }).click();
  await saved(page, '2 people invited by email.');
  for (const name of ['Ferreira, Ines', 'Watanabe, Jun']) await expect(rowNamed(page, name)).toContainText('Invited');
  expect(await mailsTo(request, `jun.${id}@lakeside.example`)).toHaveLength(1);
});

test('roles are given by team and group, with a preview of what they add and remove', async ({ scene, open }) => {
  const { organizationId } = scene.team;
  const clinic = await scene.make.group({ organizationId, name: `Heron Clinic ${scene.team.id}` });
  const second = await scene.make.team({ organizationId, groupIds: [clinic.id], name: `Heron Team ${scene.team.id}` });
  const admin = await administrator(scene);
  await scene.grant(admin, second.id, 'administrator');
  const kofi = await scene.user('viewer', { firstName: 'Kofi', lastName: 'Mensah' });
  const page = await open(admin, adminPath('users'));
  const drawer = await openRow(page, 'Mensah, Kofi');
  const preview = drawer.getByRole('region', { name: 'What saving does' });
  await expect(preview).toHaveCount(0);
  const here = `${scene.team.name} · ${scene.group.name}`;
  await drawer.getByLabel(`Role at ${here}`).selectOption('Care coordinator');
  await expect(preview).toContainText(here);
  await expect(preview).toContainText('change ping status');
  await drawer.getByRole('button', { name: `Custom permissions at ${here}` }).click();
  await drawer.getByRole('checkbox', { name: 'View patient tags' }).uncheck();
  await expect(preview).toContainText('Removes: view patient tags.');
  await expect(drawer.getByRole('button', { name: `Custom permissions at ${here}: 1 removed` })).toBeVisible();
  await drawer.getByLabel('Team', { exact: true }).selectOption(second.name);
  await drawer.getByLabel('Role', { exact: true }).selectOption('Clinician');
  await drawer.getByRole('checkbox', { name: clinic.name }).check();
  await expect(preview).toContainText(`${second.name} · ${clinic.name}`);
  await drawer.getByLabel('Title').fill('RN');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await saved(page, 'The account of Kofi Mensah was saved.');
  const row = rowNamed(page, 'Mensah, Kofi');
  await expect(row).toContainText('Care coordinator, Clinician · 2 groups');
  await expect(row).toContainText(`${scene.team.name}, ${second.name}`);

  const theirs = await open(kofi);
  await theirs.getByRole('button', { name: /\. Switch team$/ }).click();
  await expect(theirs.getByRole('menuitemradio', { name: new RegExp(`^${second.name}`) })).toBeVisible();
  // It opened with the first team by name, which is the one that he loses now: what it may still be loading would be refused.
  await theirs.close();

  await openRow(page, 'Mensah, Kofi');
  await drawer.getByRole('button', { name: `Remove access to ${second.name} · ${clinic.name}` }).click();
  await expect(preview).toContainText('Removes: view the ping inbox;');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Care coordinator · 1 group');
});

test('a disabled user is signed out right away and cannot sign in until the account is enabled again', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 401/);
  const kofi = await scene.user('care coordinator', { firstName: 'Kofi', lastName: 'Mensah' });
  const theirs = await open(kofi);
  await untilLive(theirs);
  const page = await open(await administrator(scene), adminPath('users'));
  const act = async (label: string) => {
    const drawer = await openRow(page, 'Mensah, Kofi');
    await drawer.getByRole('button', { name: `${label}…` }).click();
    await dialog(page, /Kofi Mensah\?$/)
      .getByRole('button', { name: label })
      .click();
  };
  await act('Disable account');
  await saved(page, 'The account of Kofi Mensah was disabled.');
  await expect(theirs).toHaveURL('/login');
  await expect(rowNamed(page, 'Mensah, Kofi')).toContainText('Disabled');
  await signIn(theirs, kofi.username, scene.password);
  await expect(theirs.getByRole('alert')).toContainText('Sorry, your account has been disabled.');

  await act('Enable account');
  await expect(rowNamed(page, 'Mensah, Kofi')).toContainText('Active');
  await theirs.goto('/login');
  await signIn(theirs, kofi.username, scene.password);
  await expect(theirs).toHaveURL('/dashboard/home/inbox');
  await untilLive(theirs);
  await act('End all sessions');
  await saved(page, 'All sessions of Kofi Mensah were ended.');
  await expect(theirs).toHaveURL('/login');
});

test('a locked user is sent a link to unlock', async ({ scene, open, db }) => {
  const kofi = await scene.user('care coordinator', { firstName: 'Kofi', lastName: 'Mensah' });
  await db.query('update users set guesses_since_owner_acted = 100 where id = $1', [kofi.id]);
  const page = await open(await administrator(scene), adminPath('users'));
  await expect(rowNamed(page, 'Mensah, Kofi')).toContainText('Locked');
  const drawer = await openRow(page, 'Mensah, Kofi');
  await expect(drawer.getByRole('button', { name: 'Reset two-step verification…' })).toHaveCount(0);
  await drawer.getByRole('button', { name: 'Send a link to unlock…' }).click();
  await dialog(page, /^Send Kofi Mensah/)
    .getByRole('button', { name: 'Send a link to unlock' })
    .click();
  await saved(page, `A link to unlock the account was sent to ${kofi.username}.`);
});

test('lost two-step verification is reset, and the password alone signs in', async ({ scene, page, open, db }) => {
  const kofi = await scene.user('care coordinator', { firstName: 'Kofi', lastName: 'Mensah' });
  await db.query(
    "update users set mfa_opted_in = true, mfa_secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' where id = $1",
    [kofi.id],
  );
  await page.goto('/login');
  await signIn(page, kofi.username, scene.password);
  await expect(page.getByLabel(/code/i).first()).toBeVisible();

  const admin = await open(await administrator(scene), adminPath('users'));
  await expect(rowNamed(admin, 'Mensah, Kofi')).toContainText('Password and code');
  const drawer = await openRow(admin, 'Mensah, Kofi');
  await expect(drawer.getByText('Two-step verification: on.')).toBeVisible();
  await drawer.getByRole('button', { name: 'Reset two-step verification…' }).click();
  await dialog(admin, /^Reset/)
    .getByRole('button', { name: 'Reset two-step verification' })
    .click();
  await saved(admin, 'Two-step verification and passkeys of Kofi Mensah were removed.');
  await page.goto('/login');
  await signIn(page, kofi.username, scene.password);
  await expect(page).toHaveURL('/dashboard/home/inbox');
});

test('administrators neither disable themselves nor give themselves access: another administrator confirms it', async ({
  scene,
  open,
}) => {
  const admin = await administrator(scene);
  const page = await open(admin, adminPath('users'));
  const drawer = await openRow(page, 'Diaz, Rosa');
  await expect(drawer.getByText(/^Access that you add for yourself starts once another administrator/)).toBeVisible();
  await expect(drawer.getByText('Another administrator can disable it.')).toBeVisible();
  await expect(drawer.getByRole('button', { name: /Disable/ })).toHaveCount(0);
  // The server refuses it as well.
  const headers = { 'X-ping-team-id': scene.team.id };
  const disable = await page.request.post(`/api/admin/users/${admin.id}/disable`, { headers });
  expect([disable.status(), ((await disable.json()) as { errorKey: string }).errorKey]).toEqual([403, 'NOT_PERMITTED']);

  await drawer.getByRole('button', { name: /^Custom permissions at/ }).click();
  await drawer.getByLabel('Use WISHIN Pulse').check();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await saved(page, 'Added access is waiting for another administrator to confirm.');
  await openRow(page, 'Diaz, Rosa');
  const notes = drawer.getByRole('note');
  await expect(notes).toHaveCount(2);
  const cut = await notes.evaluateAll((all) =>
    (all as unknown as { scrollHeight: number; clientHeight: number }[]).map((it) => it.scrollHeight - it.clientHeight),
  );
  expect(cut).toEqual([0, 0]);
  await page.goto(adminPath('requests'));
  const waiting = page.getByRole('region', { name: 'Access to confirm' }).last();
  await expect(waiting).toContainText('Waiting for another administrator to confirm');
  await expect(waiting.getByRole('button', { name: /^Confirm/ })).toHaveCount(0);

  const colleague = await open(await administrator(scene, { firstName: 'Kofi' }), adminPath('requests'));
  await colleague.getByRole('button', { name: `Confirm Rosa Diaz for ${scene.group.name}` }).click();
  await saved(colleague, `The access of Rosa Diaz to ${scene.group.name} was confirmed.`);
  await page.reload();
  await expect(page.getByText('No pending requests')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Access to confirm' })).toHaveCount(0);
});

test('an invitation needs no mouse', async ({ scene, open }) => {
  const page = await open(await administrator(scene), adminPath('users'));
  await expect(page.getByText('2 users', { exact: true })).toBeVisible();
  const { keyboard } = page;
  await keyboard.press('n');
  await expect(dialog(page, 'Invite users').getByLabel('Email')).toBeFocused();
  for (const text of [`keys.${scene.team.id}@lakeside.example`, 'Ada', 'Keyes', 'RN']) {
    await keyboard.type(text);
    await keyboard.press('Tab');
  }
  const until = async (name: RegExp) => {
    for (let presses = 0; presses < 12; presses++) {
      const focused = await page.evaluate<string>(
        "(({ activeElement: it }) => it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent)(document)",
      );
      if (name.test(focused)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`Nothing called ${String(name)} is reached by Tab.`);
  };
  await until(/^Role$/);
  await keyboard.type('Clin');
  await until(new RegExp(`^${scene.group.name}$`));
  await keyboard.press('Space');
  await until(/^Add access$/);
  await keyboard.press('Enter');
  await expect(dialog(page).getByRole('region', { name: 'What saving does' })).toContainText(
    'Adds: view the ping inbox',
  );
  await keyboard.press('Escape');
  await expect(dialog(page).getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await keyboard.press('Enter');
  await until(/^Invite$/);
  await keyboard.press('Enter');
  await saved(page, '1 person invited by email.');
  await expect(rowNamed(page, 'Keyes, Ada')).toContainText('Clinician · 1 group');
  // The keyboard focus is back on the page, not at its beginning.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeFocused();
  await page.getByRole('button', { name: 'Keyes, Ada' }).press('Enter');
  await expect(dialog(page, 'Ada Keyes')).toBeVisible();
  await keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Keyes, Ada' })).toBeFocused();
});
