import type { AdminGroup, DirectoryGroup, EndedGroup, Grant, GroupFields } from '#contract/admin.ts';
import { letsManage } from '#server/people/access/actor.ts';
import { mayReadPing } from '#server/people/access/policy.ts';
import { auditOpenings, OPENING_CELLS, type OpeningCells } from '#server/people/audit/openings.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql, versionOf } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { isOwn, organizationFor, type Scope } from '../admin-scope.ts';
import { countPages, namedLike, type PagedNames, pageOf } from '../paged.ts';
import { oneRow } from './one-row.ts';

/** Throws NOT_FOUND. */
export async function organizationOfGroup(db: Queryable, groupId: string): Promise<string> {
  const group = await oneRow<{ organizationId: string }>(
    db,
    sql`select organization_id as "organizationId" from groups where id = ${groupId} and ended_at is null`,
  );
  return group.organizationId;
}

/** SQL: patients could be entered by hand at `groups g`, if an operator had approved it. */
const WAITS = sql`(g.type <> 'PROGRAM' and not g.is_automated and g.approved_at is null)`;

const groups = (scope: Scope, where: Sql, limits: Sql = sql``): Sql => sql`
  select g.id, g.name, g.type, g.facility_type as "facilityType", g.state, g.time_zone as "timeZone", g.address,
    g.is_automated as "isAutomated", g.is_part2_facility as "isPart2Facility",
    ${WAITS} as "waitsForApproval", ${scope.isOperator} and ${WAITS} as "canApprove",
    ${scope.isOperator} and g.is_part2_facility as "canLiftPart2",
    case when ${scope.isOperator} then (select u.first_name || ' ' || u.last_name from users u where u.id = g.asked_by) end as "askedBy",
    ${organizationFor(scope, sql`g.organization_id`)} as organization,
    ${versionOf(sql`g.name, g.type, g.facility_type, g.state, g.time_zone, g.address, g.is_automated, g.is_part2_facility`)} as version
  from groups g where g.ended_at is null and ${where} order by g.name, g.id ${limits}`;

export interface GroupFilters extends PagedNames {
  /** Only those that the administrator may approve now. */
  canApprove?: 'true' | undefined;
}

/** Returns a page of the groups with this text in their names, by name. */
export async function listGroups(db: Queryable, scope: Scope, filters: GroupFilters) {
  const where = sql`${isOwn(scope, sql`g.organization_id`)} and ${namedLike(sql`g.name`, filters)}
    and (not ${filters.canApprove === 'true'} or (${scope.isOperator} and ${WAITS}))`;
  const { rows } = await db.query<AdminGroup>(groups(scope, where, pageOf(filters)));
  const count = sql`select count(*)::int as total from groups g where g.ended_at is null and ${where}`;
  return { groups: rows, ...(await countPages(db, count, filters)) };
}

/** Returns what forms choose from, by name. */
export const groupNames = async (db: Queryable, scope: Scope): Promise<DirectoryGroup[]> =>
  (
    await db.query<DirectoryGroup>(sql`
      select g.id, g.name, g.type, g.time_zone as "timeZone", ${organizationFor(scope, sql`g.organization_id`)} as organization
      from groups g where g.ended_at is null and ${isOwn(scope, sql`g.organization_id`)} order by g.name, g.id`)
  ).rows;

/** Throws NOT_FOUND for a group of another organization. */
export const findGroup = (db: Queryable, scope: Scope, id: string): Promise<AdminGroup> =>
  oneRow(db, groups(scope, sql`g.id = ${id} and ${isOwn(scope, sql`g.organization_id`)}`));

/** Returns the names of all facilities of other organizations. */
export async function namesElsewhere(db: Queryable, organizationId: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(sql`
    select g.name from groups g where g.type <> 'PROGRAM' and g.ended_at is null and g.organization_id <> ${organizationId}`);
  return rows.map(({ name }) => name);
}

export async function updateGroup(db: Queryable, id: string, group: GroupFields): Promise<void> {
  await db.query(sql`
    update groups set name = ${group.name}, type = ${group.type}, facility_type = ${group.facilityType},
      state = ${group.state || null}, time_zone = ${group.timeZone}, address = ${group.address || null},
      is_automated = ${group.isAutomated}, is_part2_facility = ${group.isPart2Facility}
    where id = ${id}`);
}

/** Records whom the end of the facility's Part 2 mark lets read its visits, and returns how many people and visits. Only for operators. */
export async function recordPart2Lifted(
  db: Queryable,
  id: string,
  { userId, now }: { userId: string; now: Date },
): Promise<{ persons: number; visits: number }> {
  const { rows } = await db.query<OpeningCells & { personId: string; visits: number }>(sql`
    select id, person_id as "personId", foreign_visits as visits, ${OPENING_CELLS} as cells
    from record_part2_lifted(${id}, ${userId}, ${now})`);
  await auditOpenings(db, rows, { now, userId });
  return {
    persons: new Set(rows.map(({ personId }) => personId)).size,
    visits: rows.reduce((sum, { visits }) => sum + visits, 0),
  };
}

/** `by`: the operator who approves the group; null if it waits for one. */
export async function setApproved(db: Queryable, id: string, by: string | null, now: Date): Promise<void> {
  await db.query(sql`
    update groups set approved_at = ${by === null ? null : now}, approved_by = ${by} where id = ${id}`);
}

/** Records who asks an operator to approve manual entry. */
export async function setAskedBy(db: Queryable, id: string, userId: string): Promise<void> {
  await db.query(sql`update groups set asked_by = ${userId} where id = ${id}`);
}

/** Returns who last asked an operator to approve manual entry at the group. */
export async function askerOf(db: Queryable, id: string): Promise<string | null> {
  const { rows } = await db.query<{ userId: string | null }>(
    sql`select asked_by as "userId" from groups where id = ${id}`,
  );
  return rows[0]?.userId ?? null;
}

/** Row-level security goes by the selected team, but the administrator may manage this group on another one. */
async function actForGroup(db: Queryable, id: string): Promise<void> {
  await db.query(sql`select set_config('tidings.group_ids', ${`{${id}}`}, true)`);
}

/** Returns whether the group has reported stays, or a feed names it. */
export async function reportsStays(db: Queryable, id: string): Promise<boolean> {
  await actForGroup(db, id);
  const { rowCount } = await db.query(sql`
    select where exists (select from encounters where group_id = ${id})
      or exists (select from feed_facilities ff join feeds f on f.id = ff.feed_id
        where ff.group_id = ${id} and f.ended_at is null)`);
  return rowCount > 0;
}

/** Keeps what a provider's groups give on the team from counting for the group, until `giveAccess`. */
export async function withholdAccess(db: Queryable, { teamId, groupId }: { teamId: string; groupId: string }) {
  await db.query(sql`update team_groups set gives_access = false where (team_id, group_id) = (${teamId}, ${groupId})`);
}

/** Returns whether that was withheld. */
export async function giveAccess(db: Queryable, { teamId, groupId }: { teamId: string; groupId: string }) {
  const { rowCount } = await db.query(sql`
    update team_groups set gives_access = true where (team_id, group_id) = (${teamId}, ${groupId}) and not gives_access`);
  return rowCount > 0;
}

/**
 * Puts a new or reopened group on the team that the administrator has selected. Returns the grant that would give them the same there as
 * they hold for another group of the team. Throws NOT_PERMITTED if they manage no group of the team.
 */
export async function adoptGroup(db: Queryable, groupId: string, userId: string, teamId: string): Promise<Grant> {
  await db.query(sql`insert into team_groups (team_id, group_id) values (${teamId}, ${groupId})`);
  const { rows } = await db.query<Omit<Grant, 'groupId'>>(sql`
    select n.team_id as "teamId", n.role_id as "roleId", n.added, n.removed
    from grants n join roles r on r.id = n.role_id
    where n.user_id = ${userId} and n.team_id = ${teamId}
      and ${letsManage}
    order by n.group_id limit 1`);
  if (rows[0] === undefined) throw new ApiError('NOT_PERMITTED');
  return { ...rows[0], groupId };
}

/** Gives the user canManageUsers by this grant, and nothing else that it contains. */
export async function grantManagement(db: Queryable, userId: string, grant: Grant): Promise<void> {
  await db.query(sql`
    insert into grants (user_id, team_id, group_id, role_id, added, removed)
    select ${userId}, ${grant.teamId}, ${grant.groupId}, id, ${grant.added},
      array(select unnest(permissions || ${grant.added}::text[]) except select 'canManageUsers')
    from roles where id = ${grant.roleId}`);
}

/** What still uses a group; each is 0 or empty if nothing does. */
export interface GroupUses {
  /** People on its roster now. */
  listed: number;
  openPings: number;
  openStays: number;
  /** Feeds that name it. */
  feeds: number;
  /** Uploads of its roster that are not finished. */
  uploads: number;
  /** People with access to it, without the administrator. */
  people: number;
  /** Names of the teams that work for no other group. */
  teams: string[];
}

const FINISHED_UPLOADS = ['DONE', 'FAILED', 'CANCELLED'];

/** Returns what still uses a group of the administrator's. `userId`: the administrator, whose own access does not count. */
export async function usesOfGroup(db: Queryable, id: string, userId: string): Promise<GroupUses> {
  await actForGroup(db, id);
  const { rows } = await db.query<GroupUses>(sql`
    select
      (select count(*)::int from roster_patients where group_id = ${id} and left_at is null) as listed,
      (select count(*)::int from pings p
        where p.group_id = ${id} and p.management_status in ('NEW', 'IN_PROGRESS') and p.state <> 'CANCELLED'
          and ${mayReadPing}) as "openPings",
      (select count(*)::int from encounters where group_id = ${id} and status in ('PLANNED', 'IN_PROGRESS', 'ON_LEAVE')) as "openStays",
      (select count(distinct f.id)::int from feed_facilities ff join feeds f on f.id = ff.feed_id and f.ended_at is null
        where ff.group_id = ${id}) as feeds,
      (select count(*)::int from roster_uploads
        where group_id = ${id} and status <> all (${FINISHED_UPLOADS}::text[])) as uploads,
      (select count(distinct user_id)::int from grants where group_id = ${id} and user_id <> ${userId}) as people,
      array(select t.name from team_groups tg join teams t on t.id = tg.team_id
        where tg.group_id = ${id}
          and not exists (select from team_groups other where other.team_id = t.id and other.group_id <> ${id})
        order by t.name) as teams`);
  return rows[0] as GroupUses;
}

/** Closes the group, declines its pending access requests and takes it off its teams. Returns those teams. */
export async function closeGroup(db: Queryable, id: string, by: { userId: string; now: Date }): Promise<string[]> {
  await db.query(sql`update groups set ended_at = ${by.now} where id = ${id}`);
  await db.query(sql`
    update access_requests set decided_at = ${by.now}, decided_by = ${by.userId}, is_granted = false
    where group_id = ${id} and decided_at is null`);
  await db.query(sql`delete from grants where group_id = ${id}`);
  const { rows } = await db.query<{ team_id: string }>(
    sql`delete from team_groups where group_id = ${id} returning team_id`,
  );
  return rows.map(({ team_id }) => team_id);
}

export async function findClosedGroups(db: Queryable, organizationId: string): Promise<EndedGroup[]> {
  const { rows } = await db.query<EndedGroup>(sql`
    select id, name, type, facility_type as "facilityType", ended_at as "endedDate" from groups
    where organization_id = ${organizationId} and ended_at is not null order by ended_at desc, id desc`);
  return rows;
}

/** Reopens the group alone; its former teams, access, roster and feeds do not come back. */
export async function reopenGroup(db: Queryable, id: string): Promise<void> {
  await db.query(sql`update groups set ended_at = null where id = ${id}`);
}
