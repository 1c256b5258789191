/** A review that is being decided or reopened, locked until the transaction ends. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { Subject } from '#server/record/matching/subjects.ts';
import { type Reviewer, type ReviewTrust, trustColumns } from './queries.ts';

/** A review as it is stored, with all its candidates. */
export interface LockedReview extends ReviewTrust {
  id: string;
  groupId: string;
  kind: Subject['kind'];
  subjectId: string;
  linkId: string | null;
  decidedAt: Date | null;
  decidedBy: string | null;
  decisionPersonId: string | null;
}

/**
 * Returns the review, open or decided, and locks it, or null if it does not belong to one of the groups. Throws OWN_ENTRY if the reviewer
 * uploaded or entered the patient: attesting a relationship and deciding who it is about takes two people.
 */
export async function findReview(db: Queryable, id: string, reviewer: Reviewer): Promise<LockedReview | null> {
  const { rows } = await db.query<LockedReview>(sql`
    select r.id, r.subject as kind, r.subject_id as "subjectId", r.link_id as "linkId", r.group_id as "groupId",
      r.decided_at as "decidedAt", r.decided_by as "decidedBy", r.decision_person_id as "decisionPersonId",
      ${trustColumns(reviewer, sql`r.candidates`)}
    from match_reviews r where r.id = ${id} and r.group_id = any (${reviewer.groupIds}::bigint[]) for update`);
  if (rows[0]?.isOwnEntry) throw new ApiError('OWN_ENTRY');
  return rows[0] ?? null;
}

/** What to decide. `onlyIfClear`: not if the match is no longer clear, because the reviewer decides about several at once. */
export interface Choice {
  /** The candidate to link to; null if the subject is none of them. */
  candidateId: string | null;
  /** Of the match that the reviewer compared. */
  version: string;
  onlyIfClear: boolean;
}
