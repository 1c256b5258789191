import { PROOF_LASTS, SESSION_ENDS_AFTER } from '#contract/constants.ts';
import { HOUR, MINUTE } from '#contract/durations.ts';
import type { Config } from '#server/config.ts';
import type { Sessions } from '#server/people/access/session-user.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { forPurpose } from '#server/platform/database/settings.ts';
import { hashOf, newToken } from '../token-hash.ts';
import {
  endOldestSessions,
  findSession,
  insertSession,
  type Limits,
  type NewSession,
  type SessionRow,
  touchSession,
} from './queries.ts';

export type SessionConfig = Pick<Config, 'sessionHours'>;

/** Milliseconds between two writes of a session's last activity. */
const TOUCH_EVERY = 60_000;

/** Sessions that one user may have open: several browsers on several machines. */
const MOST_SESSIONS = 20;

const earlier = (now: Date, ms: number): Date => new Date(now.getTime() - ms);

/** Begins a session and returns its token, which only the user's cookie holds. Ends the one that was not used for longest if there are too many. */
export async function createSession(
  db: Queryable,
  userId: string,
  now: Date,
  about: Omit<NewSession, 'userId'> = {},
): Promise<string> {
  const token = newToken();
  const sessionHash = hashOf(token);
  await insertSession(db, sessionHash, { userId, ...about }, now);
  await endOldestSessions(db, { userId, sessionHash }, MOST_SESSIONS, now);
  return token;
}

/**
 * Looks sessions up in the database. A session ends 40 minutes after its user's last activity, `sessionHours` after the sign-in, earlier if
 * the organization says so, or when the account is disabled.
 */
export function databaseSessions(db: Queryable, clock: Clock, config: SessionConfig): Sessions {
  return {
    async find(token, active) {
      const sessionHash = hashOf(token);
      const at = clock();
      return forPurpose('sign-in', async () => {
        const found = await findSession(db, sessionHash, limitsAt(at, config));
        if (found === null) return null;
        if (active && new Date(found.lastSeenAt) <= earlier(at, TOUCH_EVERY)) await touchSession(db, sessionHash, at);
        const isFresh = found.verifiedAt !== null && new Date(found.verifiedAt) > earlier(at, PROOF_LASTS);
        return { ...found, sessionHash, isFresh, at, endsAt: endOf(found) };
      });
    },
  };
}

/** Returns what a session must have to be open at `now`. */
export const limitsAt = (now: Date, { sessionHours }: SessionConfig): Limits => ({
  now,
  inactivityMinutes: SESSION_ENDS_AFTER / MINUTE,
  sessionHours,
});

/** Returns when a session ends, however active its user is. */
const endOf = ({ createdAt, sessionHours }: SessionRow): Date => new Date(Date.parse(createdAt) + sessionHours * HOUR);

/** Records the user's activity at once and returns when the session would end without any more. */
export async function recordActivity(
  db: Queryable,
  { sessionHash, endsAt, inactivityMinutes }: { sessionHash: Buffer; endsAt: Date; inactivityMinutes: number },
  now: Date,
): Promise<string> {
  await touchSession(db, sessionHash, now);
  return new Date(Math.min(now.getTime() + inactivityMinutes * MINUTE, endsAt.getTime())).toISOString();
}

/** Returns whether a session is still active, for a stream that outlives the call that opened it. Does not count as activity. */
export async function isSessionActive(
  db: Queryable,
  sessionHash: Buffer,
  now: Date,
  config: SessionConfig,
): Promise<boolean> {
  return forPurpose('sign-in', async () => (await findSession(db, sessionHash, limitsAt(now, config))) !== null);
}
