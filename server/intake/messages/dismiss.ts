/**
 * A quarantined message that no one will correct is dismissed: it is NOT_ACTED_ON, stays in the list with the reason, and is no longer
 * replayed with its feed. Nothing that it said is applied or was. It can be undone, and replayed by itself (docs/decisions/0093).
 */
import type { z } from 'zod';
import type { Message, newDismissal } from '#contract/feeds.ts';
import { DISMISSAL_CAUSES } from '#contract/message-words.ts';
import { maySeeMessage } from '#server/intake/feeds/feed-scope.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { findMessage } from './list-messages.ts';

/** A message that leaves for the queue or comes from it while it is waited for ends the transaction (40001), which then finds it where it is. */
export const AGAIN = { retries: 3 };

interface Deed {
  now: Date;
  requestId: string;
}

interface Stored {
  status: string;
  reason: string;
}

/** Locks the message, so that it is neither dismissed twice nor while it is replayed. Throws NOT_FOUND. */
async function lock(tx: ActorTransaction, id: string): Promise<Stored> {
  const { rows } = await tx.query<Stored>(
    sql`select m.status, m.reason from messages m where m.id = ${id} and ${maySeeMessage(tx)} for update of m`,
  );
  if (rows[0] === undefined) throw new ApiError('NOT_FOUND');
  return rows[0];
}

/** Dismisses a quarantined message. Errors: NOT_FOUND; BAD_REQUEST if it isn't in quarantine. */
export function dismiss(
  db: Database,
  actor: Actor,
  id: string,
  { cause, note }: z.output<typeof newDismissal>,
  { now, requestId }: Deed,
): Promise<Message> {
  return asActor(
    db,
    actor,
    'canManageUsers',
    async (tx) => {
      const { status, reason } = await lock(tx, id);
      if (status !== 'QUARANTINED')
        throw new ApiError('BAD_REQUEST', { message: 'This message is no longer in quarantine. Reload it.' });
      await tx.query(sql`
      insert into message_dismissals (message_id, cause, note, quarantine_reason, dismissed_at, dismissed_by, display_name)
      values (${id}, ${cause}, ${note}, ${reason}, ${now}, ${actor.userId}, ${actor.displayName})`);
      const words = `Dismissed: ${DISMISSAL_CAUSES[cause]} (was in quarantine: ${reason})`;
      await tx.query(sql`
      update messages set status = 'NOT_ACTED_ON', reason = ${words}, processed_at = ${now} where id = ${id}`);
      const detail = { cause };
      await writeAudit(tx, { action: 'message.dismiss', subject: 'message', subjectId: id, detail, now, requestId });
      return findMessage(tx, id);
    },
    AGAIN,
  );
}

/** Puts a dismissed message back into quarantine. Errors: NOT_FOUND; BAD_REQUEST if it isn't dismissed. */
export function undismiss(db: Database, actor: Actor, id: string, { now, requestId }: Deed): Promise<Message> {
  return asActor(
    db,
    actor,
    'canManageUsers',
    async (tx) => {
      await lock(tx, id);
      const reason = await endDismissal(tx, id, now);
      if (reason === null) throw new ApiError('BAD_REQUEST', { message: 'This message is not dismissed. Reload it.' });
      await tx.query(sql`update messages set status = 'QUARANTINED', reason = ${reason} where id = ${id}`);
      const detail = {};
      await writeAudit(tx, { action: 'message.undismiss', subject: 'message', subjectId: id, detail, now, requestId });
      return findMessage(tx, id);
    },
    AGAIN,
  );
}

/** Ends the dismissal of a message, if there is one. Returns what the quarantine said, or null. */
export async function endDismissal(tx: ActorTransaction, id: string, now: Date): Promise<string | null> {
  const { rows } = await tx.query<{ reason: string }>(sql`
    update message_dismissals set ended_at = ${now} where message_id = ${id} and ended_at is null
    returning quarantine_reason as reason`);
  return rows[0]?.reason ?? null;
}
