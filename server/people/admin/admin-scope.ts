/**
 * What an administrator may change: in their own organization, the groups for which they hold canManageUsers on any team; an operator
 * everywhere. Read inside the transaction of the change, once it holds the lock, so that a right removed in the meantime no longer counts.
 */
import { letsManage } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { canSignIn } from '#server/people/sso/queries.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

export interface Scope {
  readonly userId: string;
  readonly organizationId: string;
  readonly isOperator: boolean;
  /** The groups they administer; for an operator, only those of their own grants. Closing a group removes it from the set. */
  readonly groupIds: Set<string>;
}

/** Throws NOT_PERMITTED if the actor no longer administers anything. */
export async function loadScope(tx: ActorTransaction): Promise<Scope> {
  const { rows } = await tx.query<{ group_id: string }>(sql`
    select distinct n.group_id
    from grants n
      join roles r on r.id = n.role_id
      join users u on u.id = n.user_id
      join groups g on g.id = n.group_id and g.organization_id = u.organization_id
    where n.user_id = ${tx.actor.userId} and u.disabled_at is null and ${letsManage}`);
  if (rows.length === 0) throw new ApiError('NOT_PERMITTED');
  const { userId, organizationId, isOperator } = tx.actor;
  return { userId, organizationId, isOperator, groupIds: new Set(rows.map(({ group_id }) => group_id)) };
}

export const covers = (scope: Scope, groupId: string): boolean => scope.isOperator || scope.groupIds.has(groupId);

/** Throws NOT_PERMITTED unless the administrator manages every one of the groups. */
export function checkCovers(scope: Scope, groupIds: Iterable<string>): void {
  for (const groupId of groupIds) if (!covers(scope, groupId)) throw new ApiError('NOT_PERMITTED');
}

/** Throws NOT_PERMITTED unless the administrator manages at least one of the groups. */
export function checkCoversAny(scope: Scope, groupIds: readonly string[]): void {
  if (!scope.isOperator && !groupIds.some((groupId) => scope.groupIds.has(groupId)))
    throw new ApiError('NOT_PERMITTED');
}

/**
 * Throws NOT_PERMITTED with this message unless the administrator manages every group of the organization for which anyone holds
 * rights.
 */
export async function checkCoversAll(db: Queryable, scope: Scope, message: string): Promise<void> {
  if (!(await coversAll(db, scope))) throw new ApiError('NOT_PERMITTED', { message });
}

/** Whether the scope has every group of the organization. */
export async function coversAll(db: Queryable, { isOperator, organizationId, groupIds }: Scope): Promise<boolean> {
  if (isOperator) return true;
  const { rowCount } = await db.query(sql`
    select from grants n join users u on u.id = n.user_id
    where u.organization_id = ${organizationId} and n.group_id <> all (${[...groupIds]}::bigint[])
    limit 1`);
  return rowCount === 0;
}

/** SQL: the organization in `column` is the administrator's own. True of any organization for an operator. */
export const isOwn = (scope: Pick<Scope, 'isOperator' | 'organizationId'>, column: Sql): Sql =>
  scope.isOperator ? sql`true` : sql`${column} = ${scope.organizationId}`;

/** SQL: the organization in `column` for operators, who see several; null for everyone else. */
export const organizationFor = (scope: Pick<Scope, 'isOperator'>, column: Sql): Sql =>
  scope.isOperator
    ? sql`(select jsonb_build_object('id', o.id::text, 'name', o.name) from organizations o where o.id = ${column})`
    : sql`null::jsonb`;

/** Returns the organizations in which at least one person who can sign in may manage users. */
export async function administeredOrganizations(db: Queryable): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>(sql`
    select distinct u.organization_id as id
    from grants n
      join roles r on r.id = n.role_id
      join users u on u.id = n.user_id
      join groups g on g.id = n.group_id and g.organization_id = u.organization_id
    where ${canSignIn} and ${letsManage}`);
  return new Set(rows.map(({ id }) => id));
}
