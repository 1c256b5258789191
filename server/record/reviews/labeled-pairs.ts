/** What people decided about compared pairs, for the evaluation of the matcher: levels and outcomes, never values. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { RankedCandidate } from '#server/record/scoring/decide.ts';

interface Decided {
  reviewId: string;
  /** The link that the decision wrote. */
  linkId: string;
  candidates: readonly RankedCandidate[];
  /** The candidate that was chosen; null if it is none of them. */
  chosen: RankedCandidate | null;
  decidedBy: string;
  now: Date;
}

/**
 * Keeps the pairs that a decision says something about. Choosing a candidate says nothing about the others: two of them may be the same
 * person under two ids.
 */
export async function keepLabeledPairs(db: Queryable, decided: Decided): Promise<void> {
  const { reviewId, linkId, candidates, chosen, decidedBy, now } = decided;
  const labeled = chosen === null ? candidates : [chosen];
  await db.query(sql`
    insert into labeled_pairs (review_id, link_id, person_id, outcome, evidence, decided_at, decided_by)
    select ${reviewId}, ${linkId}, person_id, ${chosen === null ? 'DIFFERENT' : 'SAME'}, evidence::jsonb, ${now}, ${decidedBy}
    from unnest(${labeled.map(({ personId }) => personId)}::bigint[],
      ${labeled.map(({ evidence }) => JSON.stringify(evidence))}::text[]) as l (person_id, evidence)`);
}

/** Marks the pairs of a decision as undone. */
export async function markUndone(
  db: Queryable,
  linkId: string,
  { undoneBy, now }: { undoneBy: string; now: Date },
): Promise<void> {
  await db.query(sql`
    update labeled_pairs set undone_at = ${now}, undone_by = ${undoneBy} where link_id = ${linkId} and undone_at is null`);
}
