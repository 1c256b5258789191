/** The step between a right password and its verification code. The browser holds the step's token in a cookie; the database holds a hash. */
import { DAY } from '#contract/durations.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { hashOf, newToken } from '../token-hash.ts';

/** In milliseconds. */
export const CODE_STEP_LIFE = 5 * 60 * 1000;
const TRIES_A_STEP = 5;
/**
 * Someone who knows the password can start over, so the day has a limit too. Three of a million codes are right at a time, which keeps the
 * odds of a lucky guess below one in twenty thousand a day.
 */
const TRIES_A_DAY = 15;

/** Begins the step in which a code is asked for, and returns its token, of which the hash is stored. */
export async function beginCodeStep(tx: Queryable, userId: string, now: Date): Promise<string> {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + CODE_STEP_LIFE);
  await tx.query(sql`
    insert into sign_in_challenges (token_hash, kind, user_id, created_at, expires_at)
    values (${hashOf(token)}, 'MFA', ${userId}, ${now}, ${expiresAt})`);
  return token;
}

/** Counts a try before its code is checked. Returns null if the step is over; `isLocked` once the day's tries are used up. */
export async function countCodeTry(
  db: Queryable,
  token: string,
  now: Date,
): Promise<{ userId: string; isLocked: boolean } | null> {
  const { rows } = await db.query<{ userId: string }>(sql`
    update sign_in_challenges set tries = tries + 1
    where token_hash = ${hashOf(token)} and kind = 'MFA' and expires_at > ${now} and tries < ${TRIES_A_STEP}
    returning user_id as "userId"`);
  const [step] = rows;
  if (step === undefined) return null;
  return { ...step, isLocked: await isDayUsedUp(db, step.userId, now) };
}

/** Counts a try of a signed-in user who confirms their identity; `isLocked` once the day's tries are used up. */
export async function countConfirmingTry(
  db: Queryable,
  { userId, sessionHash }: { userId: string; sessionHash: Buffer },
  now: Date,
): Promise<{ isLocked: boolean }> {
  const key = hashOf(`MFA_AGAIN ${sessionHash.toString('hex')}`);
  const expiresAt = new Date(now.getTime() + CODE_STEP_LIFE);
  await db.query(sql`
    insert into sign_in_challenges as c (token_hash, kind, user_id, tries, created_at, expires_at)
    values (${key}, 'MFA_AGAIN', ${userId}, 1, ${now}, ${expiresAt})
    on conflict (token_hash) do update set tries = c.tries + 1, expires_at = excluded.expires_at`);
  return { isLocked: await isDayUsedUp(db, userId, now) };
}

async function isDayUsedUp(db: Queryable, userId: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - DAY);
  const { rows } = await db.query<{ tries: number }>(sql`
    select sum(tries)::integer as tries from sign_in_challenges
    where user_id = ${userId} and kind in ('MFA', 'MFA_AGAIN') and created_at > ${since}`);
  return (rows[0]?.tries ?? 0) > TRIES_A_DAY;
}

/** Ends all of a user's code steps and resets the day's tries: the owner has entered a right code or set a new password. */
export async function endCodeSteps(tx: Queryable, userId: string): Promise<void> {
  await tx.query(sql`delete from sign_in_challenges where user_id = ${userId} and kind in ('MFA', 'MFA_AGAIN')`);
}
