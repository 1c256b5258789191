/** Finds, batch by batch, what a change of the matcher's version concerns. Each returns rows after a position, in the order of the positions. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { currentVersion } from '#server/record/matching/list-snapshots.ts';
import type { Subject, SubjectKind } from '#server/record/matching/subjects.ts';

/** Rows `s` of a kind's subjects. A facility's own listing is none (`matching/queries.ts`). */
const subjectsOf = (kind: SubjectKind): Sql =>
  kind === 'SOURCE_PATIENT'
    ? sql`source_patients s where true`
    : sql`roster_patients s where s.content_hash is not null`;

/** Returns the subjects that have been identified before. */
export async function nextIdentified(
  db: Queryable,
  kind: SubjectKind,
  after: string,
  limit: number,
): Promise<Subject[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    select s.id from ${subjectsOf(kind)} and s.id > ${after}
      and exists (select from person_links l where l.subject = ${kind} and l.subject_id = s.id)
    order by s.id limit ${limit}`);
  return rows.map(({ id }) => ({ kind, id }));
}

/**
 * Returns the subjects that are alone on a person of their own, because the matcher found no one. Subqueries with a single value, which the planner
 * looks up for each row: it would join whole tables for the first rows.
 */
export async function nextAlone(db: Queryable, kind: SubjectKind, after: string, limit: number): Promise<Subject[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    select s.id from ${subjectsOf(kind)} and s.id > ${after}
      and (select l.outcome from person_links l where l.subject = ${kind} and l.subject_id = s.id order by l.id desc limit 1) = 'new'
      and (select count(*) from source_patients o where o.person_id = s.person_id)
        + (select count(*) from roster_patients o where o.person_id = s.person_id and o.content_hash is not null) = 1
    order by s.id limit ${limit}`);
  return rows.map(({ id }) => ({ kind, id }));
}

export interface OldReview extends Subject {
  reviewId: string;
  likelihood: number;
}

/** Returns the open reviews with evidence of another version, likeliest first, after the review with this likelihood and id. */
export async function nextReviews(
  db: Queryable,
  after: { likelihood: number | null; id: string },
  limit: number,
): Promise<OldReview[]> {
  const { rows } = await db.query<OldReview>(sql`
    select r.subject as kind, r.subject_id as id, r.id as "reviewId", r.likelihood from match_reviews r
    where r.decided_at is null and r.candidates #>> '{0,evidence,version}' is distinct from ${await currentVersion(db)}
      and (${after.likelihood}::double precision is null or (-r.likelihood, r.id) > (-${after.likelihood}::double precision, ${after.id}::bigint))
    order by -r.likelihood, r.id limit ${limit}`);
  return rows;
}

/** Returns the persons to whom another version of the matcher linked someone. */
export async function nextLinked(db: Queryable, after: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    select p.id from persons p
    where p.id > ${after} and exists (
      select from (
        select 'SOURCE_PATIENT' as kind, id from source_patients where person_id = p.id
        union all select 'ROSTER_PATIENT', id from roster_patients where person_id = p.id and content_hash is not null) s
        cross join lateral (
          select l.outcome, l.evidence ->> 'version' as version from person_links l
          where l.subject = s.kind and l.subject_id = s.id order by l.id desc limit 1) newest
      where newest.outcome = 'matched' and newest.version is distinct from ${await currentVersion(db)})
    order by p.id limit ${limit}`);
  return rows.map(({ id }) => id);
}
