/** The audit log: who asked for, saw or changed what. Entries hold ids, codes and hashes, never a patient's name or birth date. */
import { isLogged } from '#contract/audit-log-words.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { currentCall } from './audited-call.ts';

export interface AuditEntry {
  /** E.g. 'ping.status', 'patient.view', 'inbox.view'. */
  action: string;
  subject:
    | 'call'
    | 'event'
    | 'patient'
    | 'roster-upload'
    | 'message'
    | 'match-review'
    | 'export'
    | 'group'
    | 'user'
    | 'organization'
    | 'team'
    | 'role'
    | 'hl7-program'
    | 'feed'
    | 'access-request'
    | 'sso-connection'
    | 'saved-filter'
    | 'spotlight';
  /** Null for an action on several subjects; `detail` then holds their ids. */
  subjectId: string | null;
  detail?: Record<string, unknown>;
  /** Null for what no call did. */
  requestId: string | null;
  /** Whom it concerns, if not everyone whom the call does. */
  patientIds?: readonly string[];
  now: Date;
}

/** Who acts, in which team. */
interface Acting {
  readonly userId: string;
  readonly teamId: string;
}

/** Writes an entry for the transaction's actor. */
export async function writeAudit(tx: Queryable & { readonly actor: Acting }, entry: AuditEntry): Promise<void> {
  await writeAuditAs(tx, tx.actor, entry);
}

/**
 * Writes an entry for an action outside any team, such as a sign-in. `userId` is null if no one is signed in. The app role may name only the
 * user for whom the transaction acts (`tidings.user_id`).
 */
export async function writeAuditAs(
  tx: Queryable,
  { userId, teamId = null }: { userId: string | null; teamId?: string | null },
  { action, subject, subjectId, detail = {}, requestId, patientIds, now }: AuditEntry,
): Promise<void> {
  const call = currentCall();
  const concerned = patientIds ?? call?.patientIds ?? [];
  const written = await tx.query(sql`
    insert into audit_entries (at, user_id, team_id, action, subject, subject_id, request_id, address, route, patient_ids, detail, in_log)
    values (${now.toISOString()}, ${userId}, ${teamId}, ${action}, ${subject}, ${subjectId}, ${requestId}, ${call?.address ?? null},
      ${call?.route ?? null}, ${concerned.length > 0 ? concerned : null}, ${JSON.stringify(detail)}, ${isLogged(action)})`);
  assertWritten(written);
  if (call !== undefined) call.isWritten = true;
}

/** Throws if an insert added no entry: a trigger can drop a row without an error. */
export function assertWritten({ rowCount }: { rowCount: number }): void {
  if (rowCount !== 1) throw new Error('The audit entry was not written');
}

/** Writes an entry for something that users do to their own account; the transaction acts for the user from now on. */
export async function auditOwnAccount(
  tx: Queryable,
  userId: string,
  entry: Pick<AuditEntry, 'action' | 'detail' | 'requestId' | 'now'>,
): Promise<void> {
  await tx.query(sql`select set_config('tidings.user_id', ${userId}, true)`);
  await writeAuditAs(tx, { userId }, { ...entry, subject: 'user', subjectId: userId });
}
