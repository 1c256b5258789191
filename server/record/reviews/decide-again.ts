/** What follows a decision or its undoing: others are identified again, and a reopened review is compared with today's records. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { contradicted } from '#server/record/matching/apart.ts';
import { identifyAll } from '#server/record/matching/identify.ts';
import { loadMatchingContext } from '#server/record/matching/matching-context.ts';
import { settleReviews } from '#server/record/matching/open-reviews.ts';
import { loadSubjectsOf } from '#server/record/matching/queries.ts';
import { type Subject, type SubjectRecord, subjectKey } from '#server/record/matching/subjects.ts';
import type { Relinked } from '#server/record/matching/write-links.ts';
import type { ListSnapshot } from '#server/record/scoring/common-values.ts';
import { decide, KNOWN_RECORD, type RankedCandidate } from '#server/record/scoring/decide.ts';

interface Around {
  /** Subjects to identify in any case. */
  subjects: readonly Subject[];
  /** The subject that was decided. */
  except: Subject;
  now: Date;
}

/** Identifies subjects whose open reviews name one of the persons, who have other records now. Returns what moved. */
export async function identifyAround(
  db: Queryable,
  personIds: readonly string[],
  { subjects, except, now }: Around,
): Promise<Relinked[]> {
  const { rows } = await db.query<Subject>(sql`
    select r.subject as kind, r.subject_id as id from match_reviews r
    where r.decided_at is null and r.candidates @> any (
      select jsonb_build_array(jsonb_build_object('personId', person::text)) from unnest(${personIds}::bigint[]) as person)
    order by r.id`);
  const all = new Map([...subjects, ...rows].map((subject) => [subjectKey(subject), subject]));
  all.delete(subjectKey(except));
  if (all.size === 0) return [];
  return (await identifyAll(db, [...all.values()], { now })).relinked;
}

/**
 * Compares the subject of a reopened review with today's records. It stays a review even if the matcher would link, because a person has
 * undone that; it closes if nothing speaks for any candidate anymore.
 */
export async function decideAgain(
  db: Queryable,
  subject: Subject,
  stored: readonly RankedCandidate[],
  now: Date,
): Promise<void> {
  const { subjects, candidates, keys, snapshot } = await loadMatchingContext(db, [subject]);
  const [record] = subjects;
  if (record === undefined) throw new Error(`There is no ${subject.kind} ${subject.id}`);
  const byNumber = await contradictedAgain(db, record, stored, snapshot);
  const people = candidates.of(record, keys.get(subjectKey(record)) ?? []);
  const found = decide(record.demographics, people, { snapshot }).candidates.filter(
    ({ personId }) => !byNumber.some((other) => other.personId === personId),
  );
  const isNumberFirst = byNumber.some(({ personId }) => personId === stored[0]?.personId);
  const all = isNumberFirst ? [...byNumber, ...found] : [...found, ...byNumber];
  const { groupId, personId } = record;
  await settleReviews(db, [{ subject, groupId, personId, candidates: all.length > 0 ? all : null }], now);
}

/** Returns the candidates that a record number or a merge names, which the demographics alone may not find. */
async function contradictedAgain(
  db: Queryable,
  subject: SubjectRecord,
  stored: readonly RankedCandidate[],
  snapshot: ListSnapshot | null,
): Promise<RankedCandidate[]> {
  const named = stored.filter(({ evidence }) => evidence.ruleId === KNOWN_RECORD);
  if (named.length === 0) return [];
  const records = await loadSubjectsOf(
    db,
    named.map(({ personId }) => personId),
  );
  return named.flatMap(({ personId }) => {
    const others = records.filter((r) => r.personId === personId && subjectKey(r) !== subjectKey(subject));
    if (others.length === 0) return [];
    return (
      contradicted(
        subject.demographics,
        { personId, records: others.map(({ demographics }) => demographics) },
        snapshot,
      ) ?? []
    );
  });
}
