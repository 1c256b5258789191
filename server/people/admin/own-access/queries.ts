import type { Grant, PendingGrant } from '#contract/admin.ts';
import { letsManage } from '#server/people/access/actor.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql, versionOf } from '#server/platform/database/sql.ts';
import { isOwn, organizationFor, type Scope } from '../admin-scope.ts';

/** Asks for the access, instead of what the user asked for before in that place. */
export async function insertPending(db: Queryable, userId: string, grant: Grant, now: Date): Promise<void> {
  const { teamId, groupId, roleId, added, removed } = grant;
  await db.query(sql`
    insert into pending_grants (user_id, team_id, group_id, role_id, added, removed, created_at)
    values (${userId}, ${teamId}, ${groupId}, ${roleId}, ${added}, ${removed}, ${now})
    on conflict (user_id, team_id, group_id) do update
    set role_id = excluded.role_id, added = excluded.added, removed = excluded.removed, created_at = excluded.created_at`);
}

export interface PendingRow extends Omit<PendingGrant, 'adds' | 'canConfirm'> {
  organizationId: string;
  /** Whether someone holds canManageUsers for the group. */
  isManaged: boolean;
}

const pending = (scope: Scope, where: Sql): Sql => sql`
  select p.id, p.user_id as "userId", u.first_name || ' ' || u.last_name as "userName", u.id = ${scope.userId} as "isOwn",
    p.team_id as "teamId", t.name as "teamName", p.group_id as "groupId", g.name as "groupName", p.role_id as "roleId",
    r.name as "roleName", p.added, p.removed, p.created_at as "createdDate", u.organization_id as "organizationId",
    ${organizationFor(scope, sql`u.organization_id`)} as organization,
    exists (select from grants n join roles r on r.id = n.role_id where n.group_id = p.group_id and ${letsManage}) as "isManaged",
    ${versionOf(sql`p.team_id, p.group_id, p.role_id, p.added, p.removed, r.permissions`)} as version
  from pending_grants p
    join users u on u.id = p.user_id
    join teams t on t.id = p.team_id
    join groups g on g.id = p.group_id and g.ended_at is null
    join roles r on r.id = p.role_id
  where ${isOwn(scope, sql`u.organization_id`)} and ${where} order by p.id`;

/** Returns what waits in the administrator's organization; for an operator, everywhere. */
export const findPending = async (db: Queryable, scope: Scope): Promise<PendingRow[]> =>
  (await db.query<PendingRow>(pending(scope, sql`true`))).rows;

export async function findPendingById(db: Queryable, scope: Scope, id: string): Promise<PendingRow | null> {
  return (await db.query<PendingRow>(pending(scope, sql`p.id = ${id}`))).rows[0] ?? null;
}

export async function deletePending(db: Queryable, id: string): Promise<void> {
  await db.query(sql`delete from pending_grants where id = ${id}`);
}

/** Gives the access, instead of what the user held in that place. */
export async function putGrant(db: Queryable, userId: string, grant: Grant): Promise<void> {
  const { teamId, groupId, roleId, added, removed } = grant;
  await db.query(sql`
    insert into grants (user_id, team_id, group_id, role_id, added, removed)
    values (${userId}, ${teamId}, ${groupId}, ${roleId}, ${added}, ${removed})
    on conflict (user_id, team_id, group_id) do update
    set role_id = excluded.role_id, added = excluded.added, removed = excluded.removed, is_provisioned = false`);
}
