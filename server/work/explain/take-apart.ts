/** What someone does who reads why the team got a ping, and sees that it is about another person. */
import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { notePatients } from '#server/people/audit/audited-call.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { Subject } from '#server/record/matching/subjects.ts';
import { resendMoved } from '#server/record/pings/notify.ts';
import { takeApart } from '#server/record/reviews/take-apart.ts';
import { type AskedPing, loadExplanation } from './explain.ts';
import { type MatchOfPing, mayTakeApart } from './may-take-apart.ts';

export interface TakeApartDeps {
  /** Connected as the app role. */
  db: Database;
  /** Connected as the pipeline role, the only one that may write who a subject is. */
  pipeline: Database;
}

/**
 * Takes the match behind a ping apart, retracts the pings that came from it, and opens a review. Errors: NOT_FOUND as of `explainPing`; MATCH_CHANGED
 * unless the matcher made the two one person, and the one that came later is the actor's to administer.
 */
export async function takeMatchApart(
  { db, pipeline }: TakeApartDeps,
  { actor, asked, now, requestId }: { actor: Actor; asked: AskedPing; now: Date; requestId: string },
): Promise<void> {
  const explained = await asActor(db, actor, 'canViewPings', (tx) => loadExplanation(tx, asked, now), {
    readOnly: true,
  });
  const mayTake =
    explained.visit !== null &&
    (await asActor(db, actor, 'canManageUsers', (tx) => mayTakeApart(tx, explained), { readOnly: true }));
  if (!mayTake) throw new ApiError('MATCH_CHANGED');
  await pipeline.transaction(
    async (tx) => {
      const subject = await laterOf(tx, explained);
      const moved = await takeApart(tx, subject, { decidedBy: actor.userId, now });
      if (moved === null) throw new ApiError('MATCH_CHANGED');
      notePatients([asked.patientId.split('_')[0] ?? '']);
      await resendMoved(tx, moved, now);
      await noteChange(tx);
      const entry = { action: 'match-review.take-apart', subject: 'event' as const, subjectId: asked.eventId };
      await writeAudit({ ...tx, actor }, { ...entry, detail: { separated: subject }, now, requestId });
    },
    { retries: 3 },
  );
}

/** Returns whichever of the two came later. */
async function laterOf(db: Queryable, { encounterId, listingId, link }: MatchOfPing): Promise<Subject> {
  if (link?.isListing) return { kind: 'ROSTER_PATIENT', id: listingId };
  const { rows } = await db.query<{ id: string }>(
    sql`select source_patient_id as id from encounters where id = ${encounterId}`,
  );
  return { kind: 'SOURCE_PATIENT', id: rows[0]?.id ?? '0' };
}
