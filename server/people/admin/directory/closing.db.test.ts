import { expect, test } from 'vitest';
import type { GroupFields } from '#contract/admin.ts';
import { administration, refusal } from '#server/testing/administration.ts';
import { CallError, signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make } = app;
const { rows, organization } = administration(app);

const group = (name: string): GroupFields => ({
  name,
  type: 'SNF',
  facilityType: 'SNF',
  state: null,
  timeZone: 'America/New_York',
  address: null,
  isAutomated: false,
  isPart2Facility: false,
});
const team = (groupIds: string[], name = 'Night shift') => ({
  name,
  abbreviation: 'NS',
  type: 'PROGRAM' as const,
  groupIds,
});

/** Returns the key and message of a refusal; '' if the call is answered. */
async function refusalText(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return '';
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return `${error.body.errorKey} ${error.body.message}`;
  }
}
const auditOf = (action: string, id: string) =>
  rows<{ action: string; user_id: string }>(
    'select action, user_id from audit_entries where action = $1 and subject_id = $2',
    [action, id],
  );

test('closing a team without members removes it from the list, frees its name and is audited', async () => {
  const { admin, adminId, here } = await organization();
  const { id } = await admin.call('POST /api/admin/teams', { body: team([here.id]) });
  await admin.call('DELETE /api/admin/teams/:id', { params: { id } });
  expect(
    (await admin.call('GET /api/admin/teams', { query: { pageSize: 100 } })).teams.map((each) => each.id),
  ).not.toContain(id);
  for (const call of [
    admin.call('DELETE /api/admin/teams/:id', { params: { id } }),
    admin.call('PUT /api/admin/teams/:id', { params: { id }, body: team([here.id]) }),
  ])
    expect(await refusal(call)).toBe('NOT_FOUND');
  const again = await admin.call('POST /api/admin/teams', { body: team([here.id]) });
  expect(again.id).not.toBe(id);
  expect(await auditOf('team.end', id)).toEqual([{ action: 'team.end', user_id: adminId }]);
});

test('a team with members cannot be closed, nor can a team of others', async () => {
  const { admin, team: own, other } = await organization();
  expect(await refusalText(admin.call('DELETE /api/admin/teams/:id', { params: { id: own.id } }))).toBe(
    'STILL_NEEDED This team is still in use: 1 person is on it.',
  );
  expect(await refusal(admin.call('DELETE /api/admin/teams/:id', { params: { id: other.id } }))).toBe('NOT_PERMITTED');
  const stranger = await organization();
  expect(await refusal(stranger.admin.call('DELETE /api/admin/teams/:id', { params: { id: own.id } }))).toBe(
    'NOT_FOUND',
  );
});

test('a group names everything that still uses it, and closes once nothing does; its administrator keeps the other groups', async () => {
  const { admin, adminId, organizationId, team: own } = await organization();
  const { id } = await admin.call('POST /api/admin/groups', { body: group('Annexe') });
  const second = await admin.call('POST /api/admin/teams', { body: team([id]) });
  const nurse = await make.user({ team: { ...own, id: second.id }, role: 'care coordinator' });
  const { rosterPatientId, encounterId, eventId } = await make.ping({ groupId: id });
  await rows("update encounters set group_id = $1, status = 'IN_PROGRESS' where id = $2", [id, encounterId]);
  const feed = await make.feed({ group: { id, organizationId }, application: 'X', identifier: 'ANNEXE' });
  const close = () => refusalText(admin.call('DELETE /api/admin/groups/:id', { params: { id } }));
  expect(await close()).toBe(
    'STILL_NEEDED This group is still in use: 1 patient is on its roster; 1 ping is open; 1 stay is open; 1 feed uses it; ' +
      '1 other person has access to it; it is the only group of the team Night shift.',
  );
  await rows('update roster_patients set left_at = listed_at where id = $1', [rosterPatientId]);
  await rows("update pings set management_status = 'RESOLVED' where event_id = $1", [eventId]);
  await rows("update encounters set status = 'FINISHED' where id = $1", [encounterId]);
  await rows('delete from feed_facilities where feed_id = $1', [feed.id]);
  await rows('delete from grants where user_id = $1', [nurse.id]);
  expect(await close()).toContain('it is the only group of the team Night shift.');
  await admin.call('DELETE /api/admin/teams/:id', { params: { id: second.id } });
  expect(await close()).toBe('');

  expect(
    (await admin.call('GET /api/admin/groups', { query: { pageSize: 100 } })).groups.map((each) => each.id),
  ).not.toContain(id);
  const me = await admin.call('GET /api/me', {});
  expect(Object.keys(me.user.teams[own.id]?.groups ?? {})).not.toContain(id);
  expect(await auditOf('group.end', id)).toEqual([{ action: 'group.end', user_id: adminId }]);
  expect(await auditOf('team.change', own.id)).toEqual([{ action: 'team.change', user_id: adminId }]);
  expect(await rows('select 1 as kept from pings where group_id = $1', [id])).toHaveLength(1);
  await admin.call('POST /api/admin/groups', { body: group('Annexe') });
});

test('a closed group is reopened as it was, on the administrator’s team, with an empty roster and access for no one until it is confirmed', async () => {
  const { admin, adminId, team: own } = await organization();
  const { id } = await admin.call('POST /api/admin/groups', { body: { ...group('Lodge'), state: 'NY' } });
  const { rosterPatientId, eventId, encounterId } = await make.ping({ groupId: id });
  await rows('update roster_patients set left_at = listed_at where id = $1', [rosterPatientId]);
  await rows("update pings set management_status = 'RESOLVED' where event_id = $1", [eventId]);
  await rows("update encounters set status = 'FINISHED' where id = $1", [encounterId]);
  const nurse = await make.user({ team: own, role: 'care coordinator' });
  await rows('delete from grants where user_id = $1 and group_id = $2', [nurse.id, id]);
  const closed = () => admin.call('GET /api/admin/groups/ended', {});
  const reopen = () => admin.call('POST /api/admin/groups/:id/reopen', { params: { id } });
  expect(await refusal(reopen())).toBe('NOT_FOUND');
  await admin.call('DELETE /api/admin/groups/:id', { params: { id } });
  const endedDate = app.clock.now().toISOString();
  expect(await closed()).toEqual([{ id, name: 'Lodge', type: 'SNF', facilityType: 'SNF', endedDate }]);

  // Another group has taken the name, so that group is renamed first.
  const namesake = await admin.call('POST /api/admin/groups', { body: group('Lodge') });
  expect(await refusalText(reopen())).toBe('NAME_TAKEN Another group now has this name. Rename that group first.');
  await admin.call('PUT /api/admin/groups/:id', { params: { id: namesake.id }, body: group('Pavilion') });
  expect(await reopen()).toMatchObject({ id, name: 'Lodge', state: 'NY', type: 'SNF' });
  expect(await closed()).toEqual([]);
  expect(
    (await admin.call('GET /api/admin/groups', { query: { pageSize: 100 } })).groups.map((each) => each.id),
  ).toContain(id);
  expect(await rows('select from grants where group_id = $1', [id])).toEqual([]);
  const asked = await rows('select user_id, team_id from pending_grants where group_id = $1', [id]);
  expect(asked).toEqual([{ user_id: adminId, team_id: own.id }]);
  expect(await rows('select from roster_patients where group_id = $1 and left_at is null', [id])).toEqual([]);
  const { changes } = await admin.call('GET /api/admin/changes', { query: {} });
  expect(changes[0]).toMatchObject({ action: 'group.reopen', subject: { name: 'Lodge' }, detail: { teamId: own.id } });
  expect(await refusal(reopen())).toBe('NOT_FOUND');
});

test('a closed group is offered to, and reopened by, only administrators of all groups of the organization', async () => {
  const { admin, other } = await organization();
  const { id } = await admin.call('POST /api/admin/groups', { body: group('Cottage') });
  await admin.call('DELETE /api/admin/groups/:id', { params: { id } });
  const stranger = await organization();
  expect(await stranger.admin.call('GET /api/admin/groups/ended', {})).toEqual([]);
  const reopenBy = (client: typeof admin) =>
    refusal(client.call('POST /api/admin/groups/:id/reopen', { params: { id } }));
  expect(await reopenBy(stranger.admin)).toBe('NOT_FOUND');
  // From now on there are people the first administrator does not manage.
  const far = await signIn(app, (await make.user({ team: other, role: 'administrator' })).username);
  for (const client of [admin, far]) {
    expect(await client.call('GET /api/admin/groups/ended', {})).toEqual([]);
    expect(await reopenBy(client)).toBe('NOT_PERMITTED');
  }
});

test('the roster of a group counts even if the administrator has selected another team', async () => {
  const { admin, adminId, organizationId, here, granted } = await organization();
  const far = await make.group({ organizationId });
  const office = await make.team({ organizationId, groupIds: [far.id, here.id] });
  const { roleId } = await granted('administrator');
  await rows('insert into grants (user_id, team_id, group_id, role_id) values ($1, $2, $3, $4)', [
    adminId,
    office.id,
    far.id,
    roleId,
  ]);
  await make.ping({ groupId: far.id });
  expect(await refusalText(admin.call('DELETE /api/admin/groups/:id', { params: { id: far.id } }))).toContain(
    '1 patient is on its roster; 1 ping is open',
  );
});

test('administrators cannot close the only group they manage, or a group they do not manage', async () => {
  const { admin, here, there, team: own, other } = await organization();
  await admin.call('PUT /api/admin/teams/:id', {
    params: { id: own.id },
    body: { ...team([here.id], 'Own'), groupIds: [here.id] },
  });
  expect(await refusal(admin.call('DELETE /api/admin/groups/:id', { params: { id: here.id } }))).toBe('NOT_PERMITTED');
  expect(await refusal(admin.call('DELETE /api/admin/groups/:id', { params: { id: there.id } }))).toBe('NOT_PERMITTED');
  expect(other.id).toBeTruthy();
  const stranger = await organization();
  expect(await refusal(stranger.admin.call('DELETE /api/admin/groups/:id', { params: { id: here.id } }))).toBe(
    'NOT_FOUND',
  );
});

test('closing a group declines the pending requests to join it', async () => {
  const { admin } = await organization();
  const { id } = await admin.call('POST /api/admin/groups', { body: group('Mill House') });
  await rows(
    `insert into access_requests (username, first_name, last_name, group_id, created_at)
     values ('lena@fernhill.example', 'Lena', 'Okafor', $1, '2026-01-01T00:00:00Z')`,
    [id],
  );
  await admin.call('DELETE /api/admin/groups/:id', { params: { id } });
  expect(await rows('select is_granted from access_requests where group_id = $1', [id])).toEqual([
    { is_granted: false },
  ]);
  expect(await admin.call('GET /api/admin/access-requests', {})).toEqual([]);
});

test('a role can be closed once no one has it; a standard role never', async () => {
  const { admin, here, team: own, granted, roleId } = { ...(await organization()), roleId: administration(app).roleId };
  const { id } = await admin.call('POST /api/admin/roles', { body: { name: 'scribe', permissions: ['canViewPings'] } });
  const kofi = await make.user({ team: own, role: 'viewer' });
  const change = async (role: string) =>
    admin.call('PUT /api/admin/users/:id', {
      params: { id: kofi.id },
      body: {
        firstName: 'Kofi',
        lastName: 'Mensah',
        applicationExperience: 'JANUS',
        grants: [await granted('viewer', { groupId: here.id, roleId: role })],
      },
    });
  await change(id);
  const close = (role: string) => refusalText(admin.call('DELETE /api/admin/roles/:id', { params: { id: role } }));
  expect(await close(id)).toBe('STILL_NEEDED This role is still in use: 1 person has it.');
  const viewer = await roleId('viewer');
  await change(viewer);
  expect(await close(viewer)).toBe("NOT_PERMITTED Standard roles can't be removed.");
  expect(await close(id)).toBe('');
  expect(await refusal(change(id))).toBe('NOT_FOUND');
  expect((await admin.call('GET /api/admin/roles', {})).map((each) => each.id)).not.toContain(id);
  await admin.call('POST /api/admin/roles', { body: { name: 'scribe', permissions: [] } });
});

test('users without administration rights close nothing', async () => {
  const { team: own, here } = await organization();
  const client = await signIn(app, (await make.user({ team: own, role: 'care coordinator' })).username);
  for (const path of [`teams/${own.id}`, `groups/${here.id}`, 'roles/1'])
    expect((await client.fetch(`/api/admin/${path}`, { method: 'DELETE' })).status).toBe(403);
});
