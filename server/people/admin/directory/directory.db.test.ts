import { beforeEach, expect, test } from 'vitest';
import type { GroupFields } from '#contract/admin.ts';
import { sql } from '#server/platform/database/sql.ts';
import { administration, refusal } from '#server/testing/administration.ts';
import { signIn, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make } = app;
const { rows, organization } = administration(app);

/** Another facility in each test, because no organization may use the name of another one's. */
let annexe = 0;
beforeEach(() => {
  annexe += 1;
});
const group = (over: Partial<GroupFields> = {}): GroupFields => ({
  name: `Annexe ${annexe}`,
  type: 'SNF',
  facilityType: 'SNF',
  state: 'NY',
  timeZone: 'America/New_York',
  address: null,
  isAutomated: false,
  isPart2Facility: false,
  ...over,
});
const team = (groupIds: string[], name = 'Night shift') => ({
  name,
  abbreviation: 'NS',
  type: 'PROGRAM' as const,
  groupIds,
});

test('a new group is managed by its creator on the selected team, and can then be given to other teams', async () => {
  const { admin, team: first } = await organization();
  const added = await admin.call('POST /api/admin/groups', { body: group() });
  expect(added).toMatchObject(group());
  const short = { name: `Plan ${annexe}`, type: 'PROGRAM' as const, timeZone: 'America/Chicago' };
  const nothing = { facilityType: null, state: null, address: null, isAutomated: false, isPart2Facility: false };
  expect(await admin.call('POST /api/admin/groups', { body: short })).toMatchObject({ ...short, ...nothing });
  const { teams } = (await admin.call('GET /api/me', {})).user;
  expect(teams[first.id]?.groups[added.id]?.permissions).toContain('canManageUsers');
  const second = await admin.call('POST /api/admin/teams', { body: team([added.id]) });
  expect(second).toMatchObject({ groupIds: [added.id], memberCount: 0 });
  expect(await refusal(admin.call('POST /api/admin/groups', { body: group() }))).toBe('NAME_TAKEN');
  expect(await refusal(admin.call('POST /api/admin/teams', { body: team([added.id]) }))).toBe('NAME_TAKEN');
});

test('each invalid field of a group is named', async () => {
  const { admin } = await organization();
  const wrong: [Partial<GroupFields>, string][] = [
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ type: 'PROGRAM', facilityType: 'SNF' }, 'facilityType'],
    [{ facilityType: null }, 'facilityType'],
    [{ state: 'ZZ' as never }, 'state'],
    [{ state: 'Mi' as never }, 'state'],
    [{ name: ' ' }, 'name'],
  ];
  for (const [over, field] of wrong) {
    await expect(admin.call('POST /api/admin/groups', { body: group(over) })).rejects.toMatchObject({
      body: { errorKey: 'BAD_REQUEST', fields: { [field]: expect.any(String) as string } },
    });
  }
});

test('a group is changed only by those who manage it, and stays a facility once it has reported stays', async () => {
  const { admin, here, there } = await organization();
  const added = await admin.call('POST /api/admin/groups', { body: group() });
  const body = group({ name: `South annexe ${annexe}`, isPart2Facility: true });
  expect(await admin.call('PUT /api/admin/groups/:id', { params: { id: added.id }, body })).toEqual({
    ...body,
    id: added.id,
    waitsForApproval: true,
    canApprove: false,
    canLiftPart2: false,
    askedBy: null,
    organization: null,
    version: expect.not.stringMatching(added.version) as string,
  });
  await make.encounter({ groupId: added.id });
  const program = group({ type: 'PROGRAM', facilityType: null });
  expect(await refusal(admin.call('PUT /api/admin/groups/:id', { params: { id: added.id }, body: program }))).toBe(
    'BAD_REQUEST',
  );
  expect(
    await refusal(admin.call('PUT /api/admin/groups/:id', { params: { id: there.id }, body: group({ name: 'Mine' }) })),
  ).toBe('NOT_PERMITTED');
  const stranger = await organization();
  expect(await refusal(stranger.admin.call('PUT /api/admin/groups/:id', { params: { id: here.id }, body }))).toBe(
    'NOT_FOUND',
  );
  expect(
    (await stranger.admin.call('GET /api/admin/groups', { query: { pageSize: 100 } })).groups
      .map(({ id }) => id)
      .sort(),
  ).toEqual([stranger.here.id, stranger.there.id].sort());
});

test('removing a group from a team removes the grants that its members held for it', async () => {
  const { admin, team: first, here } = await organization();
  const added = await admin.call('POST /api/admin/groups', { body: group() });
  const second = await admin.call('POST /api/admin/teams', { body: team([added.id, here.id]) });
  const nurse = await make.user({ team: { ...first, id: second.id }, role: 'care coordinator' });
  const client = await signIn(app, nurse.username);
  const groupsOf = async () =>
    Object.keys((await client.call('GET /api/me', {})).user.teams[second.id]?.groups ?? {}).sort();
  expect(await groupsOf()).toEqual([added.id, here.id].sort());
  const changed = await admin.call('PUT /api/admin/teams/:id', {
    params: { id: second.id },
    body: team([here.id], 'Day shift'),
  });
  expect(changed).toMatchObject({ ...team([here.id], 'Day shift'), id: second.id, memberCount: 1 });
  expect(await groupsOf()).toEqual([here.id]);
  const audited = await rows<{ detail: unknown }>(
    "select detail from audit_entries where action = 'team.change' and subject_id = $1",
    [second.id],
  );
  expect(audited).toEqual([
    { detail: { changes: { name: ['Night shift', 'Day shift'] }, added: [], removed: [added.id] } },
  ]);
});

test('an administrator cannot change a team that has none of their groups', async () => {
  const { admin, other, there, here } = await organization();
  for (const groupIds of [[there.id], [there.id, here.id]]) {
    expect(
      await refusal(admin.call('PUT /api/admin/teams/:id', { params: { id: other.id }, body: team(groupIds) })),
    ).toBe('NOT_PERMITTED');
  }
  const stranger = await organization();
  expect(
    await refusal(admin.call('PUT /api/admin/teams/:id', { params: { id: stranger.team.id }, body: team([here.id]) })),
  ).toBe('NOT_FOUND');
  expect(await refusal(admin.call('POST /api/admin/teams', { body: team([here.id, stranger.here.id]) }))).toBe(
    'NOT_FOUND',
  );
  expect(
    (await admin.call('GET /api/admin/teams', { query: { pageSize: 100 } })).teams.map(({ id }) => id),
  ).not.toContain(stranger.team.id);
});

test('standard roles cannot be changed; an organization adds its own, which others do not see', async () => {
  const { admin } = await organization();
  const roles = await admin.call('GET /api/admin/roles', {});
  const standard = roles.filter(({ isStandard }) => isStandard);
  expect(standard.map(({ name }) => name).sort()).toEqual([
    'administrator',
    'analyst',
    'care coordinator',
    'clinician',
    'viewer',
  ]);
  expect(standard.find(({ name }) => name === 'administrator')?.userCount).toBe(1);
  const body = { name: 'Scribe', permissions: ['canViewPings' as const, 'canViewPings' as const] };
  expect(await refusal(admin.call('PUT /api/admin/roles/:id', { params: { id: standard[0]?.id ?? '' }, body }))).toBe(
    'NOT_PERMITTED',
  );
  const scribe = await admin.call('POST /api/admin/roles', { body });
  expect(scribe).toMatchObject({ name: 'Scribe', permissions: ['canViewPings'], isStandard: false, userCount: 0 });
  expect(await refusal(admin.call('POST /api/admin/roles', { body }))).toBe('NAME_TAKEN');
  expect(await refusal(admin.call('POST /api/admin/roles', { body: { ...body, name: 'Viewer' } }))).toBe('NAME_TAKEN');
  const stranger = await organization();
  expect((await stranger.admin.call('GET /api/admin/roles', {})).map(({ name }) => name)).not.toContain('Scribe');
  expect(await refusal(stranger.admin.call('PUT /api/admin/roles/:id', { params: { id: scribe.id }, body }))).toBe(
    'NOT_FOUND',
  );
});

test('only an administrator of all groups that a role is held for can change it', async () => {
  const { admin, team: first, other, here, there } = await organization();
  const body = { name: 'Scribe', permissions: ['canViewPings' as const] };
  const { id } = await admin.call('POST /api/admin/roles', { body });
  const user = await make.user({ team: first, role: 'viewer' });
  const hold = (teamId: string, groupId: string) =>
    app.database.pipeline.query(
      'insert into grants (user_id, team_id, group_id, role_id) values ($1, $2, $3, $4) on conflict (user_id, team_id, group_id) do update set role_id = $4',
      [user.id, teamId, groupId, id],
    );
  await hold(first.id, here.id);
  const wider = { name: 'Scribe', permissions: ['canViewPings' as const, 'canManagePings' as const] };
  expect(await admin.call('PUT /api/admin/roles/:id', { params: { id }, body: wider })).toMatchObject({ userCount: 1 });
  await hold(other.id, there.id);
  const widest = { ...wider, permissions: [...wider.permissions, 'canManageUsers' as const] };
  expect(await refusal(admin.call('PUT /api/admin/roles/:id', { params: { id }, body: widest }))).toBe('NOT_PERMITTED');
});

test('the second of two administrators who change the same record is refused, and the first change stays', async () => {
  const { admin, here } = await organization();
  const role = await admin.call('POST /api/admin/roles', { body: { name: 'Night nurse', permissions: [] } });
  const shift = await admin.call('POST /api/admin/teams', { body: team([here.id]) });
  const annexe = await admin.call('POST /api/admin/groups', { body: group() });
  const changes = [
    (name: string) =>
      admin.call('PUT /api/admin/roles/:id', {
        params: { id: role.id },
        body: { name, permissions: [], version: role.version },
      }),
    (name: string) =>
      admin.call('PUT /api/admin/teams/:id', {
        params: { id: shift.id },
        body: { ...team([here.id], name), version: shift.version },
      }),
    (name: string) =>
      admin.call('PUT /api/admin/groups/:id', {
        params: { id: annexe.id },
        body: { ...group({ name }), version: annexe.version },
      }),
  ];
  for (const change of changes) {
    expect(await change('First')).toMatchObject({ name: 'First' });
    expect(await refusal(change('Second'))).toBe('CHANGED_BY_OTHER');
  }
  const all = [
    await admin.call('GET /api/admin/roles', {}),
    (await admin.call('GET /api/admin/teams', { query: { pageSize: 100 } })).teams,
    (await admin.call('GET /api/admin/groups', { query: { pageSize: 100 } })).groups,
  ];
  for (const names of all.map((each) => each.map(({ name }) => name))) {
    expect(names).toContain('First');
    expect(names).not.toContain('Second');
  }
});

test('operators see the organization of each row, others do not', async () => {
  const { admin, here, team: first, organizationId } = await organization();
  const home = await organization();
  const { username } = await make.user({ team: home.team, role: 'administrator', isOperator: true });
  const operator = await signIn(app, username);
  await admin.call('POST /api/admin/roles', { body: { name: 'Scribe of many', permissions: [] } });
  const mine = { id: organizationId, name: expect.any(String) as string };
  const find = <T extends { id: string }>(all: T[], id: string) => all.find((each) => each.id === id);
  expect(
    find((await operator.call('GET /api/admin/teams', { query: { pageSize: 100 } })).teams, first.id)?.organization,
  ).toEqual(mine);
  expect(
    find((await operator.call('GET /api/admin/groups', { query: { pageSize: 100 } })).groups, here.id)?.organization,
  ).toEqual(mine);
  const roles = await operator.call('GET /api/admin/roles', {});
  expect(roles.find(({ name }) => name === 'Scribe of many')?.organization).toEqual(mine);
  expect(roles.find(({ name }) => name === 'viewer')?.organization).toBeNull();
  expect(
    find((await admin.call('GET /api/admin/teams', { query: { pageSize: 100 } })).teams, first.id)?.organization,
  ).toBeNull();
});

test('groups and teams are listed a page at a time, and found by a part of their name', async () => {
  const { admin, here, there, team: first, organizationId } = await organization();
  const names = Array.from({ length: 5 }, (_, at) => `100%_Paged ${annexe} ${at}`);
  for (const name of names) {
    const { id } = await make.group({ organizationId, name });
    await make.team({ organizationId, groupIds: [id], name });
  }
  const page = (pageNumber: number) => ({ query: { query: '0%_paged', pageNumber, pageSize: 2 } });
  const { groups, ...counts } = await admin.call('GET /api/admin/groups', page(3));
  expect(groups.map(({ name }) => name)).toEqual([names[4]]);
  expect(counts).toEqual({ total: 5, numPages: 3 });
  const { teams, ...counted } = await admin.call('GET /api/admin/teams', page(2));
  expect(teams.map(({ name }) => name)).toEqual([names[2], names[3]]);
  expect(counted).toEqual({ total: 5, numPages: 3 });
  const stranger = await organization();
  expect((await stranger.admin.call('GET /api/admin/groups', page(1))).total).toBe(0);
  expect((await stranger.admin.call('GET /api/admin/teams', page(1))).total).toBe(0);

  const directory = await admin.call('GET /api/admin/directory', {});
  expect(directory.groups.map(({ id }) => id)).toEqual(expect.arrayContaining([here.id, there.id]));
  expect(directory.groups).toHaveLength(7);
  expect(directory.teams.find(({ id }) => id === first.id)).toEqual({
    id: first.id,
    name: expect.any(String) as string,
    groupIds: expect.arrayContaining([here.id]) as string[],
    organization: null,
  });
  const strangers = await stranger.admin.call('GET /api/admin/directory', {});
  expect(strangers.groups.map(({ id }) => id)).not.toContain(here.id);
  expect(strangers.teams.map(({ id }) => id)).not.toContain(first.id);
});

test('one group or team is found by its id, but not by administrators of another organization', async () => {
  const { admin, here, team: first } = await organization();
  expect(await admin.call('GET /api/admin/groups/:id', { params: { id: here.id } })).toMatchObject({ id: here.id });
  expect(await admin.call('GET /api/admin/teams/:id', { params: { id: first.id } })).toMatchObject({ id: first.id });
  const stranger = (await organization()).admin;
  expect(await refusal(stranger.call('GET /api/admin/groups/:id', { params: { id: here.id } }))).toBe('NOT_FOUND');
  expect(await refusal(stranger.call('GET /api/admin/teams/:id', { params: { id: first.id } }))).toBe('NOT_FOUND');
});

test('operators find the facilities that they may approve, others find none', async () => {
  const { admin, organizationId } = await organization();
  const { id } = await make.group({ organizationId, name: `Unapproved ${annexe}`, type: 'SNF' });
  await app.database.owner.query(sql`update groups set approved_at = null, is_automated = false where id = ${id}`);
  const home = await organization();
  const { username } = await make.user({ team: home.team, role: 'administrator', isOperator: true });
  const operator = await signIn(app, username);
  const waiting = { query: { canApprove: 'true' as const, pageSize: 100 } };
  const found = (await operator.call('GET /api/admin/groups', waiting)).groups;
  expect(found.map((each) => each.id)).toContain(id);
  expect(found.every(({ canApprove }) => canApprove)).toBe(true);
  expect((await admin.call('GET /api/admin/groups', waiting)).total).toBe(0);
});
