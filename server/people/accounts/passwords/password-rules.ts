/** What a new password must not be (decisions.md, "Password"); its length is the contract's matter. */

import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { refuseManagedElsewhere } from '../managed-elsewhere.ts';
import { isCommonPassword } from './common-passwords.ts';
import { hashPassword, passwordMatches } from './password-hash.ts';

/** The present one counts. */
const REFUSED_AGAIN = 5;
/** A shorter name before the '@', such as 'al', is part of too many words. */
const SHORTEST_NAME = 4;

/** Throws PASSWORD_TOO_COMMON or PASSWORD_HOLDS_USERNAME. */
export function checkPassword(password: string, username: string): void {
  if (isCommonPassword(password)) throw new ApiError('PASSWORD_TOO_COMMON');
  const folded = password.normalize('NFKC').toLowerCase();
  const [name = ''] = username.split('@');
  if (folded.includes(username) || (name.length >= SHORTEST_NAME && folded.includes(name)))
    throw new ApiError('PASSWORD_HOLDS_USERNAME');
}

/**
 * Sets a user's password, in the caller's transaction, and keeps the old one's hash. Whoever does that has acted as the owner:
 * locks are gone. Throws what `checkPassword` throws, PASSWORD_USED_BEFORE for one of the last five, and MANAGED_ELSEWHERE where the
 * organisation signs the user in, perhaps only since the old password was confirmed.
 */
export async function setPassword(
  tx: Queryable,
  { userId, username, password }: { userId: string; username: string; password: string },
  now: Date,
): Promise<void> {
  checkPassword(password, username);
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

/** The present password goes: it is refused as one of the last five from now on. */
export async function keepOldPassword(tx: Queryable, userId: string, now: Date): Promise<void> {
  await tx.query(sql`
    insert into password_history (user_id, password_hash, replaced_at)
    select id, password_hash, ${now} from users where id = ${userId} and password_hash is not null`);
}

/** The present hash and the four before it; the caller has locked the user's row, so that two changes at once take turns. */
async function lastHashes(tx: Queryable, userId: string): Promise<string[]> {
  const present = await tx.query<{ hash: string | null }>(
    sql`select password_hash as hash from users where id = ${userId}`,
  );
  const before = await tx.query<{ hash: string }>(sql`
    select password_hash as hash from password_history where user_id = ${userId} order by id desc limit ${REFUSED_AGAIN - 1}`);
  return [...present.rows, ...before.rows].flatMap(({ hash }) => hash ?? []);
}
