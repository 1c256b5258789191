import type { AdminRole, RoleFields } from '#contract/admin.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql, versionOf } from '#server/platform/database/sql.ts';
import { isOwn, organizationFor, type Scope } from '../admin-scope.ts';
import { oneRow } from './one-row.ts';

const roles = (scope: Scope, where: Sql): Sql => sql`
  select r.id, r.name, r.permissions, r.organization_id is null as "isStandard",
    (select count(distinct n.user_id)::int from grants n join users u on u.id = n.user_id
     where n.role_id = r.id and ${isOwn(scope, sql`u.organization_id`)}) as "userCount",
    ${organizationFor(scope, sql`r.organization_id`)} as organization, ${versionOf(sql`r.name, r.permissions`)} as version
  from roles r
  where r.ended_at is null and (r.organization_id is null or ${isOwn(scope, sql`r.organization_id`)}) and ${where}
  order by r.organization_id nulls first, r.id`;

/** Returns the standard roles and the organization's own. */
export const listRoles = async (db: Queryable, scope: Scope): Promise<AdminRole[]> =>
  (await db.query<AdminRole>(roles(scope, sql`true`))).rows;

/** Throws NOT_FOUND for a role of another organization. */
export const findRole = (db: Queryable, scope: Scope, id: string): Promise<AdminRole> =>
  oneRow(db, roles(scope, sql`r.id = ${id}`));

/** Adds a role of the organization and returns its id. */
export async function insertRole(db: Queryable, organizationId: string, role: RoleFields): Promise<string> {
  const { id } = await oneRow<{ id: string }>(
    db,
    sql`insert into roles (organization_id, name, permissions) values (${organizationId}, ${role.name}, ${role.permissions})
      returning id`,
  );
  return id;
}

export async function updateRole(db: Queryable, id: string, role: RoleFields): Promise<void> {
  await db.query(sql`update roles set name = ${role.name}, permissions = ${role.permissions} where id = ${id}`);
}

export async function organizationOfRole(db: Queryable, id: string): Promise<string> {
  const role = await oneRow<{ organizationId: string }>(
    db,
    sql`select organization_id as "organizationId" from roles where id = ${id}`,
  );
  return role.organizationId;
}

/** Returns whether a group of an identity provider gives the role, or a first sign-in. */
export async function isGivenByProvider(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select where exists (select from provider_group_access where role_id = ${id})
      or exists (select from sso_connections where new_user_role_id = ${id})`);
  return rowCount > 0;
}

/** Returns who holds the role, and for which groups. */
export async function findHolders(db: Queryable, roleId: string): Promise<{ userId: string; groupId: string }[]> {
  const { rows } = await db.query<{ userId: string; groupId: string }>(
    sql`select user_id as "userId", group_id as "groupId" from grants where role_id = ${roleId}`,
  );
  return rows;
}

export async function closeRole(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query(sql`update roles set ended_at = ${now} where id = ${id}`);
}
