/** Mailed tokens: single use, stored as a hash. Using one voids all others of its user. */
import { HOUR } from '#contract/durations.ts';
import type { TokenPurpose } from '#contract/users.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { managedElsewhere } from '../managed-elsewhere.ts';
import { hashOf, newToken } from '../token-hash.ts';

/**
 * How long a token works, also in words for the mail. An invitation may arrive over a holiday, an unlock link unasked and overnight; the
 * person who asks for a reset is waiting for it (docs/decisions/0016).
 */
export const TOKEN_LIFE: Record<TokenPurpose, { ms: number; words: string }> = {
  ACCOUNT_ACTIVATION: { ms: 7 * 24 * HOUR, words: '7 days' },
  PASSWORD_RESET: { ms: HOUR, words: '1 hour' },
  ACCOUNT_UNLOCK: { ms: 24 * HOUR, words: '24 hours' },
};

/** Issues a token and returns it. Only its mail contains it; the database stores a hash. */
export async function issueToken(tx: Queryable, userId: string, purpose: TokenPurpose, now: Date): Promise<string> {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + TOKEN_LIFE[purpose].ms);
  await tx.query(sql`
    insert into account_tokens (token_hash, user_id, purpose, created_at, expires_at)
    values (${hashOf(token)}, ${userId}, ${purpose}, ${now}, ${expiresAt})`);
  return token;
}

export interface TokenOwner {
  userId: string;
  purpose: TokenPurpose;
  username: string;
  firstName: string;
  /** ISO 8601. */
  expiresAt: string;
}

/**
 * Returns the token's owner; null if the token is unknown, used or expired, or its user is disabled. Throws MANAGED_ELSEWHERE if the
 * organization signs the user in by now.
 */
export async function findToken(db: Queryable, token: string, now: Date): Promise<TokenOwner | null> {
  const { rows } = await db.query<TokenOwner & { isManagedElsewhere: boolean }>(sql`
    select t.user_id as "userId", t.purpose, u.username, u.first_name as "firstName", t.expires_at as "expiresAt",
      ${managedElsewhere} as "isManagedElsewhere"
    from account_tokens t join users u on u.id = t.user_id
    where t.token_hash = ${hashOf(token)} and t.used_at is null and t.expires_at > ${now} and u.disabled_at is null`);
  const [found] = rows;
  if (found === undefined) return null;
  const { isManagedElsewhere, ...owner } = found;
  if (isManagedElsewhere) throw new ApiError('MANAGED_ELSEWHERE');
  return owner;
}

/** Marks a token and all others of its user as used. Returns false if a parallel call used it first. */
export async function useToken(tx: Queryable, token: string, userId: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    sql`update account_tokens set used_at = ${now} where token_hash = ${hashOf(token)} and used_at is null`,
  );
  if (rowCount === 0) return false;
  await tx.query(sql`update account_tokens set used_at = ${now} where user_id = ${userId} and used_at is null`);
  return true;
}
