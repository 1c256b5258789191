/**
 * Match reviews: subjects that a person must identify. Lists them, and applies or reverts a decision. How much of a review its reader sees is
 * in `show-review.ts` (docs/security.md, "Trust").
 */
import type { Review, ReviewOrder } from '#contract/reviews.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import type { Queryable, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { personOf, relink } from '#server/record/matching/relink.ts';
import type { Subject } from '#server/record/matching/subjects.ts';
import type { Relinked } from '#server/record/matching/write-links.ts';
import { KNOWN_RECORD, type RankedCandidate } from '#server/record/scoring/decide.ts';
import { decideAgain, identifyAround } from './decide-again.ts';
import { companionsOf, contradictsDecision, moveJoined, undoDecidedLink } from './joined-subjects.ts';
import { keepLabeledPairs, markUndone } from './labeled-pairs.ts';
import { type Choice, findReview, type LockedReview } from './locked-review.ts';
import {
  countOpenReviews,
  loadReview,
  loadReviews,
  type OpenReviews,
  type Reviewer,
  type ReviewRow,
} from './queries.ts';
import { isSameDecision, refuseDecided } from './repeated-decision.ts';
import { settleMerges } from './settle-merges.ts';
import { idOf, isClear, seenBy, showReview } from './show-review.ts';

export type ReviewPage = OpenReviews & { reviews: Review[] };

/**
 * Returns a page of the groups' open reviews as the reviewer sees them, most likely or oldest first, and the persons shown. `db`: the
 * pipeline's, because candidates may be listed by any group.
 */
export async function listReviews(
  db: Queryable,
  reviewer: Reviewer,
  page: { pageNumber: number; pageSize: number; order: ReviewOrder },
): Promise<{ shown: ReviewPage; personIds: string[] }> {
  const open = await countOpenReviews(db, reviewer.groupIds);
  const reviews = (await loadReviews(db, reviewer, page)).map((row) => showReview(reviewer, row));
  return {
    shown: { reviews: reviews.map(({ review }) => review), ...open },
    personIds: [...new Set(reviews.flatMap(({ personIds }) => personIds))],
  };
}

export interface DecisionOptions {
  reviewer: Reviewer;
  now: Date;
}

/**
 * Links the subject to one of the candidates that the reviewer sees, with all that people joined with it, or keeps it apart from all
 * (`candidateId` null). The decision holds regardless of later demographics, until it is reverted, and is kept as labeled pairs. Returns what
 * moved, nothing if the reviewer had decided the same before, or null if there is no such review or candidate. Throws OWN_ENTRY;
 * REVIEW_DECIDED; NOT_LISTED; REVIEW_CHANGED; REVIEW_OUTSIDE if the subject would be kept apart from a candidate whom the reviewer does not see;
 * NOT_CLEAR; REVIEW_CONTRADICTED.
 */
export async function applyDecision(
  db: Transaction,
  reviewId: string,
  choice: Choice,
  { reviewer, now }: DecisionOptions,
): Promise<Relinked[] | null> {
  const review = await findReview(db, reviewId, reviewer);
  if (review === null) return null;
  if (review.decidedAt !== null) {
    if (isSameDecision(review, choice, reviewer)) return [];
    return refuseDecided(db, review, reviewer);
  }
  const row = await loadReview(db, reviewer, reviewId);
  if (row === null) throw new ApiError('NOT_LISTED');
  const candidate = candidateToLink(reviewer, row, choice);
  if (candidate === undefined) return null;
  const subject: Subject = { kind: review.kind, id: review.subjectId };
  const from = await personOf(db, subject);
  const to = candidate?.personId ?? from;
  const { joined, rest } = await companionsOf(db, subject, from);
  // If the question is whether the record number belongs to its own person, nothing else of that person moves.
  const isOwn = ({ personId, evidence }: RankedCandidate) => personId === from && evidence.ruleId === KNOWN_RECORD;
  const isQuestioned = from === to || row.candidates.some(isOwn);
  if (from !== to && (await contradictsDecision(db, isQuestioned ? [] : joined, { from, to })))
    throw new ApiError('REVIEW_CONTRADICTED');
  const decidedBy = reviewer.userId;
  const relinked = await relink(db, subject, to, {
    decidedBy,
    now,
    outcome: 'decided',
    ruleId: candidate?.evidence.ruleId ?? null,
    evidence: candidate?.evidence ?? { keptApart: true },
  });
  const linkId = await recordDecision(db, review, { candidate, personId: to }, { reviewer, now });
  const followed = isQuestioned ? [] : await moveJoined(db, subject, { from, to, linkId, decidedBy, now });
  await settleMerges(db, subject, now);
  // A merge that the facility reported says nothing about rosters that list the person under the former number.
  const left = isQuestioned || to === row.heldPersonId ? [] : rest.map((link) => link.subject);
  const around = from === to ? [] : await identifyAround(db, [from], { subjects: left, except: subject, now });
  return [...relinked, ...followed, ...around];
}

/** Returns the chosen candidate, null for none of them, or undefined if there is no such candidate. */
function candidateToLink(
  reviewer: Reviewer,
  row: ReviewRow,
  { candidateId, version, onlyIfClear }: Choice,
): RankedCandidate | null | undefined {
  if (showReview(reviewer, row).review.version !== version) throw new ApiError('REVIEW_CHANGED');
  const seen = seenBy(reviewer, row);
  const candidate = candidateId === null ? null : seen.find(({ personId }) => idOf(row.salt, personId) === candidateId);
  if (candidateId === null && seen.length < row.candidates.length) throw new ApiError('REVIEW_OUTSIDE');
  if (onlyIfClear && !(isClear(reviewer, row) && candidate === row.candidates[0])) throw new ApiError('NOT_CLEAR');
  return candidate;
}

/** Closes the review and keeps what was decided. Returns the newest link of the subject. */
async function recordDecision(
  db: Transaction,
  { id, groupId, kind, subjectId, candidates }: LockedReview,
  { candidate, personId }: { candidate: RankedCandidate | null; personId: string },
  { reviewer, now }: DecisionOptions,
): Promise<string> {
  const { rows } = await db.query<{ linkId: string }>(sql`
    update match_reviews set decided_at = ${now}, decided_by = ${reviewer.userId}, decision_person_id = ${personId},
      link_id = (select max(id) from person_links where subject = ${kind} and subject_id = ${subjectId})
    where id = ${id} returning link_id as "linkId"`);
  const linkId = rows[0]?.linkId ?? '';
  await keepLabeledPairs(db, {
    reviewId: id,
    linkId,
    candidates,
    chosen: candidate,
    decidedBy: reviewer.userId,
    now,
  });
  await logChanges(db, [{ kind: 'review', change: 'decided', groupId, subjectId: id }], now);
  return linkId;
}

/**
 * Reverts a decision: the subject returns to its previous person with what the decision moved with it, and the review is open again with today's
 * evidence, unless nothing speaks for a match anymore. Returns what moved, or null if there is no such decision. Throws LinkSupersededError
 * if the subject was linked again since, and OWN_ENTRY.
 */
export async function revertDecision(
  db: Transaction,
  reviewId: string,
  { reviewer, now }: DecisionOptions,
): Promise<Relinked[] | null> {
  const review = await findReview(db, reviewId, reviewer);
  if (review === null || review.decidedAt === null || review.linkId === null) return null;
  const subject: Subject = { kind: review.kind, id: review.subjectId };
  const from = await personOf(db, subject);
  const relinked = await undoDecidedLink(db, subject, review.linkId, { decidedBy: reviewer.userId, now });
  await db.query(sql`
    update match_reviews set decided_at = null, decided_by = null, decision_person_id = null, link_id = null
    where id = ${reviewId}`);
  await markUndone(db, review.linkId, { undoneBy: reviewer.userId, now });
  await logChanges(db, [{ kind: 'review', change: 'reopened', groupId: review.groupId, subjectId: reviewId }], now);
  await settleMerges(db, subject, now);
  await decideAgain(db, subject, review.candidates, now);
  const to = await personOf(db, subject);
  const around = from === to ? [] : await identifyAround(db, [from, to], { subjects: [], except: subject, now });
  return [...relinked, ...around];
}
