/**
 * What a reviewer does: decide a match review, or undo the decision. Only the pipeline role may write who a subject is, so the
 * action runs as that role, for the groups that the app role grants the reviewer. Then the pings are sent again, and the action
 * is audited.
 */
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { LinkSupersededError } from '#server/record/matching/relink.ts';
import type { Relinked } from '#server/record/matching/write-links.ts';
import { resendMoved } from '#server/record/pings/notify.ts';
import { applyDecision, type DecisionOptions, revertDecision } from './match-reviews.ts';

export interface ReviewDeps {
  /** The app role's. */
  db: Database;
  /** The pipeline role's. */
  pipeline: Database;
}

interface ReviewerAction {
  actor: Actor;
  reviewId: string;
  now: Date;
  requestId: string;
}

/** Links the subject to a candidate, or keeps it apart (`personId` null). Errors: NOT_FOUND. */
export function decideReview(deps: ReviewDeps, action: ReviewerAction, personId: string | null): Promise<void> {
  return carryOut(deps, action, 'match-review.decide', { personId }, (tx, options) =>
    applyDecision(tx, action.reviewId, personId, options),
  );
}

/** Undoes a decision, and reopens its review. Errors: NOT_FOUND; BAD_REQUEST if the subject was linked again since. */
export async function undoReview(deps: ReviewDeps, action: ReviewerAction): Promise<void> {
  try {
    await carryOut(deps, action, 'match-review.undo', {}, (tx, options) =>
      revertDecision(tx, action.reviewId, options),
    );
  } catch (error) {
    if (!(error instanceof LinkSupersededError)) throw error;
    throw new ApiError('BAD_REQUEST', {
      message: "This decision can't be undone: the patient's identity has changed since.",
    });
  }
}

async function carryOut(
  { db, pipeline }: ReviewDeps,
  { actor, reviewId, now, requestId }: ReviewerAction,
  action: string,
  detail: Record<string, unknown>,
  write: (tx: Transaction, options: DecisionOptions) => Promise<Relinked[] | null>,
): Promise<void> {
  const groupIds = await asActor(db, actor, 'canManageUsers', groupsToReview);
  await pipeline.transaction(
    async (tx) => {
      const moved = await write(tx, { groupIds, decidedBy: actor.userId, now });
      if (moved === null) throw new ApiError('NOT_FOUND');
      await resendMoved(tx, moved, now);
      await noteChange(tx);
      const audited = { ...tx, actor, groupIds };
      await writeAudit(audited, { action, subject: 'match-review', subjectId: reviewId, detail, now, requestId });
    },
    { retries: 3 },
  );
}

/** Returns the groups whose reviews the actor may decide: an operator's are all groups. */
export async function groupsToReview(tx: ActorTransaction): Promise<readonly string[]> {
  if (!tx.actor.isOperator) return tx.groupIds;
  const { rows } = await tx.query<{ id: string }>(sql`select id from groups`);
  return rows.map(({ id }) => id);
}
