import { logChanges } from '#server/database/change-log.ts';
import type { Queryable, Transaction } from '#server/database/pool.ts';
import { sql } from '#server/database/sql.ts';

export interface SessionRow {
  userId: string;
  username: string;
  /** ISO 8601. */
  lastSeenAt: string;
}

export async function insertSession(db: Queryable, sessionHash: Buffer, userId: string, now: Date): Promise<void> {
  await db.query(sql`
    insert into sessions (token_hash, user_id, created_at, last_seen_at) values (${sessionHash}, ${userId}, ${now}, ${now})`);
}

/** A session that stands: not ended, of a user who is not disabled, last seen after `since`. */
export async function findSession(db: Queryable, sessionHash: Buffer, since: Date): Promise<SessionRow | null> {
  const { rows } = await db.query<SessionRow>(sql`
    select s.user_id as "userId", u.username, s.last_seen_at as "lastSeenAt"
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${sessionHash} and s.ended_at is null and s.last_seen_at > ${since} and u.disabled_at is null`);
  return rows[0] ?? null;
}

export async function touchSession(db: Queryable, sessionHash: Buffer, now: Date): Promise<void> {
  await db.query(sql`update sessions set last_seen_at = ${now} where token_hash = ${sessionHash} and ended_at is null`);
}

/** Ends a session that stands, and leaves word in the change log for the streams that hang on it: the subject is the user. */
export async function endSession(tx: Transaction, sessionHash: Buffer, now: Date): Promise<void> {
  const { rows } = await tx.query<{ user_id: string }>(sql`
    update sessions set ended_at = ${now} where token_hash = ${sessionHash} and ended_at is null returning user_id`);
  const ended = rows.map(({ user_id }) => ({
    kind: 'session' as const,
    change: 'ended',
    groupId: null,
    subjectId: user_id,
  }));
  await logChanges(tx, ended, now);
}
