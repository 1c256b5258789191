import type { EndedGroup } from '#contract/admin.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

/** What still needs a group; each is 0, or empty, where nothing does. */
export interface GroupNeeds {
  /** People listed now. */
  listed: number;
  openPings: number;
  openStays: number;
  /** Feeds that name it. */
  feeds: number;
  /** Uploads of its roster that are not finished. */
  uploads: number;
  /** People with access for it, without the administrator. */
  people: number;
  /** Teams that work for no other group. */
  teams: string[];
}

const FINISHED_UPLOADS = ['DONE', 'FAILED', 'CANCELLED'];

/** `userId`: the administrator, whose own access does not count. The group is his or hers to manage. */
export async function needsOfGroup(db: Queryable, id: string, userId: string): Promise<GroupNeeds> {
  // Row-level security goes by the selected team; this group may be the administrator's in another one.
  await db.query(sql`select set_config('tidings.group_ids', ${`{${id}}`}, true)`);
  const { rows } = await db.query<GroupNeeds>(sql`
    select
      (select count(*)::int from roster_patients where group_id = ${id} and left_at is null) as listed,
      (select count(*)::int from pings
        where group_id = ${id} and management_status in ('NEW', 'IN_PROGRESS') and state <> 'CANCELLED') as "openPings",
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
  return rows[0] as GroupNeeds;
}

/** No team works for the group any more, and who asked to join it waits no longer. Returns those teams. */
export async function endGroup(db: Queryable, id: string, by: { userId: string; now: Date }): Promise<string[]> {
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

export async function findEndedGroups(db: Queryable, organizationId: string): Promise<EndedGroup[]> {
  const { rows } = await db.query<EndedGroup>(sql`
    select id, name, type, facility_type as "facilityType", ended_at as "endedDate" from groups
    where organization_id = ${organizationId} and ended_at is not null order by ended_at desc, id desc`);
  return rows;
}

/** The group alone: teams, access, listings and feeds that it had are not brought back. */
export async function reopenGroup(db: Queryable, id: string): Promise<void> {
  await db.query(sql`update groups set ended_at = null where id = ${id}`);
}

/** Nobody is in the team by now. */
export async function endTeam(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query(sql`update teams set ended_at = ${now} where id = ${id}`);
  await db.query(sql`delete from team_groups where team_id = ${id}`);
  await db.query(sql`update users set default_team_id = null where default_team_id = ${id}`);
}

export async function endRole(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query(sql`update roles set ended_at = ${now} where id = ${id}`);
}

/** How many people hold something in a team, or by a role; disabled ones too, who may come back. */
export async function countHolders(db: Queryable, of: { teamId: string } | { roleId: string }): Promise<number> {
  const where: Sql = 'teamId' in of ? sql`team_id = ${of.teamId}` : sql`role_id = ${of.roleId}`;
  const { rows } = await db.query<{ people: number }>(
    sql`select count(distinct user_id)::int as people from grants where ${where}`,
  );
  return rows[0]?.people ?? 0;
}
