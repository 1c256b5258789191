import type { AdminGroup, AdminRole, AdminTeam, GroupFields, RoleFields, TeamFields } from '#contract/admin.ts';
import { letsManage } from '#server/people/access/actor.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql, versionOf } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { isOwn, organizationFor, type Scope } from './admin-scope.ts';

async function one<R extends object>(db: Queryable, statement: Sql): Promise<R> {
  const { rows } = await db.query<R>(statement);
  if (rows[0] === undefined) throw new ApiError('NOT_FOUND');
  return rows[0];
}

/** Throws NOT_FOUND. */
export async function organizationOfTeam(db: Queryable, teamId: string): Promise<string> {
  return (
    await one<{ id: string }>(
      db,
      sql`select organization_id as id from teams where id = ${teamId} and ended_at is null`,
    )
  ).id;
}

/** Throws NOT_FOUND. */
export async function organizationOfGroup(db: Queryable, groupId: string): Promise<string> {
  return (
    await one<{ id: string }>(
      db,
      sql`select organization_id as id from groups where id = ${groupId} and ended_at is null`,
    )
  ).id;
}

// ───── teams

const teams = (scope: Scope, where: Sql): Sql => sql`
  select t.id, t.name, t.abbreviation, t.type, tg.ids as "groupIds",
    (select count(distinct n.user_id)::int from grants n where n.team_id = t.id) as "memberCount",
    ${organizationFor(scope, sql`t.organization_id`)} as organization,
    ${versionOf(sql`t.name, t.abbreviation, t.type, tg.ids`)} as version
  from teams t cross join lateral (
    select array(select group_id::text from team_groups where team_id = t.id order by group_id) as ids) tg
  where t.ended_at is null and ${where} order by t.name, t.id`;

export const listTeams = async (db: Queryable, scope: Scope): Promise<AdminTeam[]> =>
  (await db.query<AdminTeam>(teams(scope, isOwn(scope, sql`t.organization_id`)))).rows;

/** Throws NOT_FOUND where it is of another organisation. */
export const findTeam = (db: Queryable, scope: Scope, id: string): Promise<AdminTeam> =>
  one(db, teams(scope, sql`t.id = ${id} and ${isOwn(scope, sql`t.organization_id`)}`));

export async function updateTeam(db: Queryable, id: string, team: TeamFields): Promise<void> {
  await db.query(sql`
    update teams set name = ${team.name}, abbreviation = ${team.abbreviation}, type = ${team.type} where id = ${id}`);
  await db.query(sql`
    insert into team_groups (team_id, group_id) select ${id}, unnest(${team.groupIds}::bigint[]) on conflict do nothing`);
}

/** The team no longer works for these groups; what its members held for them goes. Returns those members. */
export async function removeTeamGroups(db: Queryable, id: string, groupIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>(sql`
    delete from grants where team_id = ${id} and group_id = any (${groupIds}::bigint[]) returning user_id`);
  await db.query(sql`delete from team_groups where team_id = ${id} and group_id = any (${groupIds}::bigint[])`);
  return rows.map(({ user_id }) => user_id);
}

/** Throws NOT_FOUND where one of the groups is of another organisation. */
export async function checkGroupsOf(db: Queryable, organizationId: string, groupIds: readonly string[]): Promise<void> {
  const { rowCount } = await db.query(
    sql`select from groups
      where id = any (${groupIds}::bigint[]) and organization_id = ${organizationId} and ended_at is null`,
  );
  if (rowCount < new Set(groupIds).size) throw new ApiError('NOT_FOUND');
}

// ───── groups

const groups = (scope: Scope, where: Sql): Sql => sql`
  select g.id, g.name, g.type, g.facility_type as "facilityType", g.state, g.time_zone as "timeZone", g.address,
    g.is_automated as "isAutomated", g.is_part2_facility as "isPart2Facility",
    ${organizationFor(scope, sql`g.organization_id`)} as organization,
    ${versionOf(sql`g.name, g.type, g.facility_type, g.state, g.time_zone, g.address, g.is_automated, g.is_part2_facility`)} as version
  from groups g where g.ended_at is null and ${where} order by g.name, g.id`;

export const listGroups = async (db: Queryable, scope: Scope): Promise<AdminGroup[]> =>
  (await db.query<AdminGroup>(groups(scope, isOwn(scope, sql`g.organization_id`)))).rows;

/** Throws NOT_FOUND where it is of another organisation. */
export const findGroup = (db: Queryable, scope: Scope, id: string): Promise<AdminGroup> =>
  one(db, groups(scope, sql`g.id = ${id} and ${isOwn(scope, sql`g.organization_id`)}`));

export async function updateGroup(db: Queryable, id: string, group: GroupFields): Promise<void> {
  await db.query(sql`
    update groups set name = ${group.name}, type = ${group.type}, facility_type = ${group.facilityType},
      state = ${group.state || null}, time_zone = ${group.timeZone}, address = ${group.address || null},
      is_automated = ${group.isAutomated}, is_part2_facility = ${group.isPart2Facility}
    where id = ${id}`);
}

/** Whether stays were reported by the group, or a feed names it. */
export async function reportsStays(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select where exists (select from encounters where group_id = ${id})
      or exists (select from feed_facilities ff join feeds f on f.id = ff.feed_id
        where ff.group_id = ${id} and f.ended_at is null)`);
  return rowCount > 0;
}

/**
 * Puts a new group into the team in which its creator is at work, with the rights there that let him or her manage users: it is the
 * creator's to manage from the first.
 */
export async function adoptGroup(db: Queryable, groupId: string, userId: string, teamId: string): Promise<void> {
  await db.query(sql`insert into team_groups (team_id, group_id) values (${teamId}, ${groupId})`);
  const { rowCount } = await db.query(sql`
    insert into grants (user_id, team_id, group_id, role_id, added, removed)
    select n.user_id, n.team_id, ${groupId}, n.role_id, n.added, n.removed
    from grants n join roles r on r.id = n.role_id
    where n.user_id = ${userId} and n.team_id = ${teamId}
      and ${letsManage}
    order by n.group_id limit 1`);
  if (rowCount === 0) throw new ApiError('NOT_PERMITTED');
}

// ───── roles

const roles = (scope: Scope, where: Sql): Sql => sql`
  select r.id, r.name, r.permissions, r.organization_id is null as "isStandard",
    (select count(distinct n.user_id)::int from grants n join users u on u.id = n.user_id
     where n.role_id = r.id and ${isOwn(scope, sql`u.organization_id`)}) as "userCount",
    ${organizationFor(scope, sql`r.organization_id`)} as organization, ${versionOf(sql`r.name, r.permissions`)} as version
  from roles r where r.ended_at is null and ${where} order by r.organization_id nulls first, r.id`;

export const listRoles = async (db: Queryable, scope: Scope): Promise<AdminRole[]> =>
  (await db.query<AdminRole>(roles(scope, sql`(r.organization_id is null or ${isOwn(scope, sql`r.organization_id`)})`)))
    .rows;

/** Throws NOT_FOUND where it is of another organisation. */
export const findRole = (db: Queryable, scope: Scope, id: string): Promise<AdminRole> =>
  one(db, roles(scope, sql`r.id = ${id} and (r.organization_id is null or ${isOwn(scope, sql`r.organization_id`)})`));

export async function insertRole(db: Queryable, organizationId: string, role: RoleFields): Promise<string> {
  const { id } = await one<{ id: string }>(
    db,
    sql`insert into roles (organization_id, name, permissions) values (${organizationId}, ${role.name}, ${role.permissions})
      returning id`,
  );
  return id;
}

export async function updateRole(db: Queryable, id: string, role: RoleFields): Promise<void> {
  await db.query(sql`update roles set name = ${role.name}, permissions = ${role.permissions} where id = ${id}`);
}

/** Who holds the role, for which groups. */
export async function findHolders(db: Queryable, roleId: string): Promise<{ userId: string; groupId: string }[]> {
  const { rows } = await db.query<{ userId: string; groupId: string }>(
    sql`select user_id as "userId", group_id as "groupId" from grants where role_id = ${roleId}`,
  );
  return rows;
}
