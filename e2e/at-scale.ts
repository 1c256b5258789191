import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** How much of each a large organization has. */
export const SCALE = { groups: 400, teams: 60, groupsOfTeam: 12, users: 3000, savedFilters: 60 } as const;

/** A name of 120 letters. */
export const LONG_NAME =
  'Saint Bartholomew and Saint Hildegard Regional Medical Center of Greater Northern Lakeshore and Its Surrounding Counties';

/** Facilities on `teamId`, the first one with the long name, and other teams, each with some of them. */
async function addGroups(db: Database, organizationId: string, teamId: string): Promise<void> {
  await db.query(sql`
    with added as (
      insert into groups (organization_id, name, type, facility_type, state, time_zone, is_automated, created_at)
      select ${organizationId}, case when n = 1 then ${LONG_NAME} else 'Facility ' || lpad(n::text, 3, '0') || ' of team ' || ${teamId} end,
        'SNF', 'SNF', 'MI', 'America/Detroit', true, ${new Date()}
      from generate_series(1, ${SCALE.groups}::int) n returning id)
    insert into team_groups (team_id, group_id) select ${teamId}, id from added`);
  await db.query(sql`
    with added as (
      insert into teams (organization_id, name, abbreviation, type, created_at)
      select ${organizationId}, case when n = 1 then ${LONG_NAME} else 'Shift ' || lpad(n::text, 2, '0') || ' of team ' || ${teamId} end, 'S' || n, 'SNF', ${new Date()}
      from generate_series(1, ${SCALE.teams}::int) n returning id)
    insert into team_groups (team_id, group_id)
    select added.id, g.group_id
    from added cross join lateral (
      select group_id from team_groups where team_id = ${teamId}
      order by sha256((added.id || ' ' || group_id)::text::bytea) limit ${SCALE.groupsOfTeam}) g`);
}

/** Colleagues on the team, each with access to some of its groups. */
async function addUsers(db: Database, organizationId: string, teamId: string, userId: string): Promise<void> {
  await db.query(sql`
    with added as (
      insert into users (organization_id, username, first_name, last_name, application_experience, created_at, activated_at)
      select ${organizationId}, 'colleague' || n || '.' || ${teamId} || '@lakeside.example', 'Colleague', 'Number ' || lpad(n::text, 4, '0'),
        'JANUS', ${new Date()}, ${new Date()}
      from generate_series(1, ${SCALE.users}::int) n returning id)
    insert into grants (user_id, team_id, group_id, role_id)
    select added.id, ${teamId}, g.group_id, (select id from roles where name = 'viewer' and organization_id is null)
    from added cross join lateral (
      select group_id from team_groups where team_id = ${teamId} order by group_id offset added.id % 300 limit 3) g`);
  await db.query(sql`
    insert into grants (user_id, team_id, group_id, role_id, added, removed)
    select n.user_id, n.team_id, g.group_id, n.role_id, n.added, n.removed
    from (select * from grants where user_id = ${userId} and team_id = ${teamId} limit 1) n
      join team_groups g on g.team_id = n.team_id
    on conflict do nothing`);
}

/** Saved filters of the user on the team, the first one with the long name. */
async function addSavedFilters(db: Database, teamId: string, userId: string): Promise<void> {
  await db.query(sql`
    insert into saved_filters (user_id, team_id, name, order_num, parameters, created_at, updated_at)
    select ${userId}, ${teamId}, case when n = 1 then ${LONG_NAME} else 'Saved filter ' || n end,
      n + coalesce((select max(order_num) from saved_filters where user_id = ${userId} and team_id = ${teamId}), 0),
      '{}', ${new Date()}, ${new Date()}
    from generate_series(1, ${SCALE.savedFilters}::int) n`);
}

/**
 * Fills an organization: `SCALE.groups` facilities, all of them on the team, with other teams that share them, colleagues, and saved filters of
 * the user. The user gets the same access to every group of the team as to its first one.
 */
export async function fillOrganization(
  db: Database,
  { organizationId, teamId, userId }: { organizationId: string; teamId: string; userId: string },
): Promise<void> {
  await addGroups(db, organizationId, teamId);
  await addUsers(db, organizationId, teamId, userId);
  await addSavedFilters(db, teamId, userId);
}
