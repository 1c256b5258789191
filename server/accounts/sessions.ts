import { SESSION_ENDS_AFTER } from '#contract/constants.ts';
import type { Clock } from '#server/clock.ts';
import type { Queryable } from '#server/database/pool.ts';
import { sql } from '#server/database/sql.ts';
import type { Sessions, SessionUser } from '#server/http/sessions.ts';
import { hashOf, newToken } from './tokens.ts';

/** The last activity is written down at most this often. */
const TOUCH_EVERY = 60_000;

const earlier = (now: Date, ms: number): Date => new Date(now.getTime() - ms);

/** Begins a session and returns its token, which is in the user's cookie and nowhere else. */
export async function createSession(db: Queryable, userId: string, now: Date): Promise<string> {
  const token = newToken();
  await db.query(sql`
    insert into sessions (token_hash, user_id, created_at, last_seen_at) values (${hashOf(token)}, ${userId}, ${now}, ${now})`);
  return token;
}

/** Ends a session that stands, and leaves word for the streams that hang on it. */
export async function endSession(db: Queryable, sessionHash: Buffer, now: Date): Promise<void> {
  await db.query(sql`
    with ended as (
      update sessions set ended_at = ${now} where token_hash = ${sessionHash} and ended_at is null returning user_id)
    insert into change_log (kind, change, subject_id, changed_at) select 'session', 'ended', user_id, ${now} from ended`);
}

/** The sessions of the database. A session ends 40 minutes after its user last did something, or with its user's account. */
export function databaseSessions(db: Queryable, now: Clock): Sessions {
  return {
    async find(token, active) {
      const sessionHash = hashOf(token);
      const at = now();
      const found = await findSession(db, sessionHash, at);
      if (found === null) return null;
      if (active && found.lastSeenAt <= earlier(at, TOUCH_EVERY)) {
        await db.query(
          sql`update sessions set last_seen_at = ${at} where token_hash = ${sessionHash} and ended_at is null`,
        );
      }
      return found.user;
    },
  };
}

/** Whether a session still stands; for a stream, which outlives the call that opened it. Does not count as activity. */
export async function sessionStands(db: Queryable, sessionHash: Buffer, now: Date): Promise<boolean> {
  return (await findSession(db, sessionHash, now)) !== null;
}

async function findSession(db: Queryable, sessionHash: Buffer, now: Date) {
  const { rows } = await db.query<{ user_id: string; username: string; last_seen_at: string }>(sql`
    select s.user_id, u.username, s.last_seen_at
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${sessionHash} and s.ended_at is null
      and s.last_seen_at > ${earlier(now, SESSION_ENDS_AFTER)} and u.disabled_at is null`);
  const [row] = rows;
  if (row === undefined) return null;
  const user: SessionUser = { userId: row.user_id, username: row.username, sessionHash };
  return { user, lastSeenAt: new Date(row.last_seen_at) };
}
