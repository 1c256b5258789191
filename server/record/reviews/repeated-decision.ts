/** What answers a decision about a match that is decided already. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { Choice, LockedReview } from './locked-review.ts';
import type { Reviewer } from './queries.ts';
import { idOf } from './show-review.ts';

type Decided = Pick<LockedReview, 'candidates' | 'decisionPersonId'>;

/** Returns the person it was linked to; null if it was kept apart from all. */
export const linkedPerson = ({ candidates, decisionPersonId }: Decided): string | null =>
  candidates.find(({ personId }) => personId === decisionPersonId)?.personId ?? null;

/** Whether the reviewer sends a decision again, because its answer was lost. */
export function isSameDecision(review: LockedReview, { candidateId }: Choice, { userId }: Reviewer): boolean {
  if (review.decidedBy !== userId) return false;
  const personId = linkedPerson(review);
  return candidateId === (personId === null ? null : idOf(review.salt, personId));
}

export const ELSEWHERE = 'Another organization';

/** Returns the name of a colleague; people of other organizations are not named. */
export async function namesOf(
  db: Queryable,
  userIds: readonly string[],
  { organizationId }: Reviewer,
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(sql`
    select id, concat_ws(' ', first_name, last_name) as name from users
    where id = any (${userIds}::bigint[]) and organization_id = ${organizationId}`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Throws REVIEW_DECIDED, which says who decided what, and when. */
export async function refuseDecided(db: Queryable, review: LockedReview, reviewer: Reviewer): Promise<never> {
  const { decidedBy, decidedAt, linkId, id } = review;
  if (decidedBy === null || decidedAt === null) {
    throw new ApiError('REVIEW_DECIDED', {
      message: 'New records have settled this match since you opened it, so your decision was not saved.',
    });
  }
  const isOwn = decidedBy === reviewer.userId;
  const name = (await namesOf(db, [decidedBy], reviewer)).get(decidedBy) ?? ELSEWHERE;
  const what = linkedPerson(review) === null ? 'not the same person' : 'the same person';
  throw new ApiError('REVIEW_DECIDED', {
    message: `${isOwn ? 'You have' : `${name} has`} already decided this match: ${what}. This decision was not saved.`,
    standing: { version: linkId ?? id, last: { name, date: new Date(decidedAt).toISOString() } },
  });
}
