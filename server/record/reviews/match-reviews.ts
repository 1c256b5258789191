/**
 * Match reviews: subjects that a person must identify. Lists them, and applies or reverts a decision. A reviewer sees evidence about people
 * whom their own organization knows; about all others they learn only that a possible match exists (docs/security.md, "Trust").
 */
import { createHash } from 'node:crypto';
import type { Queryable, Transaction } from '#server/platform/database/pool.ts';
import { join, type Sql, sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { settleDossierOf } from '#server/record/listings/settle-dossiers.ts';
import { setProvisional } from '#server/record/matching/queries.ts';
import { personOf, relink, undoLink } from '#server/record/matching/relink.ts';
import type { Subject } from '#server/record/matching/subjects.ts';
import type { Relinked } from '#server/record/matching/write-links.ts';
import type { Evidence, RankedCandidate } from '#server/record/scoring/decide.ts';

export interface Reviewer {
  userId: string;
  organizationId: string;
  /** An operator sees and decides about all candidates. */
  isOperator: boolean;
  /** The groups whose reviews the reviewer may decide. */
  groupIds: readonly string[];
}

export interface Review {
  id: string;
  /** The group that the patient or the roster row belongs to. */
  facilityName: string;
  createdDate: string;
  /** The rule of the most likely candidate; null if the reviewer does not see that one. */
  ruleId: string | null;
  /** Those that the reviewer sees, most likely first. */
  candidates: { id: string; evidence: Evidence }[];
  hasOutsideCandidate: boolean;
  isOwnEntry: boolean;
}

interface ReviewRow {
  candidates: RankedCandidate[];
  salt: string;
  /** The candidates whom the reviewer's organization knows. */
  knownIds: string[];
  isOwnEntry: boolean;
}

/** The organization lists the person now, or a facility of it has a visit of theirs. */
const isKnown = (organizationId: string, personId: Sql): Sql => sql`(
  exists (select from roster_patients l join groups g on g.id = l.group_id
    where l.person_id = ${personId} and l.left_at is null and g.organization_id = ${organizationId})
  or exists (select from encounters e join groups g on g.id = e.group_id
    where e.person_id = ${personId} and e.status <> 'CANCELLED' and g.organization_id = ${organizationId}))`;

/** Columns of a `ReviewRow`, of `match_reviews r`. */
const reviewColumns = ({ organizationId, userId }: Reviewer): Sql => sql`
  r.candidates, r.salt,
  array(select c ->> 'personId' from jsonb_array_elements(r.candidates) as c
    where ${isKnown(organizationId, sql`(c ->> 'personId')::bigint`)}) as "knownIds",
  case r.subject
    when 'ROSTER_PATIENT' then exists (select from roster_patients p where p.id = r.subject_id and p.attested_by = ${userId})
    else exists (select from facts f where f.source_patient_id = r.subject_id and f.adt #>> '{enteredBy,userId}' = ${userId}::text)
  end as "isOwnEntry"`;

/** Names a candidate within one review, without revealing the person's id: the salt is never sent. */
const idOf = (salt: string, personId: string): string =>
  createHash('sha256').update(`${salt}:${personId}`).digest('hex').slice(0, 32);

const seenBy = ({ isOperator }: Reviewer, { candidates, knownIds }: ReviewRow): RankedCandidate[] =>
  candidates.filter(({ personId }) => isOperator || knownIds.includes(personId));

/** Returns a page of the groups' open reviews, newest first. `db`: the pipeline's, because candidates may be listed by any group. */
export async function listReviews(
  db: Queryable,
  reviewer: Reviewer,
  { pageNumber, pageSize }: { pageNumber: number; pageSize: number },
): Promise<{ reviews: Review[]; total: number }> {
  const isOpen = sql`r.group_id = any (${reviewer.groupIds}::bigint[]) and r.decided_at is null`;
  const { rows } = await db.query<ReviewRow & Pick<Review, 'id' | 'facilityName' | 'createdDate'>>(sql`
    select r.id, g.name as "facilityName", r.created_at as "createdDate", ${reviewColumns(reviewer)}
    from match_reviews r join groups g on g.id = r.group_id
    where ${isOpen} order by r.id desc limit ${pageSize} offset ${(pageNumber - 1) * pageSize}`);
  const total = await db.query<{ count: number }>(sql`select count(*)::int from match_reviews r where ${isOpen}`);
  return {
    reviews: rows.map((row) => {
      const seen = seenBy(reviewer, row);
      return {
        id: row.id,
        facilityName: row.facilityName,
        createdDate: row.createdDate,
        ruleId: seen[0] !== undefined && seen[0] === row.candidates[0] ? seen[0].evidence.ruleId : null,
        candidates: seen.map(({ personId, evidence }) => ({ id: idOf(row.salt, personId), evidence })),
        hasOutsideCandidate: seen.length < row.candidates.length,
        isOwnEntry: row.isOwnEntry,
      };
    }),
    total: total.rows[0]?.count ?? 0,
  };
}

interface LockedReview extends ReviewRow {
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
    select r.subject as kind, r.subject_id as "subjectId", r.link_id as "linkId", ${reviewColumns(reviewer)}
    from match_reviews r where ${join(conditions, ' and ')} for update`);
  if (rows[0]?.isOwnEntry) throw new ApiError('OWN_ENTRY');
  return rows[0] ?? null;
}

export interface DecisionOptions {
  reviewer: Reviewer;
  now: Date;
}

/**
 * Links the subject to one of the candidates that the reviewer sees, or keeps it apart from all (`candidateId` null). The decision holds
 * regardless of later demographics, until it is reverted. Returns what moved, or null if there is no such open review or candidate. Throws
 * OWN_ENTRY; REVIEW_OUTSIDE if the subject would be kept apart from a candidate whom the reviewer does not see.
 */
export async function applyDecision(
  db: Transaction,
  reviewId: string,
  candidateId: string | null,
  { reviewer, now }: DecisionOptions,
): Promise<Relinked[] | null> {
  const decidedBy = reviewer.userId;
  const review = await findReview(db, reviewId, reviewer, sql`r.decided_at is null`);
  if (review === null) return null;
  const seen = seenBy(reviewer, review);
  if (candidateId === null && seen.length < review.candidates.length) throw new ApiError('REVIEW_OUTSIDE');
  const candidate = seen.find(({ personId }) => idOf(review.salt, personId) === candidateId);
  if (candidateId !== null && candidate === undefined) return null;
  const subject: Subject = { kind: review.kind, id: review.subjectId };
  const target = candidate?.personId ?? (await personOf(db, subject));
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
  await settleMerges(db, subject, now);
  return relinked;
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
  const subject: Subject = { kind: review.kind, id: review.subjectId };
  await setProvisional(db, new Map([[await personOf(db, subject), true]]));
  await settleMerges(db, subject, now);
  return relinked;
}
