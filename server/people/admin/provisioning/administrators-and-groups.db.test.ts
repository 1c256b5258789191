/** Groups of an identity provider and the right to manage users: nobody gets it by a group, and whoever has it gets nothing by one. */
import { expect, test } from 'vitest';
import type { Grant } from '#contract/admin.ts';
import { userWith } from '#server/testing/account-bodies.ts';
import { administration } from '#server/testing/administration.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { provisioned } from '#server/testing/provisioned.ts';

const app = await startApp();
const { make } = app;
const { roleId } = administration(app);

/** A provider's group that gives its member, Ada, a role on a team. */
async function nurses(role?: string) {
  const world = await provisioned(app);
  const { scim, ada, access, team, office, here, admin } = world;
  const { id: userId } = (await ada()).body as { id: string };
  const made = await scim.call('POST', '/Groups', { displayName: 'Nurses', members: [{ value: userId }] });
  const groupId = (made.body as { id: string }).id;
  await access(groupId, [{ teamId: team.id, roleId: role ?? (await roleId('clinician')) }]);
  const find = () => admin.call('GET /api/admin/users/:id', { params: { id: userId } });
  const give = async (...grants: Grant[]) =>
    admin.call('PUT /api/admin/users/:id', { params: { id: userId }, body: userWith(await find(), grants) });
  const manages: Grant = {
    teamId: office.id,
    groupId: here.id,
    roleId: await roleId('administrator'),
    added: [],
    removed: [],
  };
  return { ...world, userId, groupId, find, give, manages };
}

test('whoever is made an administrator loses at once what groups gave, and gets it back as nobody in particular', async () => {
  const { find, give, manages, admin, userId, office, here } = await nurses();
  expect((await find()).grants).toHaveLength(2);
  await give(manages);
  expect((await find()).grants).toEqual([manages]);
  await give();
  expect((await find()).grants).toMatchObject([{ isProvisioned: true }, { isProvisioned: true }]);
  const change = { kind: 'GIVE_ROLE' as const, teamId: office.id, groupIds: [here.id], roleId: manages.roleId };
  await admin.call('POST /api/admin/users/change', { body: { ids: [userId], change } });
  expect((await find()).grants).toEqual([manages]);
});

test('what another administrator confirmed stays when the provider speaks again', async () => {
  const { admin, domain, office, team, here, scim, groupId } = await nurses();
  const { id, username } = await make.user({ team: office, role: 'administrator', username: `rosa@${domain}` });
  const find = () => admin.call('GET /api/admin/users/:id', { params: { id } });
  const rosa = await signIn(app, username);
  const asked = { teamId: team.id, groupId: here.id, roleId: await roleId('care coordinator'), added: [], removed: [] };
  const before = await find();
  await rosa.call('PUT /api/admin/users/:id', { params: { id }, body: userWith(before, [...before.grants, asked]) });
  // Nobody in particular now, she gets another role at the same place by a group.
  await admin.call('PUT /api/admin/users/:id', { params: { id }, body: userWith(await find(), []) });
  const join = { Operations: [{ op: 'add', path: 'members', value: [{ value: id }] }] };
  await scim.call('PATCH', `/Groups/${groupId}`, join);
  const [pending] = await admin.call('GET /api/admin/pending-grants', {});
  await admin.call('POST /api/admin/pending-grants/:id/confirm', {
    params: { id: pending?.id ?? '' },
    body: { version: pending?.version ?? '' },
  });
  await scim.call('PATCH', `/Groups/${groupId}`, join);
  expect((await find()).grants).toContainEqual(asked);
});

test('a role that groups give, or the first sign-in, cannot come to let people manage users', async () => {
  const own = await provisioned(app);
  const { admin, connection, team } = own;
  const { id, name, permissions } = await admin.call('POST /api/admin/roles', {
    body: { name: 'Nurse', permissions: ['canViewPings'] },
  });
  const KEY = 'PUT /api/admin/roles/:id';
  const adding = (...more: typeof permissions) => ({
    params: { id },
    body: { name, permissions: [...permissions, ...more] },
  });
  const refused = { errorKey: 'BAD_REQUEST', fields: { permissions: expect.any(String) as string } };

  const newUsers = { params: { id: connection.id }, body: { newUsers: { teamId: team.id, roleId: id } } };
  await admin.call('PUT /api/admin/sso-connections/:id/new-users', newUsers);
  expect(await errorOf(admin, KEY, adding('canManageUsers'))).toMatchObject(refused);
  await admin.call('PUT /api/admin/sso-connections/:id/new-users', { ...newUsers, body: { newUsers: null } });

  const group = (await own.scim.call('POST', '/Groups', { displayName: 'Nurses' })).body as { id: string };
  await own.access(group.id, [{ teamId: team.id, roleId: id }]);
  expect(await errorOf(admin, KEY, adding('canManageUsers'))).toMatchObject(refused);
  await admin.call(KEY, adding('canViewPatients'));
  await own.access(group.id, []);
  await admin.call(KEY, adding('canManageUsers'));
});

test('the role with the most permissions counts also after a role has changed', async () => {
  const { admin, scim, userId, team, access, find } = await nurses(await roleId('viewer'));
  const body = { name: 'Reader', permissions: ['canViewPings' as const] };
  const { id } = await admin.call('POST /api/admin/roles', { body });
  const made = await scim.call('POST', '/Groups', { displayName: 'Readers', members: [{ value: userId }] });
  await access((made.body as { id: string }).id, [{ teamId: team.id, roleId: id }]);
  const roles = await admin.call('GET /api/admin/roles', {});
  const permissions = roles.find(({ name }) => name === 'clinician')?.permissions ?? [];
  expect((await find()).grants.map(({ roleId: held }) => held)).not.toContain(id);
  await admin.call('PUT /api/admin/roles/:id', { params: { id }, body: { ...body, permissions } });
  expect((await find()).grants.map(({ roleId: held }) => held)).toEqual([id, id]);
});
