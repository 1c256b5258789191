import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

/**
 * Of `users u`: the account has no password here because its organisation signs it in (a connection, or an experience of single
 * sign-on). Nothing of its own opens it meanwhile: no mailed link, no passkey, no code. That holds while the connection is switched off,
 * too; once it is removed the account is its owner's again. An operator's is never an organisation's.
 */
export const managedElsewhere = sql`(
  u.password_hash is null and not u.is_operator and (u.sso_connection_id is not null or u.application_experience like '%\\_SSO'))`;

/** Throws MANAGED_ELSEWHERE. Until the transaction ends nobody links the account. */
export async function refuseManagedElsewhere(db: Queryable, userId: string): Promise<void> {
  const { rowCount } = await db.query(
    sql`select from users u where id = ${userId} and not ${managedElsewhere} for no key update`,
  );
  if (rowCount === 0) throw new ApiError('MANAGED_ELSEWHERE');
}
