/** What members of an identity provider's groups may do (docs/decisions/0099). */
import { letsManage } from '#server/people/access/actor.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { publishRightsChanged } from '../administer.ts';

/** A grant that came, went or changed. */
export interface AccessChange {
  userId: string;
  teamId: string;
  groupId: string;
  /** Null if there was none before, or is none now. */
  before: string | null;
  after: string | null;
}

/** Whose grants follow: everyone's of the organization, or only these users', if nothing else can have changed. */
export interface Followed {
  organizationId: string;
  userIds?: readonly string[] | undefined;
}

const isOneOf = (userIds: readonly string[] | undefined, column: Sql): Sql =>
  userIds === undefined ? sql`true` : sql`${column} = any (${userIds}::bigint[])`;

/**
 * SQL: what follows from memberships in an organization: for every group of a team the role with the most permissions. Those who manage users
 * get nothing in this way, and no role that lets them: that stays with administrators (docs/decisions/0034). What an administrator granted
 * at the same place stands.
 */
const wanted = ({ organizationId, userIds }: Followed): Sql => sql`
  select distinct on (m.user_id, a.team_id, tg.group_id) m.user_id, a.team_id, tg.group_id, a.role_id
  from sso_connections c
    join provider_groups p on p.connection_id = c.id
    join provider_group_access a on a.provider_group_id = p.id
    join provider_group_members m on m.provider_group_id = p.id
    join users u on u.id = m.user_id and u.organization_id = c.organization_id and not u.is_operator and u.deprovisioned_at is null
    join teams t on t.id = a.team_id and t.organization_id = c.organization_id and t.ended_at is null
    join team_groups tg on tg.team_id = t.id and tg.gives_access
    join groups g on g.id = tg.group_id and g.organization_id = c.organization_id
    join roles r on r.id = a.role_id and r.ended_at is null and (r.organization_id is null or r.organization_id = c.organization_id)
      and not 'canManageUsers' = any (r.permissions)
  where c.organization_id = ${organizationId} and ${isOneOf(userIds, sql`m.user_id`)}
    and not exists (
      select from grants n join roles r on r.id = n.role_id
      where n.user_id = m.user_id and not n.is_provisioned and ${letsManage})
    and not exists (
      select from grants n
      where (n.user_id, n.team_id, n.group_id) = (m.user_id, a.team_id, tg.group_id) and not n.is_provisioned)
  order by m.user_id, a.team_id, tg.group_id, cardinality(r.permissions) desc, a.role_id`;

/**
 * Makes the grants of an organization follow the groups of its identity provider and tells the open pages of whoever is concerned. Returns what
 * changed. Runs after every change of a membership, of what a group gives, or of a team's groups.
 */
export async function followProvider(db: Queryable, followed: Followed, now: Date): Promise<AccessChange[]> {
  if (followed.userIds !== undefined && !(await areInGroups(db, followed.userIds))) return [];
  const { rows: ended } = await db.query<AccessChange>(sql`
    with wanted as (${wanted(followed)})
    delete from grants n using users u
    where u.id = n.user_id and u.organization_id = ${followed.organizationId} and n.is_provisioned
      and ${isOneOf(followed.userIds, sql`n.user_id`)}
      and (n.user_id, n.team_id, n.group_id) not in (select user_id, team_id, group_id from wanted)
    returning n.user_id as "userId", n.team_id as "teamId", n.group_id as "groupId", n.role_id as before, null as after`);
  const { rows: given } = await db.query<AccessChange>(sql`
    with wanted as (${wanted(followed)}),
      changed as (
        select w.*, n.role_id as before from wanted w left join grants n using (user_id, team_id, group_id)
        where n.role_id is distinct from w.role_id),
      written as (
        insert into grants (user_id, team_id, group_id, role_id, is_provisioned)
        select user_id, team_id, group_id, role_id, true from changed
        on conflict (user_id, team_id, group_id) do update set role_id = excluded.role_id)
    select user_id as "userId", team_id as "teamId", group_id as "groupId", before, role_id as after from changed`);
  const changes = [...ended, ...given];
  const userIds = changes.map(({ userId }) => userId);
  if (userIds.length > 0) await publishRightsChanged({ tx: db, now }, userIds);
  return changes;
}

/** Returns whether one of the users is in a group, or holds what one gave. To plan what follows takes longer than to find out. */
async function areInGroups(db: Queryable, userIds: readonly string[]): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select where exists (select from provider_group_members where user_id = any (${userIds}::bigint[]))
      or exists (select from grants where user_id = any (${userIds}::bigint[]) and is_provisioned)`);
  return rowCount > 0;
}

/** Returns changes by user, as an entry of the audit log has them. */
export function accessByUser(changes: readonly AccessChange[]): Map<string, { before: object[]; after: object[] }> {
  const byUser = new Map<string, { before: object[]; after: object[] }>();
  for (const { userId, teamId, groupId, before, after } of changes) {
    const of = byUser.get(userId) ?? { before: [], after: [] };
    const grant = (roleId: string) => ({ teamId, groupId, roleId, added: [], removed: [] });
    if (before !== null) of.before.push(grant(before));
    if (after !== null) of.after.push(grant(after));
    byUser.set(userId, of);
  }
  return byUser;
}
