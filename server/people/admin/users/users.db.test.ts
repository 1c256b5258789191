import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Grant } from '#contract/admin.ts';
import type { ErrorKey } from '#contract/errors.ts';
import type { RouteInput } from '#contract/routes.ts';
import { administration, refusal } from '#server/testing/administration.ts';
import { signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make, database, clock } = app;

const { rows, organization } = administration(app);

type Invitation = RouteInput<'POST /api/users'>['body'];
let count = 0;
const invitation = (grants: Grant[], over: Partial<Invitation> = {}): Invitation => ({
  username: `Invited.${++count}@Clinic.Example`,
  firstName: 'Ines',
  lastName: 'Marchetti',
  title: 'Nurse',
  applicationExperience: 'JANUS',
  grants,
  ...over,
});

const change = (user: { firstName: string; lastName: string; title: string | null }, grants: Grant[]) => ({
  firstName: user.firstName,
  lastName: user.lastName,
  title: user.title,
  applicationExperience: 'JANUS' as const,
  grants,
});

test('an invitation makes the account in lower case, mails an activation link once, and is audited', async () => {
  const { admin, adminId, granted } = await organization();
  const grants = [await granted('care coordinator', { added: ['canUploadRoster'] })];
  const invited = await admin.call('POST /api/users', { body: invitation(grants) });
  expect(invited).toMatchObject({ status: 'INVITED', grants, isSelf: false, isSSO: false, lastSignInDate: null });
  expect(invited.username).toMatch(/^invited\.\d+@clinic\.example$/);
  expect(invited.lastActivationEmailDate).toBe(clock.now().toISOString());
  const mails = await rows<{ body: string }>('select body from outbox where recipient = $1', [invited.username]);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.body).toContain('http://tidings.test/');
  expect(
    await rows('select from account_tokens where user_id = $1 and purpose = $2', [invited.id, 'ACCOUNT_ACTIVATION']),
  ).toHaveLength(1);
  expect(
    await rows<{ action: string }>(
      "select action, user_id from audit_entries where subject = 'user' and subject_id = $1",
      [invited.id],
    ),
  ).toEqual([{ action: 'user.invite', user_id: adminId }]);
  const again = invitation(grants, { username: invited.username.toUpperCase() });
  expect(await refusal(admin.call('POST /api/users', { body: again }))).toBe('USERNAME_TAKEN');
  expect(await refusal(admin.call('POST /api/users', { body: invitation([], { username: 'no-address' }) }))).toBe(
    'BAD_REQUEST',
  );
});

test('somebody whose organisation signs in elsewhere is mailed no token', async () => {
  const { admin, granted } = await organization();
  const body = invitation([await granted('viewer')], { applicationExperience: 'JANUS_ENTERPRISE_SSO' });
  const { id, isSSO } = await admin.call('POST /api/users', { body });
  expect(isSSO).toBe(true);
  expect(await rows('select from account_tokens where user_id = $1', [id])).toEqual([]);
});

test('an administrator grants nothing for groups that are not his, by whatever way', async () => {
  const { admin, granted, elsewhere, team, there, organizationId } = await organization();
  const stranger = await organization();
  const own = await granted('viewer');
  const cases: [Grant[], ErrorKey][] = [
    [[await granted('viewer', elsewhere)], 'NOT_PERMITTED'],
    [[own, await granted('viewer', elsewhere)], 'NOT_PERMITTED'],
    [[await stranger.granted('viewer')], 'NOT_FOUND'],
    [[{ ...own, groupId: there.id }], 'NOT_FOUND'],
    [[{ ...own, roleId: '987654321' }], 'NOT_FOUND'],
    [[own, { ...own, added: ['canManageUsers'] }], 'BAD_REQUEST'],
  ];
  for (const [grants, key] of cases) {
    expect([grants, await refusal(admin.call('POST /api/users', { body: invitation(grants) }))]).toEqual([grants, key]);
  }
  const foreignRole = await stranger.admin.call('POST /api/admin/roles', {
    body: { name: 'Scribe', permissions: ['canViewPings'] },
  });
  const body = invitation([{ ...own, roleId: foreignRole.id }]);
  expect(await refusal(admin.call('POST /api/users', { body }))).toBe('NOT_FOUND');
  const groups = { name: 'Wider', abbreviation: 'W', type: 'PROGRAM' as const };
  expect(await refusal(admin.call('POST /api/admin/teams', { body: { ...groups, groupIds: [there.id] } }))).toBe(
    'NOT_PERMITTED',
  );
  expect(
    await refusal(
      admin.call('PUT /api/admin/teams/:id', {
        params: { id: team.id },
        body: { ...groups, groupIds: [own.groupId, there.id] },
      }),
    ),
  ).toBe('NOT_PERMITTED');
  expect(await rows('select from users where organization_id = $1', [organizationId])).toHaveLength(1);
});

test('grants in other groups stand untouched beside those that an administrator changes', async () => {
  const { admin, granted, elsewhere, team, other } = await organization();
  const user = await make.user({ team, role: 'viewer' });
  const theirs = await granted('clinician', elsewhere);
  await database.pipeline.query('insert into grants (user_id, team_id, group_id, role_id) values ($1, $2, $3, $4)', [
    user.id,
    other.id,
    theirs.groupId,
    theirs.roleId,
  ]);
  const params = { id: user.id };
  const shown = await admin.call('GET /api/admin/users/:id', { params });
  const mine = await granted('analyst', { removed: ['canViewEventFeed'] });
  const changed = await admin.call('PUT /api/admin/users/:id', { params, body: change(shown, [mine, theirs]) });
  expect(changed.grants).toEqual([mine, theirs]);
  const refused = [
    change(shown, [mine]),
    change(shown, [mine, { ...theirs, added: ['canManageUsers'] }]),
    { ...change(shown, [mine, theirs]), lastName: 'Renamed' },
  ];
  for (const body of refused)
    expect(await refusal(admin.call('PUT /api/admin/users/:id', { params, body }))).toBe('NOT_PERMITTED');
  for (const act of ['disable', 'enable', 'end-sessions', 'reset-mfa'] as const) {
    expect([act, await refusal(admin.call(`POST /api/admin/users/:id/${act}`, { params }))]).toEqual([
      act,
      'NOT_PERMITTED',
    ]);
  }
  expect((await admin.call('GET /api/admin/users/:id', { params })).grants).toEqual([mine, theirs]);
});

test('users of another organisation do not exist', async () => {
  const { adminId } = await organization();
  const { admin } = await organization();
  const params = { id: adminId };
  expect(await refusal(admin.call('GET /api/admin/users/:id', { params }))).toBe('NOT_FOUND');
  expect(await refusal(admin.call('POST /api/admin/users/:id/disable', { params }))).toBe('NOT_FOUND');
  expect(await refusal(admin.call('POST /api/admin/users/:id/resend-activation', { params }))).toBe('NOT_FOUND');
});

test('an operator acts in every organisation', async () => {
  const home = await organization();
  const { granted, adminId, organizationId } = await organization();
  const { username } = await make.user({ team: home.team, role: 'administrator', isOperator: true });
  const operator = await signIn(app, username);
  const invited = await operator.call('POST /api/users', { body: invitation([await granted('administrator')]) });
  expect(await rows('select organization_id from users where id = $1', [invited.id])).toEqual([
    { organization_id: organizationId },
  ]);
  const params = { id: adminId };
  // The one who was invited has not come yet: nobody who can sign in would be left.
  expect(await refusal(operator.call('POST /api/admin/users/:id/disable', { params }))).toBe('LAST_ADMINISTRATOR');
  await database.pipeline.query('update users set activated_at = $2 where id = $1', [invited.id, clock.now()]);
  await operator.call('POST /api/admin/users/:id/disable', { params });
  const [operatorRow] = (await home.admin.call('GET /api/admin/users', { query: { query: username } })).users;
  expect(
    await refusal(home.admin.call('POST /api/admin/users/:id/disable', { params: { id: operatorRow?.id ?? '' } })),
  ).toBe('NOT_PERMITTED');
});

test('the last administrator can neither leave nor be demoted, by any way', async () => {
  const { admin, adminId, granted, team, here } = await organization();
  const params = { id: adminId };
  const self = await admin.call('GET /api/admin/users/:id', { params });
  expect(self.isSelf).toBe(true);
  for (const grants of [
    [],
    [await granted('viewer')],
    [await granted('administrator', { removed: ['canManageUsers'] })],
  ]) {
    expect(await refusal(admin.call('PUT /api/admin/users/:id', { params, body: change(self, grants) }))).toBe(
      'LAST_ADMINISTRATOR',
    );
  }
  expect(await refusal(admin.call('POST /api/admin/users/:id/disable', { params }))).toBe('LAST_ADMINISTRATOR');
  const role = await admin.call('POST /api/admin/roles', {
    body: { name: 'Lead', permissions: ['canManageUsers', 'canViewPings'] },
  });
  await admin.call('PUT /api/admin/users/:id', {
    params,
    body: change(self, [await granted('', { roleId: role.id })]),
  });
  const demoted = { name: 'Lead', permissions: ['canViewPings' as const] };
  expect(await refusal(admin.call('PUT /api/admin/roles/:id', { params: { id: role.id }, body: demoted }))).toBe(
    'LAST_ADMINISTRATOR',
  );
  const group = await admin.call('POST /api/admin/groups', {
    body: {
      name: 'Annexe',
      type: 'PROGRAM',
      facilityType: null,
      state: 'NY',
      timeZone: 'America/New_York',
      address: null,
      isAutomated: false,
      isPart2Facility: false,
    },
  });
  const body = { name: 'Team', abbreviation: 'T', type: 'PROGRAM' as const, groupIds: [group.id] };
  // He would keep the annexe, yet lose the first group.
  expect(await refusal(admin.call('PUT /api/admin/teams/:id', { params: { id: team.id }, body }))).toBe(
    'NOT_PERMITTED',
  );
  expect((await admin.call('GET /api/me', {})).user.teams[team.id]?.groups[here.id]?.permissions).toContain(
    'canManageUsers',
  );
});

test('nobody demotes himself even where others could take over', async () => {
  const { admin, adminId, granted, team } = await organization();
  await make.user({ team, role: 'administrator' });
  const params = { id: adminId };
  const self = await admin.call('GET /api/admin/users/:id', { params });
  expect(await refusal(admin.call('POST /api/admin/users/:id/disable', { params }))).toBe('NOT_PERMITTED');
  const body = change(self, [await granted('viewer')]);
  expect(await refusal(admin.call('PUT /api/admin/users/:id', { params, body }))).toBe('NOT_PERMITTED');
  expect(await refusal(admin.call('POST /api/admin/users/:id/reset-mfa', { params }))).toBe('NOT_PERMITTED');
});

test('two administrators who demote each other at once do not both succeed', async () => {
  const { admin, adminId, granted, team } = await organization();
  const other = await make.user({ team, role: 'administrator' });
  const second = await signIn(app, other.username);
  const viewer = [await granted('viewer')];
  const outcomes = await Promise.all([
    refusal(
      admin.call('PUT /api/admin/users/:id', {
        params: { id: other.id },
        body: change({ ...other, title: null }, viewer),
      }),
    ),
    refusal(
      second.call('PUT /api/admin/users/:id', {
        params: { id: adminId },
        body: change({ ...other, title: null }, viewer),
      }),
    ),
  ]);
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  expect(outcomes).toContain('NOT_PERMITTED');
});

test('disabling ends sessions and open streams at once; enabling lets in again', async () => {
  const { admin, team } = await organization();
  const user = await make.user({ team, role: 'care coordinator' });
  const params = { id: user.id };
  const colleague = await signIn(app, user.username);
  const stream = await colleague.fetch(`/api/live?teamId=${team.id}`);
  const text = stream.text();
  await admin.call('POST /api/admin/users/:id/disable', { params });
  // Before the stream looks by itself whether its session still is, every 20 s.
  expect(await Promise.race([text, sleep(15_000, 'still open')])).toContain('event: ended');
  expect(await refusal(colleague.call('GET /api/me', {}))).toBe('NOT_SIGNED_IN');
  expect(await refusal(signIn(app, user.username))).toBe('USER_DISABLED');
  expect(await admin.call('GET /api/admin/users/:id', { params })).toMatchObject({ status: 'DISABLED' });
  await admin.call('POST /api/admin/users/:id/enable', { params });
  expect(await refusal(colleague.call('GET /api/me', {}))).toBe('NOT_SIGNED_IN');
  await signIn(app, user.username);
  expect(await admin.call('GET /api/admin/users/:id', { params })).toMatchObject({ status: 'ACTIVE' });
});

test('several are disabled in one call, which says who could not be and why; the others are out at once', async () => {
  const { admin, adminId, team, other } = await organization();
  const [one, two] = [await make.user({ team }), await make.user({ team })];
  const foreign = await organization();
  const far = await make.user({ team: other });
  const boss = await make.user({ team, role: 'viewer', isOperator: true });
  const client = await signIn(app, two.username);
  const text = (await client.fetch(`/api/live?teamId=${team.id}`)).text();
  const ids = [one.id, far.id, foreign.adminId, adminId, boss.id, two.id, one.id];
  const answer = await admin.call('POST /api/admin/users/disable', { body: { ids } });
  expect(answer).toEqual({
    disabled: [one.id, two.id],
    refused: [
      { id: far.id, errorKey: 'NOT_PERMITTED', message: expect.any(String) as string },
      { id: foreign.adminId, errorKey: 'NOT_FOUND', message: expect.any(String) as string },
      { id: adminId, errorKey: 'LAST_ADMINISTRATOR', message: expect.any(String) as string },
      { id: boss.id, errorKey: 'NOT_PERMITTED', message: expect.any(String) as string },
    ],
  });
  expect(await text).toContain('event: ended');
  expect(await refusal(client.call('GET /api/me', {}))).toBe('NOT_SIGNED_IN');
  expect(await refusal(signIn(app, one.username))).toBe('USER_DISABLED');
  await signIn(app, far.username);
  await admin.call('GET /api/me', {});
  const entries = () =>
    rows<{ id: string }>(
      "select subject_id::text as id from audit_entries where action = 'user.disable' and user_id = $1 order by id",
      [adminId],
    );
  expect((await entries()).map(({ id }) => id)).toEqual([one.id, two.id]);

  // Who did not hear the answer asks again: nothing happens twice.
  expect(await admin.call('POST /api/admin/users/disable', { body: { ids: [two.id] } })).toEqual({
    disabled: [two.id],
    refused: [],
  });
  expect(await entries()).toHaveLength(2);
});

test('of all administrators at once the last one who can sign in stays, and what the call did before stands', async () => {
  const home = await organization();
  const { adminId, team } = await organization();
  const second = await make.user({ team, role: 'administrator' });
  const { username } = await make.user({ team: home.team, role: 'administrator', isOperator: true });
  const operator = await signIn(app, username);
  const { disabled, refused } = await operator.call('POST /api/admin/users/disable', {
    body: { ids: [adminId, second.id] },
  });
  expect(disabled).toEqual([adminId]);
  expect(refused).toMatchObject([{ id: second.id, errorKey: 'LAST_ADMINISTRATOR' }]);
  await signIn(app, second.username);
});

test('taking the right to see pings ends the stream', async () => {
  const { admin, team, granted } = await organization();
  const user = await make.user({ team, role: 'care coordinator' });
  const colleague = await signIn(app, user.username);
  const text = (await colleague.fetch(`/api/live?teamId=${team.id}`)).text();
  const body = change({ ...user, title: null }, [await granted('viewer', { removed: ['canViewPings'] })]);
  await admin.call('PUT /api/admin/users/:id', { params: { id: user.id }, body });
  // Before the stream looks by itself whether its session still is, every 20 s.
  expect(await Promise.race([text, sleep(15_000, 'still open')])).toContain('event: ended');
});

test('sessions are ended and second factors removed at the administrator’s word', async () => {
  const { admin, team } = await organization();
  const user = await make.user({ team });
  const params = { id: user.id };
  const colleague = await signIn(app, user.username);
  await database.pipeline.query(
    "update users set mfa_opted_in = true, mfa_secret = 'x', mfa_last_step = 1 where id = $1",
    [user.id],
  );
  await database.pipeline.query("insert into recovery_codes (user_id, code_hash) values ($1, '\\x01')", [user.id]);
  await database.pipeline.query(
    "insert into passkeys (user_id, credential_id, public_key, counter, name, created_at) values ($1, $2, '\\x01', 0, 'Key', $3)",
    [user.id, `credential ${user.id}`, clock.now()],
  );
  expect((await admin.call('GET /api/admin/users/:id', { params })).mfaOptedIn).toBe(true);
  await admin.call('POST /api/admin/users/:id/reset-mfa', { params });
  expect((await admin.call('GET /api/admin/users/:id', { params })).mfaOptedIn).toBe(false);
  expect(await rows('select mfa_secret, mfa_last_step from users where id = $1', [user.id])).toEqual([
    { mfa_secret: null, mfa_last_step: null },
  ]);
  expect(await rows('select from recovery_codes where user_id = $1', [user.id])).toEqual([]);
  expect(await rows('select from passkeys where user_id = $1', [user.id])).toEqual([]);
  await colleague.call('GET /api/me', {});
  await admin.call('POST /api/admin/users/:id/end-sessions', { params });
  expect(await refusal(colleague.call('GET /api/me', {}))).toBe('NOT_SIGNED_IN');
});

test('an account that 90 days without a sign-in locked reads so until its owner has set a password by mail', async () => {
  const { admin, team } = await organization();
  const { id } = await make.user({ team });
  const ago = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);
  const status = async () => (await admin.call('GET /api/admin/users/:id', { params: { id } })).status;
  await database.pipeline.query(
    'update users set activated_at = $2, current_login_at = $3, password_changed_at = $2 where id = $1',
    [id, ago(200), ago(90)],
  );
  expect(await status()).toBe('LOCKED');
  await database.pipeline.query('update users set password_changed_at = $2 where id = $1', [id, ago(0)]);
  expect(await status()).toBe('ACTIVE');
});

test('the activation is mailed again to those who wait for it alone, and only the newest link works', async () => {
  const { admin, granted, team } = await organization();
  const { id } = await admin.call('POST /api/users', { body: invitation([await granted('viewer')]) });
  const tokens = () =>
    rows<{ hash: string }>("select encode(token_hash, 'hex') as hash from account_tokens where user_id = $1", [id]);
  const before = await tokens();
  await admin.call('POST /api/admin/users/:id/resend-activation', { params: { id } });
  const after = await tokens();
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  const active = await make.user({ team });
  expect(await refusal(admin.call('POST /api/admin/users/:id/resend-activation', { params: { id: active.id } }))).toBe(
    'BAD_REQUEST',
  );
});

test('the list is searched by name, filtered by status and paged', async () => {
  const { admin, team, organizationId } = await organization();
  for (const firstName of ['Berit', 'Anneke', 'Per%cent']) await make.user({ team, firstName, lastName: 'Solberg' });
  const waiting = await make.user({ organizationId, firstName: 'Gus', lastName: 'Ito', passwordHash: null });
  const list = async (query: RouteInput<'GET /api/admin/users'>['query']) => {
    const { users, total, numPages } = await admin.call('GET /api/admin/users', { query });
    return { names: users.map(({ firstName }) => firstName), total, numPages };
  };
  expect(await list({ query: 'solb' })).toEqual({ names: ['Anneke', 'Berit', 'Per%cent'], total: 3, numPages: 1 });
  expect(await list({ query: 'solb', pageSize: 2, pageNumber: 2 })).toEqual({
    names: ['Per%cent'],
    total: 3,
    numPages: 2,
  });
  expect(await list({ query: '%c' })).toEqual({ names: ['Per%cent'], total: 1, numPages: 1 });
  expect(await list({ status: 'INVITED' })).toEqual({ names: ['Gus'], total: 1, numPages: 1 });
  expect(await list({ status: 'LOCKED' })).toMatchObject({ total: 0 });
  await database.pipeline.query(
    'update users set guesses_since_owner_acted = 100, activated_at = $2, password_hash = $3 where id = $1',
    [waiting.id, clock.now(), 'x'],
  );
  expect(await list({ status: 'LOCKED' })).toEqual({ names: ['Gus'], total: 1, numPages: 1 });
});

test('of two changes to one account that were begun alike, the second is refused', async () => {
  const { admin, team, granted } = await organization();
  const { id } = await make.user({ team });
  const user = await admin.call('GET /api/admin/users/:id', { params: { id } });
  const change = async (role: string) =>
    admin.call('PUT /api/admin/users/:id', {
      params: { id },
      body: { firstName: 'Ama', lastName: 'Osei', grants: [await granted(role)], version: user.version },
    });
  const changed = await change('viewer');
  expect(await refusal(change('clinician'))).toBe('CHANGED_BY_OTHER');
  expect(await admin.call('GET /api/admin/users/:id', { params: { id } })).toEqual(changed);
});
