import type { AdminTeam, DirectoryTeam, TeamFields } from '#contract/admin.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql, versionOf } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { isOwn, organizationFor, type Scope } from '../admin-scope.ts';
import { countPages, namedLike, type PagedNames, pageOf } from '../paged.ts';
import { oneRow } from './one-row.ts';

/** Throws NOT_FOUND. */
export async function organizationOfTeam(db: Queryable, teamId: string): Promise<string> {
  const team = await oneRow<{ organizationId: string }>(
    db,
    sql`select organization_id as "organizationId" from teams where id = ${teamId} and ended_at is null`,
  );
  return team.organizationId;
}

const teams = (scope: Scope, where: Sql, limits: Sql = sql``): Sql => sql`
  select t.id, t.name, t.abbreviation, t.type, tg.ids as "groupIds",
    (select count(distinct n.user_id)::int from grants n where n.team_id = t.id) as "memberCount",
    ${organizationFor(scope, sql`t.organization_id`)} as organization,
    ${versionOf(sql`t.name, t.abbreviation, t.type, tg.ids`)} as version
  from teams t cross join lateral (
    select array(select group_id::text from team_groups where team_id = t.id order by group_id) as ids) tg
  where t.ended_at is null and ${where} order by t.name, t.id ${limits}`;

/** Returns a page of the teams with this text in their names, by name. */
export async function listTeams(db: Queryable, scope: Scope, filters: PagedNames) {
  const where = sql`${isOwn(scope, sql`t.organization_id`)} and ${namedLike(sql`t.name`, filters)}`;
  const { rows } = await db.query<AdminTeam>(teams(scope, where, pageOf(filters)));
  const count = sql`select count(*)::int as total from teams t where t.ended_at is null and ${where}`;
  return { teams: rows, ...(await countPages(db, count, filters)) };
}

/** Returns what forms choose from, by name, each with the ids of its groups. */
export const teamNames = async (db: Queryable, scope: Scope): Promise<DirectoryTeam[]> =>
  (
    await db.query<DirectoryTeam>(sql`
      select t.id, t.name, ${organizationFor(scope, sql`t.organization_id`)} as organization,
        array(select group_id::text from team_groups where team_id = t.id order by group_id) as "groupIds"
      from teams t where t.ended_at is null and ${isOwn(scope, sql`t.organization_id`)} order by t.name, t.id`)
  ).rows;

/** Throws NOT_FOUND for a team of another organization. */
export const findTeam = (db: Queryable, scope: Scope, id: string): Promise<AdminTeam> =>
  oneRow(db, teams(scope, sql`t.id = ${id} and ${isOwn(scope, sql`t.organization_id`)}`));

export async function updateTeam(db: Queryable, id: string, team: TeamFields): Promise<void> {
  await db.query(sql`
    update teams set name = ${team.name}, abbreviation = ${team.abbreviation}, type = ${team.type} where id = ${id}`);
  await db.query(sql`
    insert into team_groups (team_id, group_id) select ${id}, unnest(${team.groupIds}::bigint[]) on conflict do nothing`);
}

/** Takes the groups off the team, with the grants that its members held for them. Returns those members. */
export async function removeTeamGroups(db: Queryable, id: string, groupIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>(sql`
    delete from grants where team_id = ${id} and group_id = any (${groupIds}::bigint[]) returning user_id`);
  await db.query(sql`delete from team_groups where team_id = ${id} and group_id = any (${groupIds}::bigint[])`);
  return rows.map(({ user_id }) => user_id);
}

/** Throws NOT_FOUND if one of the groups belongs to another organization. */
export async function checkGroupsOf(db: Queryable, organizationId: string, groupIds: readonly string[]): Promise<void> {
  const { rowCount } = await db.query(
    sql`select from groups
      where id = any (${groupIds}::bigint[]) and organization_id = ${organizationId} and ended_at is null`,
  );
  if (rowCount < new Set(groupIds).size) throw new ApiError('NOT_FOUND');
}

/** Closes a team that no longer has members. */
export async function closeTeam(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query(sql`update teams set ended_at = ${now} where id = ${id}`);
  await db.query(sql`delete from team_groups where team_id = ${id}`);
  await db.query(sql`update users set default_team_id = null where default_team_id = ${id}`);
}

/** Returns how many people hold a grant on the team or through the role, counting disabled accounts, which may be enabled again. */
export async function countHolders(db: Queryable, of: { teamId: string } | { roleId: string }): Promise<number> {
  const where: Sql = 'teamId' in of ? sql`team_id = ${of.teamId}` : sql`role_id = ${of.roleId}`;
  const { rows } = await db.query<{ people: number }>(
    sql`select count(distinct user_id)::int as people from grants where ${where}`,
  );
  return rows[0]?.people ?? 0;
}
