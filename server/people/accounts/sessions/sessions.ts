import { SESSION_ENDS_AFTER } from '#contract/constants.ts';
import type { Sessions } from '#server/people/access/session-user.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { forPurpose } from '#server/platform/database/settings.ts';
import { hashOf, newToken } from '../token-hash.ts';
import { findSession, insertSession, type NewSession, touchSession } from './queries.ts';

/** Milliseconds between two writes of a session's last activity. */
const TOUCH_EVERY = 60_000;

const earlier = (now: Date, ms: number): Date => new Date(now.getTime() - ms);

/** Begins a session and returns its token, which only the user's cookie holds. */
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

/** Looks sessions up in the database. A session ends 40 minutes after its user's last activity, or when the account is disabled. */
export function databaseSessions(db: Queryable, clock: Clock): Sessions {
  return {
    async find(token, active) {
      const sessionHash = hashOf(token);
      const at = clock();
      return forPurpose('sign-in', async () => {
        const found = await findSession(db, sessionHash, activeSince(at));
        if (found === null) return null;
        if (active && new Date(found.lastSeenAt) <= earlier(at, TOUCH_EVERY)) await touchSession(db, sessionHash, at);
        return { ...found, sessionHash };
      });
    },
  };
}

/** Returns the earliest last activity that keeps a session active at `now`. */
export const activeSince = (now: Date): Date => earlier(now, SESSION_ENDS_AFTER);

/** Records the user's activity at once and returns when the session would end. */
export async function recordActivity(db: Queryable, sessionHash: Buffer, now: Date): Promise<string> {
  await touchSession(db, sessionHash, now);
  return new Date(now.getTime() + SESSION_ENDS_AFTER).toISOString();
}

/** Returns whether a session is still active, for a stream that outlives the call that opened it. Does not count as activity. */
export async function isSessionActive(db: Queryable, sessionHash: Buffer, now: Date): Promise<boolean> {
  return forPurpose('sign-in', async () => (await findSession(db, sessionHash, activeSince(now))) !== null);
}
