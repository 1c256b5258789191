/** Who saw or changed what, written in the transaction of the deed itself. Ids and codes only. */
import type { ActorTransaction } from '#server/access/door.ts';

export interface AuditEntry {
  /** What was done, e.g. 'ping.status', 'patient.view'. */
  action: string;
  subject:
    | 'event'
    | 'patient'
    | 'roster-upload'
    | 'message'
    | 'match-review'
    | 'group'
    | 'user'
    | 'team'
    | 'role'
    | 'feed'
    | 'access-request';
  subjectId: string;
  detail?: Record<string, unknown>;
  requestId: string;
  now: Date;
}

export async function writeAudit(
  tx: ActorTransaction,
  { action, subject, subjectId, detail, requestId, now }: AuditEntry,
): Promise<void> {
  await tx.query(
    `insert into audit_entries (at, user_id, team_id, action, subject, subject_id, request_id, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      now.toISOString(),
      tx.actor.userId,
      tx.actor.teamId,
      action,
      subject,
      subjectId,
      requestId,
      JSON.stringify(detail ?? {}),
    ],
  );
}
