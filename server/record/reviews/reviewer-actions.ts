/**
 * What a reviewer does: list, decide a match review, or undo the decision. Only the pipeline role may write who a subject is, so the
 * action runs as that role, for the groups that the app role grants the reviewer. Then the pings are sent again, and the action
 * is audited.
 */
import type { ReviewOrder } from '#contract/reviews.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { notePatients } from '#server/people/audit/audited-call.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import type { Database, Queryable, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { recordOpenings } from '#server/record/listings/openings.ts';
import type { Relinked } from '#server/record/matching/write-links.ts';
import { resendMoved } from '#server/record/pings/notify.ts';
import { type DecidedPage, listDecided } from './decided-reviews.ts';
import { LinkSupersededError } from './joined-subjects.ts';
import type { Choice } from './locked-review.ts';
import { applyDecision, type DecisionOptions, listReviews, type ReviewPage, revertDecision } from './match-reviews.ts';
import { countOpenReviews, type Reviewer } from './queries.ts';

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

/** Returns a page of the open reviews that the actor may decide. */
export async function reviewsFor(
  { db, pipeline }: ReviewDeps,
  actor: Actor,
  page: { pageNumber: number; pageSize: number; order: ReviewOrder },
): Promise<ReviewPage> {
  return noted(pipeline, await listReviews(pipeline, await reviewerOf(db, actor), page));
}

/** Returns a page of the last decisions about reviews that the actor may decide. */
export async function decidedFor(
  { db, pipeline }: ReviewDeps,
  actor: Actor,
  page: { pageNumber: number; pageSize: number },
  now: Date,
): Promise<DecidedPage> {
  return noted(pipeline, await listDecided(pipeline, await reviewerOf(db, actor), page, now));
}

/** Notes for the audit log whose records are shown. */
async function noted<Page>(db: Queryable, { shown, personIds }: { shown: Page; personIds: string[] }): Promise<Page> {
  const { rows } = await db.query<{ id: string }>(
    sql`select id from roster_patients where person_id = any (${personIds}::bigint[])`,
  );
  notePatients(rows.map(({ id }) => id));
  return shown;
}

/** Returns how many open reviews the actor may decide, for the count in the navigation, and a string that changes with each of them. */
export function countReviewsFor(db: Database, actor: Actor): Promise<{ open: number; revision: string }> {
  return asActor(
    db,
    actor,
    'canManageUsers',
    async (tx) => {
      const { total, revision } = await countOpenReviews(tx, await groupsToReview(tx));
      return { open: total, revision };
    },
    { readOnly: true },
  );
}

/** Notes for the audit log whom reviews are about, candidates included. */
async function notePatientsOf(db: Queryable, reviewIds: readonly string[]): Promise<void> {
  const { rows } = await db.query<{ id: string }>(sql`
    select r.id from match_reviews m
      cross join lateral (
        select person_id from source_patients where m.subject = 'SOURCE_PATIENT' and id = m.subject_id
        union select person_id from roster_patients where m.subject = 'ROSTER_PATIENT' and id = m.subject_id
        union select (candidate ->> 'personId')::bigint from jsonb_array_elements(m.candidates) candidate) concerned
      join roster_patients r on r.person_id = concerned.person_id
    where m.id = any (${reviewIds}::bigint[])`);
  notePatients(rows.map(({ id }) => id));
}

/** Links the subject to a candidate, or keeps it apart. Errors: NOT_FOUND and those of `applyDecision`. */
export function decideReview(deps: ReviewDeps, action: ReviewerAction, choice: Choice): Promise<void> {
  return carryOut(deps, action, 'match-review.decide', async (tx, options) => {
    const moved = await applyDecision(tx, action.reviewId, choice, options);
    if (moved === null) return null;
    const opened = {
      listingIds: moved.flatMap(({ listingIds }) => listingIds),
      encounterIds: moved.flatMap(({ encounterIds }) => encounterIds),
    };
    const visits = await recordOpenings(tx, opened, { now: action.now, reviewedBy: action.actor.userId });
    return { moved, detail: { isLinked: choice.candidateId !== null, visits } };
  });
}

/** Undoes a decision, and reopens its review. Errors: NOT_FOUND; OWN_ENTRY; BAD_REQUEST if the subject was linked again since. */
export async function undoReview(deps: ReviewDeps, action: ReviewerAction): Promise<void> {
  try {
    await carryOut(deps, action, 'match-review.undo', async (tx, options) => {
      const moved = await revertDecision(tx, action.reviewId, options);
      return moved && { moved, detail: {} };
    });
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
  write: (
    tx: Transaction,
    options: DecisionOptions,
  ) => Promise<{ moved: Relinked[]; detail: Record<string, unknown> } | null>,
): Promise<void> {
  const reviewer = await reviewerOf(db, actor);
  await pipeline.transaction(
    async (tx) => {
      const written = await write(tx, { reviewer, now });
      if (written === null) throw new ApiError('NOT_FOUND');
      const { moved, detail } = written;
      await notePatientsOf(tx, [reviewId]);
      await resendMoved(tx, moved, now);
      await noteChange(tx);
      const audited = { ...tx, actor, groupIds: reviewer.groupIds };
      await writeAudit(audited, { action, subject: 'match-review', subjectId: reviewId, detail, now, requestId });
    },
    { retries: 3 },
  );
}

const reviewerOf = async (db: Database, actor: Actor): Promise<Reviewer> => ({
  userId: actor.userId,
  organizationId: actor.organizationId,
  isOperator: actor.isOperator,
  groupIds: await asActor(db, actor, 'canManageUsers', groupsToReview),
});

/** Returns the groups whose reviews the actor may decide: an operator's are all groups. */
async function groupsToReview(tx: ActorTransaction): Promise<readonly string[]> {
  if (!tx.actor.isOperator) return tx.groupIds;
  const { rows } = await tx.query<{ id: string }>(sql`select id from groups`);
  return rows.map(({ id }) => id);
}
