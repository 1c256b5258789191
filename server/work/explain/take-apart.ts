/** What someone does who reads why the team got a ping, and sees that it is about another person. */
import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { separateRecord } from '#server/record/reviews/separate-record.ts';
import { type AskedPing, loadExplanation, mayTakeApart } from './explain.ts';
import { evidenceOfVisit } from './queries.ts';

export interface TakeApartDeps {
  /** Connected as the app role. */
  db: Database;
  /** Connected as the pipeline role, the only one that may write who a subject is. */
  pipeline: Database;
}

/** Separates the record of the ping's visit. Errors: NOT_FOUND as of `explainPing`; NOT_PERMITTED; MATCH_CHANGED as of `separateRecord`. */
export async function takeMatchApart(
  { db, pipeline }: TakeApartDeps,
  { actor, asked, now, requestId }: { actor: Actor; asked: AskedPing; now: Date; requestId: string },
): Promise<void> {
  const explained = await asActor(db, actor, 'canViewPings', (tx) => loadExplanation(tx, asked, now), {
    readOnly: true,
  });
  if (explained.visit === null) throw new ApiError('MATCH_CHANGED');
  const { encounterId, link } = explained;
  const evidence = await asActor(db, actor, 'canManageUsers', (tx) => evidenceOfVisit(tx, encounterId), {
    readOnly: true,
  });
  if (!mayTakeApart(link, evidence)) throw new ApiError('NOT_PERMITTED');
  await separateRecord(pipeline, (tx) => recordOf(tx, encounterId), { actor, now, requestId });
}

async function recordOf(db: Queryable, encounterId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    sql`select source_patient_id as id from encounters where id = ${encounterId}`,
  );
  return rows.map(({ id }) => id);
}
