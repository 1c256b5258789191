/** What people decided about matches, for as long as it is listed. */
import { DAY } from '#contract/durations.ts';
import { DECIDED_DAYS, type DecidedReview } from '#contract/reviews.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { loadLinks } from '#server/record/matching/queries.ts';
import { type Subject, subjectKey } from '#server/record/matching/subjects.ts';
import { isInForce } from './joined-subjects.ts';
import { countDecided, type DecidedRow, loadDecided, type Reviewer } from './queries.ts';
import { ELSEWHERE, linkedPerson, namesOf } from './repeated-decision.ts';
import { idOf, showReview } from './show-review.ts';

export interface DecidedPage {
  reviews: DecidedReview[];
  /** Of all pages. */
  total: number;
}

/** Returns a page of the decisions about the groups' reviews, newest first, as the reviewer sees them, and the persons shown. `db`: the pipeline's. */
export async function listDecided(
  db: Queryable,
  reviewer: Reviewer,
  page: { pageNumber: number; pageSize: number },
  now: Date,
): Promise<{ shown: DecidedPage; personIds: string[] }> {
  const since = new Date(now.getTime() - DECIDED_DAYS * DAY);
  const rows = await loadDecided(db, reviewer, { ...page, since });
  const links = await loadLinks(db, rows.map(subjectOf));
  const names = await namesOf(
    db,
    rows.map(({ decidedById }) => decidedById),
    reviewer,
  );
  const shown = rows.map((row) => {
    const { review, personIds } = showReview(reviewer, row);
    const personId = linkedPerson(row);
    const link = links.get(subjectKey(subjectOf(row)));
    const reviewed: DecidedReview = {
      id: row.id,
      decidedDate: new Date(row.decidedDate).toISOString(),
      decidedBy: names.get(row.decidedById) ?? ELSEWHERE,
      record: review.record,
      candidate: review.candidates.find(({ id }) => personId !== null && id === idOf(row.salt, personId)) ?? null,
      isLinked: personId !== null,
      canUndo: !row.isOwnEntry && link !== undefined && row.linkId !== null && isInForce(link, row.linkId),
    };
    return { reviewed, personIds };
  });
  return {
    shown: { reviews: shown.map(({ reviewed }) => reviewed), total: await countDecided(db, reviewer, since) },
    personIds: [...new Set(shown.flatMap(({ personIds }) => personIds))],
  };
}

const subjectOf = ({ kind, subjectId }: DecidedRow): Subject => ({ kind, id: subjectId });
