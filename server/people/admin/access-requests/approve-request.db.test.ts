import { expect, test } from 'vitest';
import { administration, refusal } from '#server/testing/administration.ts';
import { anonymous, signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make, database } = app;
const { rows, roleId, organization } = administration(app);
const stranger = anonymous(app);

let count = 0;
const ask = async (groupId: string, over: { username?: string; title?: string } = {}): Promise<string> => {
  const body = { username: `asks${++count}@clinic.example`, firstName: 'Noor', lastName: 'Haddad', groupId, ...over };
  await stranger.call('POST /api/registrations', { body });
  return body.username;
};

test('an approval may choose the team and the role; the audit log says which', async () => {
  const { admin, adminId, organizationId, here, team, granted } = await organization();
  const night = await make.team({ organizationId, groupIds: [here.id] });
  const username = await ask(here.id, { title: 'Charge nurse' });
  expect(await admin.call('GET /api/admin/access-requests', {})).toMatchObject([{ username, title: 'Charge nurse' }]);
  const clinician = await roleId('clinician');
  const query = { username, groupId: here.id, teamId: night.id, roleId: clinician };
  await admin.call('POST /api/users/authorize-group', { query });
  const { users } = await admin.call('GET /api/admin/users', { query: { query: username } });
  expect(users).toMatchObject([{ title: 'Charge nurse', grants: [await granted('clinician', { teamId: night.id })] }]);
  const audited = 'select detail from audit_entries where user_id = $1 and action = $2';
  expect(await rows(audited, [adminId, 'access-request.grant'])).toEqual([
    { detail: { groupId: here.id, teamId: night.id, roleId: clinician } },
  ]);
  const { id = '', grants = [] } = users[0] ?? {};
  const body = { firstName: 'Noor', lastName: 'Haddad', title: 'Nurse manager', grants };
  expect(await admin.call('PUT /api/admin/users/:id', { params: { id }, body })).toMatchObject({
    title: 'Nurse manager',
  });
  expect(team.id).not.toBe(night.id);
});

test('someone who has got access in the meantime keeps it, and the log does not say that the approval gave any', async () => {
  const { admin, adminId, here, team, granted } = await organization();
  const { id, username } = await make.user({ team, role: 'viewer' });
  await database.owner.query('delete from grants where user_id = $1', [id]);
  await ask(here.id, { username });
  await database.owner.query('insert into grants (user_id, team_id, group_id, role_id) values ($1, $2, $3, $4)', [
    id,
    team.id,
    here.id,
    await roleId('viewer'),
  ]);
  const query = { username, groupId: here.id, teamId: team.id, roleId: await roleId('clinician') };
  await admin.call('POST /api/users/authorize-group', { query });
  const { grants } = await admin.call('GET /api/admin/users/:id', { params: { id } });
  expect(grants).toEqual([await granted('viewer')]);
  const audited = 'select detail from audit_entries where user_id = $1 and action = $2';
  expect(await rows(audited, [adminId, 'access-request.grant'])).toEqual([{ detail: { groupId: here.id } }]);
});

test('a team that does not work for the group, and a role of another organization, are refused as in an invitation', async () => {
  const { admin, here, other, team } = await organization();
  const elsewhere = await organization();
  const foreign = await elsewhere.admin.call('POST /api/admin/roles', { body: { name: 'night', permissions: [] } });
  const username = await ask(here.id);
  const approve = (choice: { teamId?: string; roleId?: string }) =>
    refusal(admin.call('POST /api/users/authorize-group', { query: { username, groupId: here.id, ...choice } }));
  expect(await approve({ teamId: other.id })).toBe('NOT_FOUND');
  expect(await approve({ teamId: elsewhere.team.id })).toBe('NOT_FOUND');
  expect(await approve({ roleId: foreign.id })).toBe('NOT_FOUND');
  expect(await rows('select from users where username = $1', [username])).toEqual([]);
  const own = await admin.call('POST /api/admin/roles', { body: { name: 'night', permissions: ['canViewPings'] } });
  expect(await approve({ roleId: own.id })).toBeNull();
  const [user] = (await admin.call('GET /api/admin/users', { query: { query: username } })).users;
  expect(user?.grants).toMatchObject([{ teamId: team.id, roleId: own.id }]);
});

test('no one approves a role for themselves, or for someone on whom they depend', async () => {
  const { admin, adminId, organizationId, here, team, other } = await organization();
  const appointer = await make.user({ team: other, role: 'administrator' });
  await database.pipeline.query('update users set invited_by = $2 where id = $1', [adminId, appointer.id]);
  await ask(here.id, { username: appointer.username });
  const administrator = await roleId('administrator');
  const approval = { username: appointer.username, groupId: here.id, roleId: administrator };
  expect(await refusal(admin.call('POST /api/users/authorize-group', { query: approval }))).toBe('NOT_PERMITTED');

  const operator = await make.user({ team, role: 'administrator', isOperator: true });
  const third = await make.group({ organizationId });
  const desk = await make.team({ organizationId, groupIds: [third.id] });
  await ask(third.id, { username: operator.username });
  const own = { username: operator.username, groupId: third.id, teamId: desk.id, roleId: administrator };
  const client = await signIn(app, operator.username);
  expect(await refusal(client.call('POST /api/users/authorize-group', { query: own }))).toBe('NOT_PERMITTED');
});
