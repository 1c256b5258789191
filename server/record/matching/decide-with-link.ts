/** Who is a subject that was linked before? */
import type { Queryable } from '#server/platform/database/pool.ts';
import { KNOWN_RECORD } from '#server/record/scoring/decide.ts';
import type { MatchingContext } from './matching-context.ts';
import { hasSeveralVisits, type Link } from './queries.ts';
import { type SubjectRecord, subjectKey } from './subjects.ts';
import { type Decided, decideBesideWaiting } from './waiting.ts';

/**
 * Decides in favor of the person that the matcher already linked the subject to, who may have moved or married. If the new
 * demographics contradict that person, a facility's record number goes to review once it has several visits, because they may
 * now belong to two people. With a single visit, and for a roster row, the new demographics count as a correction and decide
 * alone.
 */
export async function decideWithLink(
  db: Queryable,
  subject: SubjectRecord,
  link: Link | undefined,
  context: MatchingContext,
): Promise<Decided> {
  const { candidates, joined } = context;
  const isKnown = link?.outcome === 'matched' || joined.has(subjectKey(subject));
  const own = isKnown ? candidates.ownPerson(subject) : undefined;
  // What the facility merged into the subject was linked to the person before, so it counts for the subject too.
  const knownRecord =
    own && joined.has(subjectKey(subject)) ? candidates.personWithout(subject.personId, [subject]) : own;
  const decided = decideBesideWaiting(subject, context, { knownRecord });
  const { outcome, evidence } = decided.decision;
  if (!isContested({ outcome, ruleId: evidence?.ruleId })) return decided;
  return (await hasSeveralVisits(db, subject)) ? decided : decideBesideWaiting(subject, context);
}

/**
 * Whether a record number is in review because its demographics contradict the linked person: someone was registered under
 * another patient's number, or the number was reused. Its patient is not a candidate for anyone, or one person's visits would
 * be sent to groups that list the other.
 */
export const isContested = (
  link: { outcome?: string | undefined; ruleId?: string | null | undefined } | undefined,
): boolean => link?.outcome === 'review' && link.ruleId === KNOWN_RECORD;
