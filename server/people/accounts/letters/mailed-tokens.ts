/** Mailed tokens: single use, kept as a hash. One that was used takes all others of its user with it. */
import type { TokenPurpose } from '#contract/users.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { managedElsewhere } from '../managed-elsewhere.ts';
import { hashOf, newToken } from '../token-hash.ts';

const HOUR = 60 * 60 * 1000;

/**
 * How long a token works, and in words. An invitation may wait over a holiday; an unlock arrives unasked, perhaps overnight; a reset
 * is asked for by somebody who sits and waits (docs/decisions/0016).
 */
export const TOKEN_LIVES: Record<TokenPurpose, { ms: number; words: string }> = {
  ACCOUNT_ACTIVATION: { ms: 7 * 24 * HOUR, words: '7 days' },
  PASSWORD_RESET: { ms: HOUR, words: '1 hour' },
  ACCOUNT_UNLOCK: { ms: 24 * HOUR, words: '24 hours' },
};

/** Makes a token and returns it; it stands nowhere but in its mail. */
export async function issueToken(tx: Queryable, userId: string, purpose: TokenPurpose, now: Date): Promise<string> {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + TOKEN_LIVES[purpose].ms);
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

/** Whose token this is; null for one that is unknown, used, expired, or of a user who is disabled or signs in elsewhere by now. */
export async function findToken(db: Queryable, token: string, now: Date): Promise<TokenOwner | null> {
  const { rows } = await db.query<TokenOwner>(sql`
    select t.user_id as "userId", t.purpose, u.username, u.first_name as "firstName", t.expires_at as "expiresAt"
    from account_tokens t join users u on u.id = t.user_id
    where t.token_hash = ${hashOf(token)} and t.used_at is null and t.expires_at > ${now} and u.disabled_at is null
      and not ${managedElsewhere}`);
  return rows[0] ?? null;
}

/** Uses a token up, and with it the others of its user; false where somebody else was faster. */
export async function useToken(tx: Queryable, token: string, userId: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    sql`update account_tokens set used_at = ${now} where token_hash = ${hashOf(token)} and used_at is null`,
  );
  if (rowCount === 0) return false;
  await tx.query(sql`update account_tokens set used_at = ${now} where user_id = ${userId} and used_at is null`);
  return true;
}
