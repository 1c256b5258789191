/** What follows from a provider's groups, against the same rules in plain code, whatever the order of changes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { administration } from '#server/testing/administration.ts';
import { startApp } from '#server/testing/app.ts';
import { followProvider } from './provider-access.ts';

const app = await startApp();
const { make, database, clock } = app;
const { rows } = administration(app);
const db = database.owner;

const USERS = 3;
const TEAMS = 2;
const ROLES = ['viewer', 'clinician', 'administrator'] as const;

interface World {
  /** For each of two provider groups: who is in it, and the role on each team, if any. */
  groups: { members: number[]; access: { team: number; role: number }[] }[];
  /** What administrators granted: a role on a team, for its first group. */
  manual: { user: number; team: number; role: number }[];
  /** Whether the second group of each team is on it. */
  hasSecond: boolean[];
  disabled: number[];
}

const index = (most: number) => fc.integer({ min: 0, max: most - 1 });
const world: fc.Arbitrary<World> = fc.record({
  groups: fc.array(
    fc.record({
      members: fc.uniqueArray(index(USERS), { maxLength: USERS }),
      access: fc.uniqueArray(fc.record({ team: index(TEAMS), role: index(ROLES.length) }), {
        maxLength: TEAMS,
        selector: ({ team }) => team,
      }),
    }),
    { minLength: 2, maxLength: 2 },
  ),
  manual: fc.uniqueArray(fc.record({ user: index(USERS), team: index(TEAMS), role: index(ROLES.length) }), {
    maxLength: 2,
    selector: ({ user, team }) => `${user} ${team}`,
  }),
  hasSecond: fc.array(fc.boolean(), { minLength: TEAMS, maxLength: TEAMS }),
  disabled: fc.uniqueArray(index(USERS), { maxLength: 1 }),
});

test('grants follow the groups of a provider as the rules in plain code say, one world after another', async () => {
  const { id: organizationId } = await make.organization();
  const facilities = [await make.group({ organizationId }), await make.group({ organizationId })].map(({ id }) => id);
  const teams: string[] = [];
  for (let at = 0; at < TEAMS; at += 1) teams.push((await make.team({ organizationId, groupIds: facilities })).id);
  const { id: connectionId } = await make.connection({ organizationId });
  const users: string[] = [];
  for (let at = 0; at < USERS; at += 1) users.push((await make.user({ organizationId })).id);
  const groups = await rows<{ id: string }>(
    `insert into provider_groups (connection_id, display_name, created_at) values ($1, 'One', now()), ($1, 'Two', now()) returning id`,
    [connectionId],
  );
  const roles = await rows<{ id: string; name: string; size: number }>(
    'select id, name, cardinality(permissions) as size from roles where organization_id is null',
  );
  const roleOf = (role: number) => {
    const found = roles.find(({ name }) => name === ROLES[role]);
    if (found === undefined) throw new Error('no such role');
    return found;
  };

  async function settle({ groups: wanted, manual, hasSecond, disabled }: World): Promise<void> {
    await db.query('delete from grants where user_id = any ($1) and not is_provisioned', [users]);
    await db.query('delete from provider_group_members where user_id = any ($1)', [users]);
    await db.query('delete from provider_group_access where team_id = any ($1)', [teams]);
    for (const [at, team] of teams.entries()) {
      if (hasSecond[at])
        await db.query('insert into team_groups values ($1, $2) on conflict do nothing', [team, facilities[1]]);
      else {
        await db.query('delete from grants where team_id = $1 and group_id = $2', [team, facilities[1]]);
        await db.query('delete from team_groups where team_id = $1 and group_id = $2', [team, facilities[1]]);
      }
    }
    for (const [at, { members, access }] of wanted.entries()) {
      const id = groups[at]?.id;
      for (const user of members)
        await db.query('insert into provider_group_members values ($1, $2)', [id, users[user]]);
      for (const { team, role } of access) {
        await db.query('insert into provider_group_access values ($1, $2, $3)', [id, teams[team], roleOf(role).id]);
      }
    }
    for (const { user, team, role } of manual) {
      const values = [users[user], teams[team], facilities[0], roleOf(role).id];
      await db.query('delete from grants where (user_id, team_id, group_id) = ($1, $2, $3)', values.slice(0, 3));
      await db.query('insert into grants (user_id, team_id, group_id, role_id) values ($1, $2, $3, $4)', values);
    }
    const off = disabled.map((user) => users[user]);
    await db.query('update users set disabled_at = case when id = any ($2) then now() end where id = any ($1)', [
      users,
      off,
    ]);
  }

  /** User, team, facility and role of every grant that follows. */
  function expected({ groups: wanted, manual, hasSecond }: World): string[] {
    const found: string[] = [];
    for (const [user, userId] of users.entries()) {
      if (manual.some((grant) => grant.user === user && ROLES[grant.role] === 'administrator')) continue;
      for (const [team, teamId] of teams.entries()) {
        const given = wanted
          .filter(({ members }) => members.includes(user))
          .flatMap(({ access }) => access.filter((each) => each.team === team && ROLES[each.role] !== 'administrator'))
          .map(({ role }) => roleOf(role))
          .sort((a, b) => b.size - a.size)[0];
        if (given === undefined) continue;
        const isTaken = manual.some((grant) => grant.user === user && grant.team === team);
        if (!isTaken) found.push(`${userId} ${teamId} ${facilities[0]} ${given.id}`);
        if (hasSecond[team]) found.push(`${userId} ${teamId} ${facilities[1]} ${given.id}`);
      }
    }
    return found.sort();
  }

  const provisioned = async () =>
    (
      await rows<{ grant: string }>(
        `select concat_ws(' ', user_id, team_id, group_id, role_id) as grant from grants where user_id = any ($1) and is_provisioned`,
        [users],
      )
    )
      .map(({ grant }) => grant)
      .sort();

  await fc.assert(
    fc.asyncProperty(world, async (next) => {
      const before = await provisioned();
      await settle(next);
      const changes = await followProvider(db, { organizationId }, clock.now());
      const after = await provisioned();
      expect(after).toEqual(expected(next));
      // What it says changed is what did, apart from grants that an administrator's own replaced.
      const told = (part: 'before' | 'after') =>
        changes
          .filter((each) => each[part] !== null)
          .map((each) => `${each.userId} ${each.teamId} ${each.groupId} ${each[part]}`);
      expect(told('after').sort()).toEqual(after.filter((grant) => told('after').includes(grant)));
      expect(after.filter((grant) => !before.includes(grant)).every((grant) => told('after').includes(grant))).toBe(
        true,
      );
      expect(await followProvider(db, { organizationId }, clock.now())).toEqual([]);
    }),
    { numRuns: 60 },
  );
}, 120_000);
