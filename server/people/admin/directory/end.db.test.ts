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

/** What a refusal says. */
async function said(call: Promise<unknown>): Promise<string> {
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

test('a team that nobody is in ends: it is listed no longer, its name is free, and the deed is on record', async () => {
  const { admin, adminId, here } = await organization();
  const { id } = await admin.call('POST /api/admin/teams', { body: team([here.id]) });
  await admin.call('DELETE /api/admin/teams/:id', { params: { id } });
  expect((await admin.call('GET /api/admin/teams', {})).map((each) => each.id)).not.toContain(id);
  for (const call of [
    admin.call('DELETE /api/admin/teams/:id', { params: { id } }),
    admin.call('PUT /api/admin/teams/:id', { params: { id }, body: team([here.id]) }),
  ])
    expect(await refusal(call)).toBe('NOT_FOUND');
  const again = await admin.call('POST /api/admin/teams', { body: team([here.id]) });
  expect(again.id).not.toBe(id);
  expect(await auditOf('team.end', id)).toEqual([{ action: 'team.end', user_id: adminId }]);
});

test('a team with people stays, and so does that of others', async () => {
  const { admin, team: own, other } = await organization();
  expect(await said(admin.call('DELETE /api/admin/teams/:id', { params: { id: own.id } }))).toBe(
    'STILL_NEEDED This team is still needed: 1 person is in it.',
  );
  expect(await refusal(admin.call('DELETE /api/admin/teams/:id', { params: { id: other.id } }))).toBe('NOT_PERMITTED');
  const stranger = await organization();
  expect(await refusal(stranger.admin.call('DELETE /api/admin/teams/:id', { params: { id: own.id } }))).toBe(
    'NOT_FOUND',
  );
});

test('a group says all that still needs it, and ends once nothing does; its administrator goes on with the others', async () => {
  const { admin, adminId, organizationId, team: own } = await organization();
  const { id } = await admin.call('POST /api/admin/groups', { body: group('Annexe') });
  const second = await admin.call('POST /api/admin/teams', { body: team([id]) });
  const nurse = await make.user({ team: { ...own, id: second.id }, role: 'care coordinator' });
  const { rosterPatientId, encounterId, eventId } = await make.ping({ groupId: id });
  await rows("update encounters set group_id = $1, status = 'IN_PROGRESS' where id = $2", [id, encounterId]);
  const feed = await make.feed({ group: { id, organizationId }, application: 'X', identifier: 'ANNEXE' });
  const end = () => said(admin.call('DELETE /api/admin/groups/:id', { params: { id } }));
  expect(await end()).toBe(
    'STILL_NEEDED This group is still needed: 1 patient is listed; 1 ping is open; 1 stay is open; 1 feed names it; ' +
      '1 other person has access for it; the team Night shift works for no other group.',
  );
  await rows('update roster_patients set left_at = listed_at where id = $1', [rosterPatientId]);
  await rows("update pings set management_status = 'RESOLVED' where event_id = $1", [eventId]);
  await rows("update encounters set status = 'FINISHED' where id = $1", [encounterId]);
  await rows('delete from feed_facilities where feed_id = $1', [feed.id]);
  await rows('delete from grants where user_id = $1', [nurse.id]);
  expect(await end()).toContain('the team Night shift works for no other group.');
  await admin.call('DELETE /api/admin/teams/:id', { params: { id: second.id } });
  expect(await end()).toBe('');

  expect((await admin.call('GET /api/admin/groups', {})).map((each) => each.id)).not.toContain(id);
  const me = await admin.call('GET /api/me', {});
  expect(Object.keys(me.user.teams[own.id]?.groups ?? {})).not.toContain(id);
  expect(await auditOf('group.end', id)).toEqual([{ action: 'group.end', user_id: adminId }]);
  expect(await auditOf('team.change', own.id)).toEqual([{ action: 'team.change', user_id: adminId }]);
  expect(await rows('select 1 as kept from pings where group_id = $1', [id])).toHaveLength(1);
  await admin.call('POST /api/admin/groups', { body: group('Annexe') });
});

test('a group that has ended is opened again: as it was, in the team of who does it, for nobody else, with nobody listed', async () => {
  const { admin, adminId, team: own } = await organization();
  const { id } = await admin.call('POST /api/admin/groups', { body: { ...group('Annexe'), state: 'NY' } });
  const { rosterPatientId, eventId, encounterId } = await make.ping({ groupId: id });
  await rows('update roster_patients set left_at = listed_at where id = $1', [rosterPatientId]);
  await rows("update pings set management_status = 'RESOLVED' where event_id = $1", [eventId]);
  await rows("update encounters set status = 'FINISHED' where id = $1", [encounterId]);
  const nurse = await make.user({ team: own, role: 'care coordinator' });
  await rows('delete from grants where user_id = $1 and group_id = $2', [nurse.id, id]);
  const ended = () => admin.call('GET /api/admin/groups/ended', {});
  const reopen = () => admin.call('POST /api/admin/groups/:id/reopen', { params: { id } });
  expect(await refusal(reopen())).toBe('NOT_FOUND');
  await admin.call('DELETE /api/admin/groups/:id', { params: { id } });
  const endedDate = app.clock.now().toISOString();
  expect(await ended()).toEqual([{ id, name: 'Annexe', type: 'SNF', facilityType: 'SNF', endedDate }]);

  // Somebody else has the name by now: first that one is renamed.
  const namesake = await admin.call('POST /api/admin/groups', { body: group('Annexe') });
  expect(await said(reopen())).toBe('NAME_TAKEN Another group has this name by now. Give that one another name first.');
  await admin.call('PUT /api/admin/groups/:id', { params: { id: namesake.id }, body: group('Pavilion') });
  expect(await reopen()).toMatchObject({ id, name: 'Annexe', state: 'NY', type: 'SNF' });
  expect(await ended()).toEqual([]);
  expect((await admin.call('GET /api/admin/groups', {})).map((each) => each.id)).toContain(id);
  const me = await admin.call('GET /api/me', {});
  expect(me.user.teams[own.id]?.groups[id]?.permissions).toContain('canManageUsers');
  expect(await rows('select user_id from grants where group_id = $1', [id])).toEqual([{ user_id: adminId }]);
  expect(await rows('select from roster_patients where group_id = $1 and left_at is null', [id])).toEqual([]);
  const { changes } = await admin.call('GET /api/admin/changes', { query: {} });
  expect(changes[0]).toMatchObject({ action: 'group.reopen', subject: { name: 'Annexe' }, detail: { teamId: own.id } });
  expect(await refusal(reopen())).toBe('NOT_FOUND');
});

test('an ended group is opened again only by who manages all groups of the organisation, and offered to nobody else', async () => {
  const { admin, other } = await organization();
  const { id } = await admin.call('POST /api/admin/groups', { body: group('Annexe') });
  await admin.call('DELETE /api/admin/groups/:id', { params: { id } });
  const stranger = await organization();
  expect(await stranger.admin.call('GET /api/admin/groups/ended', {})).toEqual([]);
  const reopenBy = (client: typeof admin) =>
    refusal(client.call('POST /api/admin/groups/:id/reopen', { params: { id } }));
  expect(await reopenBy(stranger.admin)).toBe('NOT_FOUND');
  // From now on there are people whom the first administrator does not manage.
  const far = await signIn(app, (await make.user({ team: other, role: 'administrator' })).username);
  for (const client of [admin, far]) {
    expect(await client.call('GET /api/admin/groups/ended', {})).toEqual([]);
    expect(await reopenBy(client)).toBe('NOT_PERMITTED');
  }
});

test('what is listed counts also where the administrator works in another team just now', async () => {
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
  expect(await said(admin.call('DELETE /api/admin/groups/:id', { params: { id: far.id } }))).toContain(
    '1 patient is listed; 1 ping is open',
  );
});

test('nobody ends the only group that he or she manages, or one that is not his or hers', async () => {
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

test('who asked to join a group that ends waits no longer', async () => {
  const { admin } = await organization();
  const { id } = await admin.call('POST /api/admin/groups', { body: group('Pavilion') });
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

test('a role ends once nobody holds it; a standard one never', async () => {
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
  const end = (role: string) => said(admin.call('DELETE /api/admin/roles/:id', { params: { id: role } }));
  expect(await end(id)).toBe('STILL_NEEDED This role is still needed: 1 person holds it.');
  const viewer = await roleId('viewer');
  await change(viewer);
  expect(await end(viewer)).toBe('NOT_PERMITTED The standard roles cannot be removed.');
  expect(await end(id)).toBe('');
  expect(await refusal(change(id))).toBe('NOT_FOUND');
  expect((await admin.call('GET /api/admin/roles', {})).map((each) => each.id)).not.toContain(id);
  await admin.call('POST /api/admin/roles', { body: { name: 'scribe', permissions: [] } });
});

test('who does not administer ends nothing', async () => {
  const { team: own, here } = await organization();
  const client = await signIn(app, (await make.user({ team: own, role: 'care coordinator' })).username);
  for (const path of [`teams/${own.id}`, `groups/${here.id}`, 'roles/1'])
    expect((await client.fetch(`/api/admin/${path}`, { method: 'DELETE' })).status).toBe(403);
});
