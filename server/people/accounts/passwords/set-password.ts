import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { refuseManagedElsewhere } from '../managed-elsewhere.ts';
import { hashPassword, passwordMatches } from './password-hash.ts';
import { refuseWeakPassword } from './password-rules.ts';

/** How many of the last passwords are refused again, the present one included. */
const REFUSED_AGAIN = 5;

/**
 * Sets a user's password in the caller's transaction and keeps the old hash in the history. Throws what `refuseWeakPassword` throws,
 * PASSWORD_USED_BEFORE for one of the last five, and MANAGED_ELSEWHERE if the organization signs the user in, which may have begun only
 * after the old password was confirmed.
 */
export async function setPassword(
  tx: Queryable,
  { userId, username, password }: { userId: string; username: string; password: string },
  now: Date,
): Promise<void> {
  refuseWeakPassword(password, username);
  await refuseManagedElsewhere(tx, userId);
  for (const used of await lastHashes(tx, userId)) {
    if (await passwordMatches(used, password)) throw new ApiError('PASSWORD_USED_BEFORE');
  }
  await keepOldPassword(tx, userId, now);
  await tx.query(sql`
    delete from password_history where user_id = ${userId} and id not in (
      select id from password_history where user_id = ${userId} order by id desc limit ${REFUSED_AGAIN - 1})`);
  await tx.query(sql`
    update users set password_hash = ${await hashPassword(password)}, password_changed_at = ${now}
    where id = ${userId}`);
}

/** Copies the present password's hash to the history before it is replaced or removed, so that it is refused as one of the last five. */
export async function keepOldPassword(tx: Queryable, userId: string, now: Date): Promise<void> {
  await tx.query(sql`
    insert into password_history (user_id, password_hash, replaced_at)
    select id, password_hash, ${now} from users where id = ${userId} and password_hash is not null`);
}

/** Returns the present hash and the four before it. The caller has locked the user's row, so that parallel changes take turns. */
async function lastHashes(tx: Queryable, userId: string): Promise<string[]> {
  const present = await tx.query<{ hash: string | null }>(
    sql`select password_hash as hash from users where id = ${userId}`,
  );
  const before = await tx.query<{ hash: string }>(sql`
    select password_hash as hash from password_history where user_id = ${userId} order by id desc limit ${REFUSED_AGAIN - 1}`);
  return [...present.rows, ...before.rows].flatMap(({ hash }) => hash ?? []);
}
