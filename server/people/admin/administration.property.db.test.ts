/**
 * After any sequence of administrative calls by anyone who administers something: every organization still has someone who can manage
 * users; rights changed only in groups that the caller managed before (or has just added); no caller lost their own right.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PERMISSION_FLAGS, type Permission } from '#contract/permissions.ts';
import { createSession } from '#server/people/accounts/sessions/sessions.ts';
import { anonymous, CallError, type Client, startApp } from '#server/testing/app.ts';

const app = await startApp();
const { make, database, clock } = app;

const rows = async <R extends object>(text: string, values: unknown[] = []) =>
  (await database.pipeline.query<R>(text, values)).rows;

/**
 * Two organizations with three groups, three teams and a role of their own each. In the first, three people administer all or some of the
 * groups; in the second, one person administers all of them.
 */
async function makeWorld() {
  const world = { groups: [] as string[], teams: [] as string[], users: [] as string[], roles: [] as string[] };
  for (const isFirst of [true, false]) {
    const { id: organizationId } = await make.organization();
    const groups: string[] = [];
    for (let n = 0; n < 3; n++) groups.push((await make.group({ organizationId })).id);
    const [a = '', b = '', c = ''] = groups;
    const [all, first, rest] = [
      await make.team({ organizationId, groupIds: [a, b, c] }),
      await make.team({ organizationId, groupIds: [a] }),
      await make.team({ organizationId, groupIds: [b, c] }),
    ];
    const people = [
      await make.user({ team: all, role: 'administrator' }),
      await make.user({ team: first, role: isFirst ? 'administrator' : 'analyst' }),
      await make.user({ team: rest, role: 'clinician', added: isFirst ? ['canManageUsers'] : [] }),
      await make.user({ team: all, role: 'viewer' }),
    ];
    const [role] = await rows<{ id: string }>(
      "insert into roles (organization_id, name, permissions) values ($1, 'Own', '{canViewPings}') returning id",
      [organizationId],
    );
    await rows('update grants set role_id = $2 where user_id = $1', [people[3]?.id, role?.id]);
    world.groups.push(...groups);
    world.teams.push(all.id, first.id, rest.id);
    world.users.push(...people.map(({ id }) => id));
    world.roles.push(role?.id ?? '');
  }
  const standard = await rows<{ id: string }>('select id from roles where organization_id is null order by id');
  world.roles.push(...standard.map(({ id }) => id));
  return { ...world, standard: standard.map(({ id }) => id) };
}
type World = Awaited<ReturnType<typeof makeWorld>>;

interface Held {
  userId: string;
  teamId: string;
  groupId: string;
  organizationId: string;
  canSignIn: boolean;
  isEnabled: boolean;
  flags: string;
}

/** Returns who holds which rights, read from the tables without the code under test. */
async function rights(): Promise<Held[]> {
  const held = await rows<{
    user_id: string;
    team_id: string;
    group_id: string;
    organization_id: string;
    signs: boolean;
    enabled: boolean;
    role: string[];
    added: string[];
    removed: string[];
  }>(`
    select n.user_id, n.team_id, n.group_id, u.organization_id, u.activated_at is not null and u.disabled_at is null as signs,
      u.disabled_at is null as enabled, r.permissions as role, n.added, n.removed
    from grants n join users u on u.id = n.user_id join roles r on r.id = n.role_id`);
  return held.map((row) => ({
    userId: row.user_id,
    teamId: row.team_id,
    groupId: row.group_id,
    organizationId: row.organization_id,
    canSignIn: row.signs,
    isEnabled: row.enabled,
    flags: PERMISSION_FLAGS.filter(
      (flag) => (row.role.includes(flag) || row.added.includes(flag)) && !row.removed.includes(flag),
    ).join(),
  }));
}

const manages = ({ flags, isEnabled }: Held) => isEnabled && flags.split(',').includes('canManageUsers');
const administered = (held: Held[]) =>
  new Set(held.filter((h) => manages(h) && h.canSignIn).map((h) => h.organizationId));
const managedBy = (held: Held[], userId: string) =>
  new Set(held.filter((h) => h.userId === userId && manages(h)).map((h) => h.groupId));
/** Rights in force, by user, team and group; those of disabled users are not in force. */
const inForce = (held: Held[]) =>
  new Map(held.filter((h) => h.isEnabled && h.flags !== '').map((h) => [`${h.userId} ${h.teamId} ${h.groupId}`, h]));

const pick = fc.nat({ max: 30 });
const flags = fc.subarray<Permission>(['canManageUsers', 'canViewPings', 'canUploadRoster'], { maxLength: 2 });
const grant = fc.record({ isNear: fc.boolean(), team: pick, group: pick, role: pick, added: flags, removed: flags });
const step = fc.record({
  byOperator: fc.boolean(),
  caller: pick,
  what: fc.constantFrom(
    'user',
    'user',
    'user',
    'invite',
    'disable',
    'enable',
    'team',
    'addTeam',
    'addGroup',
    'role',
    'addRole',
    'authorize',
    'authorize',
  ),
  target: pick,
  keeps: fc.boolean(),
  grants: fc.array(grant, { maxLength: 3 }),
  groups: fc.array(pick, { minLength: 1, maxLength: 3 }),
  flags,
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

let count = 0;
const at = (ids: readonly string[], index: number): string => ids[index % ids.length] ?? '';

/** Sends the calls of a step as an attacker might: with any ids, from any organization. */
async function carryOut(client: Client, world: World, { what, target, keeps, ...step }: Step): Promise<void> {
  const userId = at(world.users, target);
  const near = await rows<{ team_id: string; group_id: string }>(
    `select tg.team_id, tg.group_id from team_groups tg join teams t on t.id = tg.team_id join users u using (organization_id)
     where u.id = $1 order by tg.team_id, tg.group_id`,
    [userId],
  );
  const grants = step.grants.map(({ isNear, team, group, role, ...more }) => ({
    teamId: isNear ? (near[team % near.length]?.team_id ?? '') : at(world.teams, team),
    groupId: isNear ? (near[team % near.length]?.group_id ?? '') : at(world.groups, group),
    roleId: at(world.roles, role),
    ...more,
  }));
  const names = { firstName: 'Ama', lastName: 'Osei', title: null, applicationExperience: 'JANUS' as const };
  const team = {
    name: `Team of ${++count}`,
    abbreviation: 'T',
    type: 'PROGRAM' as const,
    groupIds: step.groups.map((index) => at(world.groups, index)),
  };
  const groupId = at(world.groups, target);
  if (what === 'user') {
    const shown = await client.call('GET /api/admin/users/:id', { params: { id: userId } });
    const kept = keeps
      ? shown.grants.filter(({ teamId, groupId }) => !grants.some((g) => g.teamId === teamId && g.groupId === groupId))
      : [];
    await client.call('PUT /api/admin/users/:id', {
      params: { id: userId },
      body: { ...names, grants: [...kept, ...grants] },
    });
  } else if (what === 'invite') {
    const { id } = await client.call('POST /api/users', {
      body: { ...names, username: `p${count}@tidings.test`, grants },
    });
    if (keeps) await database.pipeline.query('update users set activated_at = created_at where id = $1', [id]);
    world.users.push(id);
  } else if (what === 'disable' || what === 'enable') {
    await client.call(`POST /api/admin/users/:id/${what}`, { params: { id: userId } });
  } else if (what === 'team') {
    await client.call('PUT /api/admin/teams/:id', { params: { id: at(world.teams, target) }, body: team });
  } else if (what === 'addTeam') {
    world.teams.push((await client.call('POST /api/admin/teams', { body: team })).id);
  } else if (what === 'addGroup') {
    const body = {
      name: `Group of ${count}`,
      type: 'PROGRAM' as const,
      facilityType: null,
      state: null,
      timeZone: 'UTC',
      address: null,
      isAutomated: false,
      isPart2Facility: false,
    };
    world.groups.push((await client.call('POST /api/admin/groups', { body })).id);
  } else if (what === 'role') {
    await client.call('PUT /api/admin/roles/:id', {
      params: {
        id: at([...world.roles.filter((id) => !world.standard.includes(id)), at(world.standard, target)], target),
      },
      body: { name: `Role ${count}`, permissions: step.flags },
    });
  } else if (what === 'addRole') {
    world.roles.push(
      (await client.call('POST /api/admin/roles', { body: { name: `Role ${count}`, permissions: step.flags } })).id,
    );
  } else {
    const [row] = await rows<{ username: string }>('select username from users where id = $1', [userId]);
    const username = keeps ? (row?.username ?? '') : `asks${count}@tidings.test`;
    await anonymous(app).call('POST /api/registrations', { body: { ...names, username, groupId } });
    await client.call('POST /api/users/authorize-group', { query: { username, groupId } });
  }
}

/** `newGroups`: the groups that the call added; null for an operator, who may change rights in all groups. */
async function check(
  before: Held[],
  after: Held[],
  callerId: string,
  newGroups: ReadonlySet<string> | null,
): Promise<void> {
  for (const organization of administered(before)) expect(administered(after)).toContain(organization);
  const mine = managedBy(before, callerId);
  for (const groupId of mine) expect(managedBy(after, callerId)).toContain(groupId);
  const [old, now] = [inForce(before), inForce(after)];
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    if (newGroups === null || old.get(key)?.flags === now.get(key)?.flags) continue;
    const groupId = key.split(' ')[2] ?? '';
    expect(
      mine.has(groupId) || newGroups.has(groupId),
      `rights changed in a group that the caller does not manage: ${key}`,
    ).toBe(true);
  }
  const strangers = await rows(`
    select from grants n join users u on u.id = n.user_id join groups g on g.id = n.group_id join teams t on t.id = n.team_id
    where g.organization_id <> u.organization_id or t.organization_id <> u.organization_id`);
  expect(strangers).toEqual([]);
}

const operatorsTeam = await make.team();
const operator = await make.user({ team: operatorsTeam, role: 'administrator', isOperator: true });

test('no sequence of administrative calls leaves an organization without an administrator or reaches beyond the caller’s groups', async () => {
  const done = new Map<string, number>();
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
    const world = await makeWorld();
    for (const each of steps) {
      const before = await rights();
      const callers = [...new Map(before.filter(manages).map((h) => [`${h.userId} ${h.teamId}`, h])).values()].filter(
        ({ userId }) => world.users.includes(userId),
      );
      const caller = each.byOperator
        ? { userId: operator.id, teamId: operatorsTeam.id }
        : (callers[each.caller % callers.length] as Held);
      const client = anonymous(app);
      client.cookies.set('tidings_session', await createSession(database.pipeline, caller.userId, clock.now()));
      client.teamId = caller.teamId;
      const groups = new Set(world.groups);
      try {
        await carryOut(client, world, each);
        done.set(each.what, (done.get(each.what) ?? 0) + 1);
      } catch (error) {
        if (!(error instanceof CallError) || error.status >= 500) throw error;
      }
      const newGroups = new Set(world.groups.filter((id) => !groups.has(id)));
      await check(before, await rights(), caller.userId, each.byOperator ? null : newGroups);
    }
  });
  // The property proves little unless calls of most kinds succeeded, so more worlds run until they have.
  const hasVariety = () => done.size >= 7 && (done.get('user') ?? 0) > 5;
  // No shrinking: each attempt sets up a world.
  await fc.assert(property, { numRuns: 15, endOnFailure: true });
  while (!hasVariety()) await fc.assert(property, { numRuns: 1, endOnFailure: true });
}, 120_000);
