/** Enrollments that a signed-in user has begun and not confirmed: at most one of each kind per session, found by the session. */
import type { SessionUser } from '#server/people/access/session-user.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { hashOf } from './token-hash.ts';

export interface PendingKey {
  kind: 'MFA_ENROLMENT' | 'PASSKEY_ENROLMENT';
  user: Pick<SessionUser, 'userId' | 'sessionHash'>;
}

const keyOf = ({ kind, user }: PendingKey): Buffer => hashOf(`${kind} ${user.sessionHash.toString('hex')}`);

/** Begins an enrollment and replaces an earlier one of its kind. `life` is in milliseconds. */
export async function beginPending(
  db: Queryable,
  { detail, life, ...key }: PendingKey & { detail: Record<string, string>; life: number },
  now: Date,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + life);
  await db.query(sql`
    insert into sign_in_challenges (token_hash, kind, user_id, detail, created_at, expires_at)
    values (${keyOf(key)}, ${key.kind}, ${key.user.userId}, ${JSON.stringify(detail)}::jsonb, ${now}, ${expiresAt})
    on conflict (token_hash) do update
      set detail = excluded.detail, tries = 0, created_at = excluded.created_at, expires_at = excluded.expires_at`);
}

/** Counts a try and returns the enrollment's detail; null if none was begun, it has expired, or no try is left. */
export async function tryPending<T extends Record<string, string>>(
  db: Queryable,
  { tries, ...key }: PendingKey & { tries: number },
  now: Date,
): Promise<T | null> {
  const { rows } = await db.query<{ detail: T }>(sql`
    update sign_in_challenges set tries = tries + 1
    where token_hash = ${keyOf(key)} and expires_at > ${now} and tries < ${tries} returning detail`);
  return rows[0]?.detail ?? null;
}

/** Removes a finished enrollment. */
export async function deletePending(tx: Queryable, key: PendingKey): Promise<void> {
  await tx.query(sql`delete from sign_in_challenges where token_hash = ${keyOf(key)}`);
}
