/** A password was right, a code is still wanted: what the browser that gave it has begun. Its token is in a cookie, its hash here. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { hashOf, newToken } from '../token-hash.ts';

/** In milliseconds. */
export const CHALLENGE_LIFE = 5 * 60 * 1000;
const TRIES_A_CHALLENGE = 5;
/**
 * Whoever knows the password can begin anew, so that the day has a limit too. A million codes, three of them right at a time: the chance
 * stays below one in twenty thousand a day.
 */
const TRIES_A_DAY = 15;
const DAY = 24 * 60 * 60 * 1000;

export async function beginChallenge(tx: Queryable, userId: string, now: Date): Promise<string> {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + CHALLENGE_LIFE);
  await tx.query(sql`
    insert into sign_in_challenges (token_hash, kind, user_id, created_at, expires_at)
    values (${hashOf(token)}, 'MFA', ${userId}, ${now}, ${expiresAt})`);
  return token;
}

/** Counts a try before its code is looked at; null where the challenge is over, `isLocked` where the day's tries are. */
export async function takeTry(
  db: Queryable,
  token: string,
  now: Date,
): Promise<{ userId: string; isLocked: boolean } | null> {
  const { rows } = await db.query<{ userId: string }>(sql`
    update sign_in_challenges set tries = tries + 1
    where token_hash = ${hashOf(token)} and kind = 'MFA' and expires_at > ${now} and tries < ${TRIES_A_CHALLENGE}
    returning user_id as "userId"`);
  const [challenge] = rows;
  if (challenge === undefined) return null;
  const since = new Date(now.getTime() - DAY);
  const { rows: day } = await db.query<{ tries: number }>(sql`
    select sum(tries)::integer as tries from sign_in_challenges
    where user_id = ${challenge.userId} and kind = 'MFA' and created_at > ${since}`);
  return { ...challenge, isLocked: (day[0]?.tries ?? 0) > TRIES_A_DAY };
}

/** A right code, or a new password: the owner has acted, and the tries of the day are forgotten. */
export async function forgetChallenges(tx: Queryable, userId: string): Promise<void> {
  await tx.query(sql`delete from sign_in_challenges where user_id = ${userId} and kind = 'MFA'`);
}
