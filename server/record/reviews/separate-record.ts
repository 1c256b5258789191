/** Separates a facility's record from the person to whom the matcher linked it wrongly: for who may decide about the facility's records. */
import { findMessage } from '#server/intake/messages/list-messages.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { notePatients } from '#server/people/audit/audited-call.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import type { Database, Queryable, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { recordOpenings } from '#server/record/listings/openings.ts';
import { resendMoved } from '#server/record/pings/notify.ts';
import type { ReviewDeps } from './reviewer-actions.ts';
import { takeApart } from './take-apart.ts';

interface Separating {
  actor: Actor;
  now: Date;
  requestId: string;
}

/** Separates the record that a message is about. Errors: NOT_FOUND for a message that the actor may not read; MATCH_CHANGED as of `separateRecord`. */
export async function separateRecordOfMessage(
  { db, pipeline }: ReviewDeps,
  messageId: string,
  separating: Separating,
): Promise<void> {
  await asActor(db, separating.actor, 'canManageUsers', (tx) => findMessage(tx, messageId), { readOnly: true });
  await separateRecord(pipeline, (tx) => recordsOfMessage(tx, messageId), separating);
}

async function recordsOfMessage(db: Queryable, messageId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    select distinct source_patient_id as id from facts where message_id = ${messageId} and source_patient_id is not null`);
  return rows.map(({ id }) => id);
}

/**
 * Separates a record, retracts the pings that came from the match, and opens a review (`take-apart.ts`). The caller has checked the actor's right. Errors:
 * MATCH_CHANGED unless there is one record, and the matcher linked it to someone else.
 */
export async function separateRecord(
  pipeline: Database,
  find: (tx: Queryable) => Promise<string[]>,
  { actor, now, requestId }: Separating,
): Promise<void> {
  await pipeline.transaction(
    async (tx) => {
      const [id, ...more] = await find(tx);
      if (id === undefined || more.length > 0) throw new ApiError('MATCH_CHANGED');
      await notePatientsWith(tx, id);
      const subject = { kind: 'SOURCE_PATIENT', id } as const;
      const moved = await takeApart(tx, subject, { decidedBy: actor.userId, now });
      if (moved === null) throw new ApiError('MATCH_CHANGED');
      const opened = {
        listingIds: moved.flatMap(({ listingIds }) => listingIds),
        encounterIds: moved.flatMap(({ encounterIds }) => encounterIds),
      };
      await recordOpenings(tx, opened, { now, reviewedBy: actor.userId });
      await resendMoved(tx, moved, now);
      await noteChange(tx);
      const entry = { action: 'match-review.take-apart', subject: 'match-review' as const, subjectId: null };
      await writeAudit({ ...tx, actor }, { ...entry, detail: { separated: subject }, now, requestId });
    },
    { retries: 3 },
  );
}

/** Notes for the audit log whose listings have the record's person. */
async function notePatientsWith(tx: Transaction, recordId: string): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(sql`
    select r.id from source_patients s join roster_patients r on r.person_id = s.person_id where s.id = ${recordId}`);
  notePatients(rows.map(({ id }) => id));
}
