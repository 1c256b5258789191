/**
 * Whom and what an administrator may change: in his or her organisation, for the groups for which he or she holds canManageUsers in
 * any team; an operator everywhere. Read in the transaction of the change, after its turn has come: a right that was taken away
 * meanwhile is gone.
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
  /** The groups that he or she administers; of an operator only those of his or her own grants. A group that ends leaves it. */
  readonly groupIds: Set<string>;
}

/** Throws NOT_PERMITTED where the actor no longer administers anything. */
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

/** Throws NOT_PERMITTED where one of the groups is not the administrator's to manage. */
export function checkCovers(scope: Scope, groupIds: Iterable<string>): void {
  for (const groupId of groupIds) if (!covers(scope, groupId)) throw new ApiError('NOT_PERMITTED');
}

/** That the organisation in `column` is the administrator's own; any, for an operator. */
export const isOwn = (scope: Pick<Scope, 'isOperator' | 'organizationId'>, column: Sql): Sql =>
  scope.isOperator ? sql`true` : sql`${column} = ${scope.organizationId}`;

/** The organisation in `column`, for those who see several; null for everybody else. */
export const organizationFor = (scope: Pick<Scope, 'isOperator'>, column: Sql): Sql =>
  scope.isOperator
    ? sql`(select jsonb_build_object('id', o.id::text, 'name', o.name) from organizations o where o.id = ${column})`
    : sql`null::jsonb`;

/** The organisations in which somebody who can sign in may manage users. */
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
