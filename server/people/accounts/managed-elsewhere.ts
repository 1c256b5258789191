import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

/**
 * Condition on `users u`: the organization lets nobody sign in with a password, or the account has no password because its organization signs it in: the user is linked to a connection, has the
 * experience of one, or has an email domain that an enabled identity provider uses. No mailed link, passkey or code opens such an account,
 * and not a linked one even while the connection is switched off. Once the connection is removed, they work again, so that no one depends on
 * a connection that does not exist. Operators' accounts are never managed by an organization.
 */
export const managedElsewhere = sql`(
  not u.is_operator and (
    (select o.requires_sso from organizations o where o.id = u.organization_id)
    or (u.password_hash is null and (u.sso_connection_id is not null
      or organization_signs_in(u.organization_id, u.application_experience, u.username)))))`;

/** Throws MANAGED_ELSEWHERE if the organization signs the user in. Locks the row, so that no sign-in links the account before the transaction ends. */
export async function refuseManagedElsewhere(db: Queryable, userId: string): Promise<void> {
  const { rowCount } = await db.query(
    sql`select from users u where id = ${userId} and not ${managedElsewhere} for no key update`,
  );
  if (rowCount === 0) throw new ApiError('MANAGED_ELSEWHERE');
}
