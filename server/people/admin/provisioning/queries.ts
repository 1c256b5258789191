import type { SsoConnection } from '#contract/admin.ts';
import type { ProviderGroup, ScimToken, TeamRole } from '#contract/provisioning.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { isOwn, type Scope } from '../admin-scope.ts';
import { oneRow } from '../directory/one-row.ts';

export interface Connection {
  organizationId: string;
  kind: SsoConnection['kind'];
}

/** Throws NOT_FOUND for a connection of another organization. */
export const findConnection = (db: Queryable, scope: Scope, id: string): Promise<Connection> =>
  oneRow(
    db,
    sql`select organization_id as "organizationId", kind from sso_connections
      where id = ${id} and ${isOwn(scope, sql`organization_id`)}`,
  );

/** Returns the tokens that work. */
export async function findTokens(db: Queryable, connectionId: string): Promise<ScimToken[]> {
  const { rows } = await db.query<ScimToken>(sql`
    select id, ending, created_at as "createdAt", name_of_user(created_by) as "createdBy", last_used_at as "lastUsedAt"
    from scim_tokens where connection_id = ${connectionId} and revoked_at is null order by created_at desc, id desc`);
  return rows;
}

/** Stores the hash of a token, and returns the id. */
export async function insertToken(
  db: Queryable,
  connectionId: string,
  { hash, ending, createdBy }: { hash: Buffer; ending: string; createdBy: string },
  now: Date,
): Promise<string> {
  const { id } = await oneRow<{ id: string }>(
    db,
    sql`insert into scim_tokens (connection_id, token_hash, ending, created_at, created_by)
      values (${connectionId}, ${hash}, ${ending}, ${now}, ${createdBy}) returning id`,
  );
  return id;
}

/** Returns false if there is no such token that works. */
export async function revokeToken(
  db: Queryable,
  connectionId: string,
  tokenId: string,
  revokedBy: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update scim_tokens set revoked_at = ${now}, revoked_by = ${revokedBy}
    where id = ${tokenId} and connection_id = ${connectionId} and revoked_at is null`);
  return rowCount > 0;
}

/** Returns the groups that the identity provider has sent, by name. */
export async function findGroups(db: Queryable, connectionId: string): Promise<ProviderGroup[]> {
  const { rows } = await db.query<ProviderGroup>(sql`
    select p.id, p.display_name as name,
      (select count(*)::int from provider_group_members m where m.provider_group_id = p.id) as "memberCount",
      (select coalesce(jsonb_agg(jsonb_build_object('teamId', a.team_id::text, 'roleId', a.role_id::text) order by a.team_id), '[]')
        from provider_group_access a where a.provider_group_id = p.id) as access
    from provider_groups p where p.connection_id = ${connectionId} order by lower(p.display_name), p.id`);
  return rows;
}

/** Sets what membership in a group of the identity provider gives: one role for each team. */
export async function replaceAccess(
  db: Queryable,
  providerGroupId: string,
  access: readonly TeamRole[],
): Promise<void> {
  await db.query(sql`delete from provider_group_access where provider_group_id = ${providerGroupId}`);
  await db.query(sql`
    insert into provider_group_access (provider_group_id, team_id, role_id)
    select ${providerGroupId}::bigint, team_id, role_id
    from unnest(${access.map(({ teamId }) => teamId)}::bigint[], ${access.map(({ roleId }) => roleId)}::bigint[])
      as wanted (team_id, role_id)`);
}

export async function findNewUsers(db: Queryable, connectionId: string): Promise<TeamRole | null> {
  const { rows } = await db.query<TeamRole>(sql`
    select new_user_team_id as "teamId", new_user_role_id as "roleId" from sso_connections
    where id = ${connectionId} and new_user_team_id is not null and new_user_role_id is not null`);
  return rows[0] ?? null;
}

export async function updateNewUsers(db: Queryable, connectionId: string, newUsers: TeamRole | null): Promise<void> {
  await db.query(sql`
    update sso_connections set new_user_team_id = ${newUsers?.teamId ?? null}, new_user_role_id = ${newUsers?.roleId ?? null}
    where id = ${connectionId}`);
}

/** Returns for how many of these the team is open and of the organization, and the role is its own or a standard one. */
export async function countKnown(db: Queryable, organizationId: string, access: readonly TeamRole[]): Promise<number> {
  const { rowCount } = await db.query(sql`
    select from unnest(${access.map(({ teamId }) => teamId)}::bigint[], ${access.map(({ roleId }) => roleId)}::bigint[])
        as wanted (team_id, role_id)
      join teams t on t.id = wanted.team_id and t.organization_id = ${organizationId} and t.ended_at is null
      join roles r on r.id = wanted.role_id and r.ended_at is null
        and (r.organization_id is null or r.organization_id = ${organizationId})`);
  return rowCount;
}

/** Returns whether one of the roles lets people manage users. */
export async function letManage(db: Queryable, access: readonly TeamRole[]): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select from roles
    where id = any (${access.map(({ roleId }) => roleId)}::bigint[]) and 'canManageUsers' = any (permissions)`);
  return rowCount > 0;
}
