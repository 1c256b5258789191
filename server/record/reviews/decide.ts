/**
 * Decisions about identities. Only the pipeline's role may write who somebody is, so the deed runs as that role, for the groups
 * that the app's role says the actor has.
 */

import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { LinkSupersededError, type Relinked } from '#server/record/matching/relink.ts';
import { resendMoved } from '#server/record/pings/notify.ts';
import { type DecideReviewOptions, decideReview, undoReview } from './reviews.ts';

export interface ReviewDeps {
  /** The app role's. */
  db: Database;
  /** The pipeline role's. */
  pipeline: Database;
}

interface Deed {
  actor: Actor;
  reviewId: string;
  now: Date;
  requestId: string;
}

/** Links to one of the candidates, or keeps apart (`personId` null), and tells what that changes. Errors: NOT_FOUND. */
export function decide(deps: ReviewDeps, deed: Deed, personId: string | null): Promise<void> {
  const detail = { personId };
  return carryOut(deps, deed, 'match-review.decide', detail, (tx, options) =>
    decideReview(tx, deed.reviewId, personId, options),
  );
}

/** Takes a decision back. Errors: NOT_FOUND; BAD_REQUEST where a newer link has come since. */
export async function undo(deps: ReviewDeps, deed: Deed): Promise<void> {
  try {
    await carryOut(deps, deed, 'match-review.undo', {}, (tx, options) => undoReview(tx, deed.reviewId, options));
  } catch (error) {
    if (!(error instanceof LinkSupersededError)) throw error;
    throw new ApiError('BAD_REQUEST', {
      message: 'The identity has changed since; this decision is no longer in force.',
    });
  }
}

async function carryOut(
  { db, pipeline }: ReviewDeps,
  { actor, reviewId, now, requestId }: Deed,
  action: string,
  detail: Record<string, unknown>,
  deed: (tx: Transaction, options: DecideReviewOptions) => Promise<Relinked[] | null>,
): Promise<void> {
  const groupIds = await asActor(db, actor, 'canManageUsers', groupsToReview);
  await pipeline.transaction(
    async (tx) => {
      const moved = await deed(tx, { groupIds, decidedBy: actor.userId, now });
      if (moved === null) throw new ApiError('NOT_FOUND');
      await resendMoved(tx, moved, now);
      await noteChange(tx);
      const audited = { ...tx, actor, groupIds };
      await writeAudit(audited, { action, subject: 'match-review', subjectId: reviewId, detail, now, requestId });
    },
    { retries: 3 },
  );
}

/** The groups whose reviews the actor may decide. */
export async function groupsToReview(tx: ActorTransaction): Promise<readonly string[]> {
  if (!tx.actor.isOperator) return tx.groupIds;
  const { rows } = await tx.query<{ id: string }>(sql`select id from groups`);
  return rows.map(({ id }) => id);
}
