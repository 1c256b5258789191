/** Administrators give themselves nothing: the last step is another administrator's, or an operator's. */
import { describe, expect, test } from 'vitest';
import type { Grant } from '#contract/admin.ts';
import type { Permission } from '#contract/permissions.ts';
import { invitation, userWith } from '#server/testing/account-bodies.ts';
import { administration, refusal } from '#server/testing/administration.ts';
import { type Client, signIn, startApp } from '#server/testing/app.ts';
import { lettersTo } from '#server/testing/letters.ts';

const app = await startApp();
const { make } = app;
const { rows, organization } = administration(app);

/** Adds an organization whose administrator manages users and sees no patients, and a second administrator. */
async function office() {
  const world = await organization();
  const { team, here, adminId } = world;
  await rows(
    `update grants n set added = '{canManageUsers}', role_id = (select id from roles where name = 'analyst' and organization_id is null)
     where user_id = $1`,
    [adminId],
  );
  const colleague = await make.user({ team, role: 'administrator' });
  const own = await world.granted('analyst', { added: ['canManageUsers'] });
  const more = await world.granted('administrator');
  const flags = async (groupId = here.id): Promise<Permission[]> =>
    (await world.admin.call('GET /api/me', {})).user.teams[team.id]?.groups[groupId]?.permissions ?? [];
  const ask = async (grants: Grant[]) => {
    const params = { id: adminId };
    const self = await world.admin.call('GET /api/admin/users/:id', { params });
    return world.admin.call('PUT /api/admin/users/:id', { params, body: userWith(self, grants) });
  };
  return {
    ...world,
    own,
    more,
    flags,
    ask,
    colleague: await signIn(app, colleague.username),
    mailed: () => lettersTo(app.database, colleague.username),
    /** Returns what the administrator who asks was mailed. */
    answered: () => lettersTo(app.database, world.adminName),
  };
}

const pendingOf = (client: Client) => client.call('GET /api/admin/pending-grants', {});
const confirm = (client: Client, { id = '', version = '' }: { id?: string; version?: string } = {}) =>
  client.call('POST /api/admin/pending-grants/:id/confirm', { params: { id }, body: { version } });

const audited = async (id: string): Promise<string[]> =>
  (
    await rows<{ action: string }>(
      "select action from audit_entries where subject = 'user' and subject_id = $1 and action like '%-access' order by id",
      [id],
    )
  ).map(({ action }) => action);

test('what administrators give themselves takes effect once another administrator confirms it', async () => {
  const { admin, adminId, here, colleague, mailed, answered, ask, more, own, flags } = await office();
  const before = await flags();
  const answer = await ask([more]);
  expect((await mailed()).map(({ subject }) => subject)).toEqual(['Access waits for your confirmation']);
  expect(answer).toMatchObject({ grants: [own], waitingGrants: [more] });
  expect(await flags()).toEqual(before);
  const [waiting] = await pendingOf(admin);
  expect(waiting).toMatchObject({ isOwn: true, canConfirm: false, userId: adminId, roleName: 'administrator' });
  expect(waiting?.adds).toContain('canViewPings');
  expect(waiting?.adds).not.toContain('canManageUsers');
  expect(await refusal(confirm(admin, waiting))).toBe('NOT_PERMITTED');
  const [shown] = await pendingOf(colleague);
  expect(shown).toMatchObject({ id: waiting?.id, isOwn: false, canConfirm: true });
  expect(await answered()).toEqual([]);
  await confirm(colleague, shown);
  const [letter, ...others] = await answered();
  expect(others).toEqual([]);
  expect(letter?.subject).toBe('Your request in Tidings was decided');
  expect(letter?.body).toContain(`The access to ${here.name} that you asked for was confirmed.`);
  expect(letter?.body).not.toContain('Forgot password');
  expect(await flags()).toContain('canViewPings');
  expect(await pendingOf(colleague)).toEqual([]);
  expect(await audited(adminId)).toEqual(['user.ask-access', 'user.confirm-access']);
  const { changes } = await admin.call('GET /api/admin/changes', { query: { userId: adminId, kind: 'access' } });
  expect(changes.map(({ action }) => action)).toEqual(['user.confirm-access', 'user.ask-access']);
});

test('a declined or withdrawn request gives nothing; only a declined one is mailed', async () => {
  const { admin, adminId, here, colleague, answered, ask, more, flags } = await office();
  const before = await flags();
  for (const client of [colleague, admin]) {
    await ask([more]);
    const [waiting] = await pendingOf(client);
    const [{ before: last } = { before: '' }] = await rows<{ before: string }>(
      'select max(id)::text as before from change_log',
    );
    await client.call('DELETE /api/admin/pending-grants/:id', { params: { id: waiting?.id ?? '' } });
    // The open page of whoever asked loads the request again.
    const published = await rows(
      `select from change_log where id > ${last ?? 0} and change = 'rights' and subject_id = ${adminId}`,
    );
    expect(published).toHaveLength(1);
    expect(await refusal(confirm(colleague, waiting))).toBe('NOT_FOUND');
  }
  expect(await flags()).toEqual(before);
  const [letter, ...others] = await answered();
  expect(others).toEqual([]);
  expect(letter?.body).toContain(`The access to ${here.name} that you asked for was declined.`);
  const steps = ['user.ask-access', 'user.decline-access', 'user.ask-access', 'user.withdraw-access'];
  expect(await audited(adminId)).toEqual(steps);
});

test('giving up a permission is direct, and one change can do both', async () => {
  const { ask, own, granted } = await office();
  const less: Grant = { ...own, removed: ['canViewSpotlights'] };
  expect(await ask([less])).toMatchObject({ grants: [less], waitingGrants: [] });
  const swapped = await granted('viewer', { added: ['canManageUsers'] });
  expect(await ask([swapped])).toMatchObject({ grants: [less], waitingGrants: [swapped] });
});

test('another organization and administrators of other groups neither see nor decide it', async () => {
  const { ask, more, other, adminId } = await office();
  await ask([more]);
  const stranger = (await office()).admin;
  const far = await signIn(app, (await make.user({ team: other, role: 'administrator' })).username);
  const [{ id } = { id: '' }] = await rows<{ id: string }>('select id from pending_grants where user_id = $1', [
    adminId,
  ]);
  for (const client of [stranger, far]) {
    expect(await pendingOf(client)).toEqual([]);
    expect(await refusal(confirm(client, { id, version: '1' }))).toBe('NOT_FOUND');
    expect(await refusal(client.call('DELETE /api/admin/pending-grants/:id', { params: { id } }))).toBe('NOT_FOUND');
  }
});

test('where there is one administrator, an operator confirms', async () => {
  const { admin, adminId, granted, team, here } = await organization();
  const more = await granted('administrator', { added: ['canViewMfaOptIn', 'canViewSpotlightsWithTableau'] });
  const self = await admin.call('GET /api/admin/users/:id', { params: { id: adminId } });
  await admin.call('PUT /api/admin/users/:id', { params: { id: adminId }, body: userWith(self, [more]) });
  const operatorOf = await make.user({ team: await make.team(), role: 'administrator', isOperator: true });
  const operator = await signIn(app, operatorOf.username);
  const waiting = (await pendingOf(operator)).find(({ userId }) => userId === adminId);
  await confirm(operator, waiting);
  const me = await admin.call('GET /api/me', {});
  expect(me.user.teams[team.id]?.groups[here.id]?.permissions).toContain('canViewSpotlightsWithTableau');
});

test('no operator confirms their own request', async () => {
  const team = await make.team();
  const asking = await make.user({ team, role: 'administrator', isOperator: true });
  const operator = await signIn(app, asking.username);
  const self = await operator.call('GET /api/admin/users/:id', { params: { id: asking.id } });
  const grants = self.grants.map((grant) => ({ ...grant, added: ['userCouncilParticipant' as const] }));
  const answer = await operator.call('PUT /api/admin/users/:id', {
    params: { id: asking.id },
    body: userWith(self, grants),
  });
  expect(answer.waitingGrants).toEqual(grants);
  const waiting = (await pendingOf(operator)).find(({ isOwn }) => isOwn);
  expect(await refusal(confirm(operator, waiting))).toBe('NOT_PERMITTED');
});

test('a request whose role has changed since it was read is not confirmed', async () => {
  const { admin, colleague, ask, own } = await office();
  const role = await admin.call('POST /api/admin/roles', { body: { name: 'Scribe', permissions: ['canViewPings'] } });
  const params = { id: role.id };
  await ask([{ ...own, roleId: role.id }]);
  const [seen] = await pendingOf(colleague);
  await admin.call('PUT /api/admin/roles/:id', {
    params,
    body: { name: 'Scribe', permissions: ['canViewPings', 'canUploadRoster'] },
  });
  expect(await refusal(confirm(colleague, seen))).toBe('CHANGED_BY_OTHER');
  const [now] = await pendingOf(colleague);
  expect(now?.adds).toContain('canUploadRoster');
  await confirm(colleague, now);
});

test('administrators gain nothing through a role that they hold, a request to join, or a new team', async () => {
  const { admin, colleague, ask, own, here, flags } = await office();
  const body = { name: 'Lead', permissions: ['canManageUsers' as const] };
  const role = await admin.call('POST /api/admin/roles', { body });
  expect(await ask([{ ...own, roleId: role.id, added: [] }])).toMatchObject({ grants: [{ roleId: role.id }] });
  const more = { ...body, permissions: [...body.permissions, 'canViewPings' as const] };
  const params = { id: role.id };
  expect(await refusal(admin.call('PUT /api/admin/roles/:id', { params, body: more }))).toBe('NOT_PERMITTED');
  await colleague.call('PUT /api/admin/roles/:id', { params, body: more });
  expect(await flags()).toContain('canViewPings');

  const team = { name: 'Second', abbreviation: 'S', type: 'PROGRAM' as const, groupIds: [here.id] };
  const { id: teamId } = await admin.call('POST /api/admin/teams', { body: team });
  const there = { ...own, roleId: role.id, added: [], teamId };
  const answer = await ask([{ ...own, roleId: role.id, added: [] }, there]);
  expect(answer.waitingGrants).toEqual([there]);
  expect((await admin.call('GET /api/me', {})).user.teams[teamId]).toBeUndefined();
});

test('operators cannot approve their own request to join a group', async () => {
  const { organizationId, team } = await organization();
  const asking = await make.user({ team, role: 'administrator', isOperator: true });
  const group = await make.group({ organizationId });
  await rows('insert into team_groups (team_id, group_id) values ($1, $2)', [team.id, group.id]);
  await rows(
    `insert into access_requests (username, first_name, last_name, group_id, created_at)
     values ($1, 'Ana', 'Diaz', $2, '2026-01-01T00:00:00Z')`,
    [asking.username, group.id],
  );
  const operator = await signIn(app, asking.username);
  const query = { username: asking.username, groupId: group.id };
  expect(await refusal(operator.call('POST /api/users/authorize-group', { query }))).toBe('NOT_PERMITTED');
});

test('the administrator who adds a group manages it, and waits for a confirmation of everything else', async () => {
  const { admin, adminId, team, granted } = await organization();
  const { id } = await admin.call('POST /api/admin/groups', {
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
  const flags = async () =>
    (await admin.call('GET /api/me', {})).user.teams[team.id]?.groups[id]?.permissions.toSorted();
  expect(await flags()).toEqual(['canManageUsers']);
  const { waitingGrants } = await admin.call('GET /api/admin/users/:id', { params: { id: adminId } });
  expect(waitingGrants).toEqual([await granted('administrator', { groupId: id })]);

  await admin.call('DELETE /api/admin/groups/:id', { params: { id } });
  await admin.call('POST /api/admin/groups/:id/reopen', { params: { id } });
  expect(await flags()).toBeUndefined();
  const operatorOf = await make.user({ team: await make.team(), role: 'administrator', isOperator: true });
  const operator = await signIn(app, operatorOf.username);
  const waiting = (await pendingOf(operator)).find(({ userId }) => userId === adminId);
  await confirm(operator, waiting);
  expect(await flags()).toContain('canViewPings');
});

test('what an operator asks for is confirmed by another administrator of the group, and not by one whom the operator invited', async () => {
  const { team, colleague, own, more, granted } = await office();
  const { id, username } = await make.user({ team, role: 'analyst', added: ['canManageUsers'], isOperator: true });
  const operator = await signIn(app, username);
  const invited = await make.user({ team, role: 'viewer' });
  const params = { id: invited.id };
  const body = userWith(await operator.call('GET /api/admin/users/:id', { params }), [await granted('administrator')]);
  await operator.call('PUT /api/admin/users/:id', { params, body });
  const self = await operator.call('GET /api/admin/users/:id', { params: { id } });
  await operator.call('PUT /api/admin/users/:id', { params: { id }, body: userWith(self, [more]) });
  const waitingFor = async (client: Client) => (await pendingOf(client)).find(({ userId }) => userId === id);
  const appointed = await signIn(app, invited.username);
  expect(await waitingFor(appointed)).toMatchObject({ canConfirm: false });
  expect(await refusal(confirm(appointed, await waitingFor(appointed)))).toBe('NOT_PERMITTED');
  const waiting = await waitingFor(colleague);
  expect(waiting).toMatchObject({ canConfirm: true });
  await confirm(colleague, waiting);
  const { user } = await operator.call('GET /api/me', {});
  expect(user.teams[team.id]?.groups[own.groupId]?.permissions).toContain('canViewPings');
  // The account itself is other operators' alone.
  expect(await refusal(colleague.call('POST /api/admin/users/:id/disable', { params: { id } }))).toBe('NOT_PERMITTED');
});

describe('an administrator', () => {
  /** Activates an invited account and signs in. */
  async function activated(username: string): Promise<Client> {
    const { username: other } = await make.user();
    await rows(
      `update users u set (password_hash, password_changed_at, activated_at) = (o.password_hash, o.password_changed_at, o.activated_at)
       from users o where u.username = $1 and o.username = $2`,
      [username, other],
    );
    return signIn(app, username);
  }
  const invite = async (by: Client, grants: Grant[]): Promise<Client> =>
    activated((await by.call('POST /api/users', { body: invitation(grants) })).username);
  const give = async (by: Client, id: string, grants: Grant[]) => {
    const params = { id };
    const user = await by.call('GET /api/admin/users/:id', { params });
    return by.call('PUT /api/admin/users/:id', { params, body: userWith(user, grants) });
  };
  const canDo = async (client: Client) => (await pendingOf(client)).map(({ canConfirm }) => canConfirm);

  test('neither confirms the access of whoever invited them, nor gives it; another one confirms it', async () => {
    const { admin, adminId, colleague, ask, own, more, flags } = await office();
    const puppet = await invite(admin, [more]);
    const before = await flags();
    await ask([more]);
    const [waiting] = await pendingOf(puppet);
    expect(waiting).toMatchObject({ isOwn: false, canConfirm: false });
    const { user } = await puppet.call('GET /api/me', {});
    const letters = await lettersTo(app.database, user.username);
    expect(letters.map(({ subject }) => subject)).not.toContain('Access waits for your confirmation');
    await expect(confirm(puppet, waiting)).rejects.toMatchObject({
      body: { errorKey: 'NOT_PERMITTED', message: expect.stringContaining('invited you') as string },
    });
    expect(await refusal(give(puppet, adminId, [more]))).toBe('NOT_PERMITTED');
    const body = { name: 'Second', abbreviation: 'S', type: 'PROGRAM' as const, groupIds: [own.groupId] };
    const { id: teamId } = await puppet.call('POST /api/admin/teams', { body });
    expect(await refusal(give(puppet, adminId, [own, { ...more, teamId }]))).toBe('NOT_PERMITTED');
    expect(await flags()).toEqual(before);
    await confirm(colleague, waiting);
    expect(await flags()).toContain('canViewPings');
  });

  test('does not confirm it through a chain of invitations, and may decline it; an operator confirms', async () => {
    const { admin, adminId, ask, more, flags } = await office();
    const second = await invite(await invite(admin, [more]), [more]);
    await ask([more]);
    const [waiting] = await pendingOf(second);
    expect(waiting).toMatchObject({ canConfirm: false });
    expect(await refusal(confirm(second, waiting))).toBe('NOT_PERMITTED');
    await second.call('DELETE /api/admin/pending-grants/:id', { params: { id: waiting?.id ?? '' } });

    await ask([more]);
    const operatorOf = await make.user({ team: await make.team(), role: 'administrator', isOperator: true });
    const operator = await signIn(app, operatorOf.username);
    await confirm(
      operator,
      (await pendingOf(operator)).find(({ userId }) => userId === adminId),
    );
    expect(await flags()).toContain('canViewPings');
  });

  test('depends for 90 days on whoever made them one: by a grant, a role, a request to join, or an enabled account', async () => {
    const { admin, colleague, ask, own, more, team, here, granted, organizationId } = await office();
    const body = { name: 'Lead', permissions: ['canViewSpotlights' as const] };
    const role = await colleague.call('POST /api/admin/roles', { body });
    const byGrant = await make.user({ team, role: 'viewer' });
    await give(admin, byGrant.id, [own]);

    const byRole = await make.user({ team, role: 'viewer' });
    await give(colleague, byRole.id, [await granted('viewer', { roleId: role.id })]);
    const params = { id: role.id };
    const lead = { ...body, permissions: [...body.permissions, 'canManageUsers' as const] };
    await admin.call('PUT /api/admin/roles/:id', { params, body: lead });

    const byRequest = `stranger${organizationId}@tidings.test`;
    await rows(
      `insert into access_requests (username, first_name, last_name, group_id, created_at)
       values ($1, 'Ana', 'Diaz', $2, '2026-01-01T00:00:00Z')`,
      [byRequest, here.id],
    );
    await admin.call('POST /api/users/authorize-group', { query: { username: byRequest, groupId: here.id } });
    await rows(
      `update grants set added = '{canManageUsers}' where user_id = (select id from users where username = $1)`,
      [byRequest],
    );

    const enabled = await make.user({ team, role: 'administrator' });
    await colleague.call('POST /api/admin/users/:id/disable', { params: { id: enabled.id } });
    await admin.call('POST /api/admin/users/:id/enable', { params: { id: enabled.id } });

    await ask([more]);
    const names = [byGrant.username, byRole.username, enabled.username];
    const clients = [...(await Promise.all(names.map((name) => signIn(app, name)))), await activated(byRequest)];
    for (const client of clients) expect(await canDo(client)).toEqual([false]);
    expect(await canDo(colleague)).toEqual([true]);
    await rows(
      `update users set appointed_at = appointed_at - interval '90 days', created_at = created_at - interval '90 days'
       where organization_id = $1`,
      [organizationId],
    );
    for (const client of clients) expect(await canDo(client)).toEqual([true]);
  });

  test('who already manages another group depends on no one', async () => {
    const { admin, ask, own, more, other } = await office();
    const neighbor = await make.user({ team: other, role: 'administrator' });
    const { grants } = await admin.call('GET /api/admin/users/:id', { params: { id: neighbor.id } });
    await give(admin, neighbor.id, [...grants, own]);
    await ask([more]);
    expect(await canDo(await signIn(app, neighbor.username))).toEqual([true]);
  });
});
