/**
 * Match reviews: subjects that a person must identify. Lists them, and applies or reverts a decision. How much of a review its reader sees is
 * in `show-review.ts` (docs/security.md, "Trust").
 */
import type { Review } from '#contract/reviews.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import type { Queryable, Transaction } from '#server/platform/database/pool.ts';
import { join, type Sql, sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { settleDossierOf } from '#server/record/listings/settle-dossiers.ts';
import { loadSubjectsOf, setProvisional } from '#server/record/matching/queries.ts';
import { personOf, relink, undoLink } from '#server/record/matching/relink.ts';
import { type Subject, subjectKey } from '#server/record/matching/subjects.ts';
import type { Relinked } from '#server/record/matching/write-links.ts';
import { keepLabeledPairs, markUndone } from './labeled-pairs.ts';
import { countOpenReviews, loadReviews, type Reviewer, type ReviewTrust, trustColumns } from './queries.ts';
import { idOf, isClear, seenBy, showReview } from './show-review.ts';

export interface ReviewPage {
  reviews: Review[];
  /** Of all pages. */
  total: number;
  oldestDate: string | null;
}

/**
 * Returns a page of the groups' open reviews as the reviewer sees them, most likely first, and the persons shown. `db`: the pipeline's,
 * because candidates may be listed by any group.
 */
export async function listReviews(
  db: Queryable,
  reviewer: Reviewer,
  page: { pageNumber: number; pageSize: number },
): Promise<{ shown: ReviewPage; personIds: string[] }> {
  const reviews = (await loadReviews(db, reviewer, page)).map((row) => showReview(reviewer, row));
  const open = await countOpenReviews(db, reviewer.groupIds);
  return {
    shown: { reviews: reviews.map(({ review }) => review), ...open },
    personIds: [...new Set(reviews.flatMap(({ personIds }) => personIds))],
  };
}

interface LockedReview extends ReviewTrust {
  groupId: string;
  kind: Subject['kind'];
  subjectId: string;
  linkId: string | null;
}

/**
 * Returns the review and locks it, or null if it does not belong to one of the groups or is not in this state. Throws OWN_ENTRY if the
 * reviewer uploaded or entered the patient: attesting a relationship and deciding who it is about takes two people.
 */
async function findReview(db: Queryable, id: string, reviewer: Reviewer, state: Sql): Promise<LockedReview | null> {
  const conditions = [sql`r.id = ${id}`, sql`r.group_id = any (${reviewer.groupIds}::bigint[])`, state];
  const { rows } = await db.query<LockedReview>(sql`
    select r.subject as kind, r.subject_id as "subjectId", r.link_id as "linkId", r.group_id as "groupId",
      ${trustColumns(reviewer)}
    from match_reviews r where ${join(conditions, ' and ')} for update`);
  if (rows[0]?.isOwnEntry) throw new ApiError('OWN_ENTRY');
  return rows[0] ?? null;
}

export interface DecisionOptions {
  reviewer: Reviewer;
  now: Date;
}

/** What to decide. `onlyIfClear`: not if the match is no longer clear, because the reviewer decides about several at once. */
export interface Choice {
  /** The candidate to link to; null if the subject is none of them. */
  candidateId: string | null;
  onlyIfClear: boolean;
}

/**
 * Links the subject to one of the candidates that the reviewer sees, or keeps it apart from all (`candidateId` null). The decision holds
 * regardless of later demographics, until it is reverted, and is kept as labeled pairs. Returns what moved, or null if there is no such open
 * review or candidate, or the candidate has no records any more. Throws OWN_ENTRY; REVIEW_OUTSIDE if the subject would be kept apart from a candidate whom the reviewer does not see;
 * NOT_CLEAR.
 */
export async function applyDecision(
  db: Transaction,
  reviewId: string,
  { candidateId, onlyIfClear }: Choice,
  { reviewer, now }: DecisionOptions,
): Promise<Relinked[] | null> {
  const decidedBy = reviewer.userId;
  const review = await findReview(db, reviewId, reviewer, sql`r.decided_at is null`);
  if (review === null) return null;
  const seen = seenBy(reviewer, review);
  if (candidateId === null && seen.length < review.candidates.length) throw new ApiError('REVIEW_OUTSIDE');
  const candidate = seen.find(({ personId }) => idOf(review.salt, personId) === candidateId);
  if (candidateId !== null && candidate === undefined) return null;
  if (onlyIfClear && !(isClear(reviewer, review) && candidate === review.candidates[0]))
    throw new ApiError('NOT_CLEAR');
  const subject: Subject = { kind: review.kind, id: review.subjectId };
  // The person's records have been linked to someone else since: a link would take the subject away from everyone.
  if (candidate && !(await hasRecords(db, candidate.personId, subject))) return null;
  const target = candidate?.personId ?? (await personOf(db, subject));
  const relinked = await relink(db, subject, target, {
    decidedBy,
    now,
    outcome: 'decided',
    ruleId: candidate?.evidence.ruleId ?? null,
    evidence: candidate?.evidence ?? { keptApart: true },
  });
  await setProvisional(db, new Map([[target, false]]));
  const { rows } = await db.query<{ linkId: string }>(sql`
    update match_reviews set decided_at = ${now}, decided_by = ${decidedBy}, decision_person_id = ${target},
      link_id = (select max(id) from person_links where subject = ${subject.kind} and subject_id = ${subject.id})
    where id = ${reviewId} returning link_id as "linkId"`);
  const { candidates } = review;
  const decided = { reviewId, linkId: rows[0]?.linkId ?? '', candidates, chosen: candidate ?? null, decidedBy, now };
  await keepLabeledPairs(db, decided);
  await logChanges(db, [{ kind: 'review', change: 'decided', groupId: review.groupId, subjectId: reviewId }], now);
  await settleMerges(db, subject, now);
  return relinked;
}

/** Whether the person has records besides the subject. */
async function hasRecords(db: Queryable, personId: string, subject: Subject): Promise<boolean> {
  const records = await loadSubjectsOf(db, [personId]);
  return records.some((record) => subjectKey(record) !== subjectKey(subject));
}

/** Carries out or takes back the merges that depend on the decision: those of the record numbers in the patient's dossier. */
async function settleMerges(tx: Transaction, { kind, id }: Subject, now: Date): Promise<void> {
  if (kind !== 'SOURCE_PATIENT') return;
  const { rows } = await tx.query(sql`
    select from source_patients s join source_patients other using (dossier_id) where s.id = ${id} and other.id <> ${id} limit 1`);
  if (rows.length > 0) await settleDossierOf(tx, id, now);
}

/**
 * Reverts a decision: the subject returns to its previous person, and the review is open again. Returns what moved, or null if
 * there is no such decision. Throws LinkSupersededError if the subject was linked again since, and OWN_ENTRY.
 */
export async function revertDecision(
  db: Transaction,
  reviewId: string,
  { reviewer, now }: DecisionOptions,
): Promise<Relinked[] | null> {
  const review = await findReview(db, reviewId, reviewer, sql`r.decided_at is not null and r.link_id is not null`);
  if (review === null || review.linkId === null) return null;
  const relinked = await undoLink(db, review.linkId, { decidedBy: reviewer.userId, now });
  await db.query(sql`
    update match_reviews set decided_at = null, decided_by = null, decision_person_id = null, link_id = null
    where id = ${reviewId}`);
  await markUndone(db, review.linkId, { undoneBy: reviewer.userId, now });
  await logChanges(db, [{ kind: 'review', change: 'reopened', groupId: review.groupId, subjectId: reviewId }], now);
  const subject: Subject = { kind: review.kind, id: review.subjectId };
  await setProvisional(db, new Map([[await personOf(db, subject), true]]));
  await settleMerges(db, subject, now);
  return relinked;
}
