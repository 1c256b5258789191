import { SESSION_ENDS_AFTER } from '#contract/constants.ts';
import type { Sessions } from '#server/people/access/session-user.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { hashOf, newToken } from '../token-hash.ts';
import { findSession, insertSession, type NewSession, touchSession } from './queries.ts';

/** The last activity is written down at most this often. */
const TOUCH_EVERY = 60_000;

const earlier = (now: Date, ms: number): Date => new Date(now.getTime() - ms);

/** Begins a session and returns its token, which is in the user's cookie and nowhere else. */
export async function createSession(
  db: Queryable,
  userId: string,
  now: Date,
  about: Omit<NewSession, 'userId'> = {},
): Promise<string> {
  const token = newToken();
  await insertSession(db, hashOf(token), { userId, ...about }, now);
  return token;
}

/** The sessions of the database. A session ends 40 minutes after its user last did something, or with its user's account. */
export function databaseSessions(db: Queryable, clock: Clock): Sessions {
  return {
    async find(token, active) {
      const sessionHash = hashOf(token);
      const at = clock();
      const found = await findSession(db, sessionHash, earlier(at, SESSION_ENDS_AFTER));
      if (found === null) return null;
      if (active && new Date(found.lastSeenAt) <= earlier(at, TOUCH_EVERY)) await touchSession(db, sessionHash, at);
      return { ...found, sessionHash };
    },
  };
}

/** When sessions that stand at this moment were last active at the earliest. */
export const activeSince = (now: Date): Date => earlier(now, SESSION_ENDS_AFTER);

/** Writes down that the user is active now, to the second, and returns when the session would end. */
export async function noteActivity(db: Queryable, sessionHash: Buffer, now: Date): Promise<string> {
  await touchSession(db, sessionHash, now);
  return new Date(now.getTime() + SESSION_ENDS_AFTER).toISOString();
}

/** Whether a session still stands; for a stream, which outlives the call that opened it. Does not count as activity. */
export async function sessionStands(db: Queryable, sessionHash: Buffer, now: Date): Promise<boolean> {
  return (await findSession(db, sessionHash, earlier(now, SESSION_ENDS_AFTER))) !== null;
}
