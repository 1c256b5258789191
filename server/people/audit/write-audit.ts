/** The audit log: who saw or changed what, written in the same transaction. Entries hold ids and codes only, never names. */
import type { ActorTransaction } from '#server/people/access/door.ts';
import type { Queryable } from '#server/platform/database/pool.ts';

export interface AuditEntry {
  /** E.g. 'ping.status', 'patient.view', 'inbox.view'. */
  action: string;
  subject:
    | 'event'
    | 'patient'
    | 'roster-upload'
    | 'message'
    | 'match-review'
    | 'group'
    | 'user'
    | 'organization'
    | 'team'
    | 'role'
    | 'feed'
    | 'access-request'
    | 'sso-connection'
    | 'saved-filter';
  /** Null for an action on several subjects; `detail` then holds their ids. */
  subjectId: string | null;
  detail?: Record<string, unknown>;
  requestId: string;
  now: Date;
}

/** Writes an entry for the transaction's actor. */
export async function writeAudit(tx: ActorTransaction, entry: AuditEntry): Promise<void> {
  await writeAuditAs(tx, tx.actor, entry);
}

/** Writes an entry for an action outside any team, such as a sign-in. `userId` is null if no one is signed in. */
export async function writeAuditAs(
  tx: Queryable,
  { userId, teamId = null }: { userId: string | null; teamId?: string | null },
  { action, subject, subjectId, detail, requestId, now }: AuditEntry,
): Promise<void> {
  await tx.query(
    `insert into audit_entries (at, user_id, team_id, action, subject, subject_id, request_id, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [now.toISOString(), userId, teamId, action, subject, subjectId, requestId, JSON.stringify(detail ?? {})],
  );
}

/** Writes an entry for something that users do to their own account. */
export const auditOwnAccount = (
  tx: Queryable,
  userId: string,
  entry: Pick<AuditEntry, 'action' | 'detail' | 'requestId' | 'now'>,
): Promise<void> => writeAuditAs(tx, { userId }, { ...entry, subject: 'user', subjectId: userId });
