/** Match reviews: subjects that a person must identify. Lists them, and applies or reverts a decision. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { join, type Sql, sql } from '#server/platform/database/sql.ts';
import { setProvisional } from '#server/record/matching/queries.ts';
import { personOf, relink, undoLink } from '#server/record/matching/relink.ts';
import type { Subject } from '#server/record/matching/subjects.ts';
import type { Relinked } from '#server/record/matching/write-links.ts';
import type { RankedCandidate } from '#server/record/scoring/decide.ts';

export interface Review {
  id: string;
  /** The group that the patient or the roster row belongs to. */
  facilityName: string;
  createdDate: string;
  /** The rule of the most likely candidate. */
  ruleId: string | null;
  candidates: RankedCandidate[];
}

/** Returns a page of the groups' open reviews, newest first. */
export async function listReviews(
  db: Queryable,
  groupIds: readonly string[],
  { pageNumber, pageSize }: { pageNumber: number; pageSize: number },
): Promise<{ reviews: Review[]; total: number }> {
  const isOpen = sql`r.group_id = any (${groupIds}::bigint[]) and r.decided_at is null`;
  const { rows } = await db.query<Omit<Review, 'ruleId'>>(sql`
    select r.id, g.name as "facilityName", r.created_at as "createdDate", r.candidates
    from match_reviews r join groups g on g.id = r.group_id
    where ${isOpen} order by r.id desc limit ${pageSize} offset ${(pageNumber - 1) * pageSize}`);
  const total = await db.query<{ count: number }>(sql`select count(*)::int from match_reviews r where ${isOpen}`);
  return {
    reviews: rows.map((row) => ({ ...row, ruleId: row.candidates[0]?.evidence.ruleId ?? null })),
    total: total.rows[0]?.count ?? 0,
  };
}

interface ReviewRow {
  kind: Subject['kind'];
  subjectId: string;
  candidates: RankedCandidate[];
  linkId: string | null;
}

/** Returns the review and locks it, or null if it does not belong to one of the groups or is not in this state. */
async function findReview(
  db: Queryable,
  id: string,
  groupIds: readonly string[],
  state: Sql,
): Promise<ReviewRow | null> {
  const conditions = [sql`id = ${id}`, sql`group_id = any (${groupIds}::bigint[])`, state];
  const { rows } = await db.query<ReviewRow>(sql`
    select subject as kind, subject_id as "subjectId", candidates, link_id as "linkId"
    from match_reviews where ${join(conditions, ' and ')} for update`);
  return rows[0] ?? null;
}

export interface DecisionOptions {
  /** The groups whose reviews the reviewer may decide. */
  groupIds: readonly string[];
  decidedBy: string;
  now: Date;
}

/**
 * Links the subject to one of the candidates, or keeps it apart (`personId` null). The decision holds regardless of later
 * demographics, until it is reverted. Returns what moved, or null if there is no such open review or candidate.
 */
export async function applyDecision(
  db: Queryable,
  reviewId: string,
  personId: string | null,
  { groupIds, decidedBy, now }: DecisionOptions,
): Promise<Relinked[] | null> {
  const review = await findReview(db, reviewId, groupIds, sql`decided_at is null`);
  if (review === null) return null;
  const candidate = review.candidates.find((each) => each.personId === personId);
  if (personId !== null && candidate === undefined) return null;
  const subject: Subject = { kind: review.kind, id: review.subjectId };
  const target = personId ?? (await personOf(db, subject));
  const relinked = await relink(db, subject, target, {
    decidedBy,
    now,
    outcome: 'decided',
    ruleId: candidate?.evidence.ruleId ?? null,
    evidence: candidate?.evidence ?? { keptApart: true },
  });
  await setProvisional(db, new Map([[target, false]]));
  await db.query(sql`
    update match_reviews set decided_at = ${now}, decided_by = ${decidedBy}, decision_person_id = ${target},
      link_id = (select max(id) from person_links where subject = ${subject.kind} and subject_id = ${subject.id})
    where id = ${reviewId}`);
  return relinked;
}

/**
 * Reverts a decision: the subject returns to its previous person, and the review is open again. Returns what moved, or null if
 * there is no such decision. Throws LinkSupersededError if the subject was linked again since.
 */
export async function revertDecision(
  db: Queryable,
  reviewId: string,
  { groupIds, decidedBy, now }: DecisionOptions,
): Promise<Relinked[] | null> {
  const review = await findReview(db, reviewId, groupIds, sql`decided_at is not null and link_id is not null`);
  if (review === null || review.linkId === null) return null;
  const relinked = await undoLink(db, review.linkId, { decidedBy, now });
  await db.query(sql`
    update match_reviews set decided_at = null, decided_by = null, decision_person_id = null, link_id = null
    where id = ${reviewId}`);
  const subject: Subject = { kind: review.kind, id: review.subjectId };
  await setProvisional(db, new Map([[await personOf(db, subject), true]]));
  return relinked;
}
