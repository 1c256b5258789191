import type { Session } from '#contract/users.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

export interface SessionRow {
  userId: string;
  username: string;
  /** ISO 8601. */
  lastSeenAt: string;
  createdAt: string;
  /** When the user last proved their identity; null in a session from before that was recorded. */
  verifiedAt: string | null;
  mustChangePassword: boolean;
  mustEnroll: boolean;
  /** The organization's, if it has shorter ones than the installation. */
  inactivityMinutes: number;
  sessionHours: number;
}

/** What keeps a session open at a moment, as far as the organization has no shorter limits. */
export interface Limits {
  now: Date;
  inactivityMinutes: number;
  sessionHours: number;
}

export interface NewSession {
  userId: string;
  /** Name of the browser for the user's list of sessions (`nameDevice`). */
  device?: string;
  /** The browser's address. */
  address?: string;
  mustChangePassword?: boolean;
  mustEnroll?: boolean;
}

export async function insertSession(
  db: Queryable,
  sessionHash: Buffer,
  { userId, device = '', address = '', mustChangePassword = false, mustEnroll = false }: NewSession,
  now: Date,
): Promise<void> {
  await db.query(sql`
    insert into sessions (token_hash, user_id, created_at, last_seen_at, verified_at, device, address, must_change_password,
      must_enroll)
    values (${sessionHash}, ${userId}, ${now}, ${now}, ${now}, ${device}, ${address}, ${mustChangePassword}, ${mustEnroll})`);
}

const inactivityMinutes = (limits: Limits): Sql => sql`least(${limits.inactivityMinutes}::int, o.inactivity_minutes)`;
const sessionHours = (limits: Limits): Sql => sql`least(${limits.sessionHours}::float, o.session_hours)`;

/** Condition on `sessions s` and the `organizations o` of its user: within its limits, and not ended. */
const isOpen = (limits: Limits): Sql => sql`(s.ended_at is null
  and s.last_seen_at > ${limits.now}::timestamptz - ${inactivityMinutes(limits)} * interval '1 minute'
  and s.created_at > ${limits.now}::timestamptz - ${sessionHours(limits)} * interval '1 hour')`;

/** Returns an active session of a user who is not disabled. */
export async function findSession(db: Queryable, sessionHash: Buffer, limits: Limits): Promise<SessionRow | null> {
  const { rows } = await db.query<SessionRow>(sql`
    select s.user_id as "userId", u.username, s.last_seen_at as "lastSeenAt", s.created_at as "createdAt",
      s.verified_at as "verifiedAt", s.must_change_password as "mustChangePassword", s.must_enroll as "mustEnroll",
      ${inactivityMinutes(limits)} as "inactivityMinutes", ${sessionHours(limits)} as "sessionHours"
    from sessions s join users u on u.id = s.user_id join organizations o on o.id = u.organization_id
    where s.token_hash = ${sessionHash} and ${isOpen(limits)} and u.disabled_at is null`);
  return rows[0] ?? null;
}

export async function touchSession(db: Queryable, sessionHash: Buffer, now: Date): Promise<void> {
  await db.query(sql`update sessions set last_seen_at = ${now} where token_hash = ${sessionHash} and ended_at is null`);
}

/** Records that the user has just proved their identity in the session. */
export async function recordProof(tx: Queryable, sessionHash: Buffer, now: Date): Promise<void> {
  await tx.query(sql`update sessions set verified_at = ${now} where token_hash = ${sessionHash} and ended_at is null`);
}

/** Opens the user's sessions that were waiting for a second factor. */
export async function liftEnrollment(tx: Queryable, userId: string): Promise<void> {
  await tx.query(sql`update sessions set must_enroll = false where user_id = ${userId} and must_enroll`);
}

export const endSession = (tx: Queryable, sessionHash: Buffer, now: Date): Promise<number> =>
  endWhere(tx, sql`token_hash = ${sessionHash}`, now);

/** Ends all sessions of a user except one. */
export const endSessionsOf = (tx: Queryable, userId: string, now: Date, except?: Buffer): Promise<number> =>
  endWhere(tx, sql`user_id = ${userId} and token_hash is distinct from ${except ?? null}::bytea`, now);

/** Ends the user's sessions that were not used for longest, except the `keep` latest and the new one. */
export const endOldestSessions = (
  tx: Queryable,
  { userId, sessionHash }: { userId: string; sessionHash: Buffer },
  keep: number,
  now: Date,
): Promise<number> =>
  endWhere(
    tx,
    sql`token_hash in (
      select token_hash from sessions where user_id = ${userId} and ended_at is null
      order by token_hash = ${sessionHash} desc, last_seen_at desc, created_at desc offset ${keep})`,
    now,
  );

/** Ends one of a user's own sessions by its public id. */
export const endSessionById = (tx: Queryable, userId: string, id: string, now: Date): Promise<number> =>
  endWhere(tx, sql`user_id = ${userId} and id = ${id}`, now);

/** Ends the sessions and returns how many were still open. The change log notifies their users' live streams. */
async function endWhere(tx: Queryable, condition: Sql, now: Date): Promise<number> {
  const { rows } = await tx.query<{ user_id: string }>(sql`
    update sessions set ended_at = ${now} where ${condition} and ended_at is null returning user_id`);
  const users = [...new Set(rows.map(({ user_id }) => user_id))];
  const ended = users.map((subjectId) => ({ kind: 'session' as const, change: 'ended', groupId: null, subjectId }));
  await logChanges(tx, ended, now);
  return rows.length;
}

/** Returns the user's active sessions, latest activity first. `sessionHash`: the one that asks; null for another user. */
export async function listSessions(
  db: Queryable,
  { userId, sessionHash }: { userId: string; sessionHash: Buffer | null },
  limits: Limits,
): Promise<Session[]> {
  const { rows } = await db.query<Session>(sql`
    select s.id, s.created_at as "createdDate", s.last_seen_at as "lastSeenDate", s.device, s.address,
      coalesce(s.token_hash = ${sessionHash}, false) as "isCurrent"
    from sessions s join users u on u.id = s.user_id join organizations o on o.id = u.organization_id
    where s.user_id = ${userId} and ${isOpen(limits)}
    order by s.last_seen_at desc, s.id`);
  return rows;
}
