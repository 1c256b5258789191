import { expect, test } from 'vitest';
import type { Grant } from '#contract/admin.ts';
import type { ErrorKey } from '#contract/errors.ts';
import type { RouteInput } from '#contract/routes.ts';
import { sql } from '#server/platform/database/sql.ts';
import { invitation, userWith } from '#server/testing/account-bodies.ts';
import { administration, refusal } from '#server/testing/administration.ts';
import { signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make, database, clock } = app;
const { rows, organization } = administration(app);

test('an invitation creates the account with a lower-case username, mails one activation link and is audited', async () => {
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

test('an invitation mails no web address and no second line that its author typed as a name', async () => {
  const { admin, granted } = await organization();
  const grants = [await granted('viewer')];
  for (const text of [
    '=HYPERLINK("http://evil.example")',
    'www.evil.example',
    'Ada\n\nCall 585-555-0100',
    'A\u202eda',
  ]) {
    for (const field of ['firstName', 'lastName', 'title']) {
      const body = invitation(grants, { [field]: text });
      expect(await refusal(admin.call('POST /api/users', { body }))).toBe('BAD_REQUEST');
      const { rowCount } = await database.pipeline.query(sql`select from outbox where recipient = ${body.username}`);
      expect(rowCount).toBe(0);
    }
  }
  const user = await admin.call('POST /api/users', {
    body: invitation(grants, { firstName: 'Ana-José', lastName: "St. O'Shea" }),
  });
  const change = { ...invitation(grants), grants, firstName: 'http://evil.example', version: user.version };
  const { username: _, ...body } = change;
  expect(await refusal(admin.call('PUT /api/admin/users/:id', { params: { id: user.id }, body }))).toBe('BAD_REQUEST');
});

test('an invitation to a single sign-on account contains no token', async () => {
  const { admin, granted, organizationId } = await organization();
  const grants = [await granted('viewer')];
  await app.make.connection({ organizationId, domains: [`connected-${organizationId}.test`] });
  const bodies = [
    invitation(grants, { applicationExperience: 'JANUS_AUTH0_SSO' }),
    invitation(grants, { username: `invited@connected-${organizationId}.test` }),
  ];
  for (const body of bodies) {
    const { id, isSSO } = await admin.call('POST /api/users', { body });
    expect(isSSO).toBe(true);
    expect(await rows('select from account_tokens where user_id = $1', [id])).toEqual([]);
  }
});

test('an experience of single sign-on needs a connection that gives it', async () => {
  const { admin, granted, organizationId } = await organization();
  const grants = [await granted('viewer')];
  const sso = { applicationExperience: 'JANUS_AUTH0_SSO' } as const;
  const refused = { status: 400, body: { fields: { applicationExperience: expect.any(String) as string } } };
  await expect(admin.call('POST /api/users', { body: invitation(grants, sso) })).rejects.toMatchObject(refused);
  const { id, version: _, ...user } = await admin.call('POST /api/users', { body: invitation(grants) });
  const change = () => admin.call('PUT /api/admin/users/:id', { params: { id }, body: { ...user, ...sso } });
  await expect(change()).rejects.toMatchObject(refused);
  await app.make.connection({ organizationId });
  expect(await change()).toMatchObject({ ...sso, isSSO: true });
  await rows('delete from sso_connections where organization_id = $1', [organizationId]);
  // The user keeps it, and signs in by password; other fields can still be changed.
  const kept = await admin.call('PUT /api/admin/users/:id', {
    params: { id },
    body: { ...user, ...sso, lastName: 'Kept' },
  });
  expect(kept).toMatchObject({ ...sso, isSSO: false, lastName: 'Kept' });
});

test('an administrator cannot grant access to groups they do not manage, whichever way they try', async () => {
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

test('grants in groups of other administrators stay untouched when an account changes', async () => {
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
  const changed = await admin.call('PUT /api/admin/users/:id', { params, body: userWith(shown, [mine, theirs]) });
  expect(changed.grants).toEqual([mine, theirs]);
  const refused = [
    userWith(shown, [mine]),
    userWith(shown, [mine, { ...theirs, added: ['canManageUsers'] }]),
    { ...userWith(shown, [mine, theirs]), lastName: 'Renamed' },
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

test('users of another organization do not exist', async () => {
  const { adminId } = await organization();
  const { admin } = await organization();
  const params = { id: adminId };
  expect(await refusal(admin.call('GET /api/admin/users/:id', { params }))).toBe('NOT_FOUND');
  expect(await refusal(admin.call('POST /api/admin/users/:id/disable', { params }))).toBe('NOT_FOUND');
  expect(await refusal(admin.call('POST /api/admin/users/:id/resend-activation', { params }))).toBe('NOT_FOUND');
});

test('an operator acts in every organization', async () => {
  const home = await organization();
  const { granted, adminId, organizationId } = await organization();
  const { username } = await make.user({ team: home.team, role: 'administrator', isOperator: true });
  const operator = await signIn(app, username);
  const invited = await operator.call('POST /api/users', { body: invitation([await granted('administrator')]) });
  expect(await rows('select organization_id from users where id = $1', [invited.id])).toEqual([
    { organization_id: organizationId },
  ]);
  const params = { id: adminId };
  // The invited administrator has not activated the account, so no one who can sign in would remain.
  expect(await refusal(operator.call('POST /api/admin/users/:id/disable', { params }))).toBe('LAST_ADMINISTRATOR');
  await database.pipeline.query('update users set activated_at = $2 where id = $1', [invited.id, clock.now()]);
  await operator.call('POST /api/admin/users/:id/disable', { params });
  const [operatorRow] = (await home.admin.call('GET /api/admin/users', { query: { query: username } })).users;
  expect(
    await refusal(home.admin.call('POST /api/admin/users/:id/disable', { params: { id: operatorRow?.id ?? '' } })),
  ).toBe('NOT_PERMITTED');
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

test('the second of two changes based on the same version of an account is refused', async () => {
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

test('an administrator’s edit of themselves does not undo what another administrator changed meanwhile', async () => {
  const { admin, adminId, team, granted } = await organization();
  const second = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const PUT = 'PUT /api/admin/users/:id';
  const own = await admin.call('GET /api/admin/users/:id', { params: { id: adminId } });
  const fields = { firstName: own.firstName, lastName: own.lastName, applicationExperience: own.applicationExperience };
  const grants = [await granted('administrator', { removed: ['canViewPings'] })];
  await second.call(PUT, { params: { id: adminId }, body: { ...fields, grants, version: own.version } });

  const renamed = { ...fields, firstName: 'Renamed', grants: own.grants, version: own.version };
  expect(await refusal(admin.call(PUT, { params: { id: adminId }, body: renamed }))).toBe('CHANGED_BY_OTHER');
  const present = await admin.call('GET /api/admin/users/:id', { params: { id: adminId } });
  expect([present.firstName, present.grants]).toEqual([own.firstName, grants]);
  const body = { ...renamed, grants, version: present.version };
  expect((await admin.call(PUT, { params: { id: adminId }, body })).firstName).toBe('Renamed');
});

test('a pasted list learns which of its people have an account here, and nothing of other organizations', async () => {
  const [here, elsewhere] = [await organization(), await organization()];
  const body = { usernames: [here.adminName.toUpperCase(), elsewhere.adminName, 'no.one@clinic.test'] };
  expect(await here.admin.call('POST /api/admin/users/existing', { body })).toEqual([here.adminName]);
});
