/** Open rows of `match_reviews`. Each subject has at most one row, which is open while `decided_at` is null. */
import { logChanges } from '#server/platform/changes/change-log.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { MOST_CANDIDATES, type RankedCandidate } from '#server/record/scoring/decide.ts';
import { likelihoodOf } from '#server/record/scoring/likelihood.ts';
import { idsOf, kindsOf } from './queries.ts';
import { type Subject, subjectKey } from './subjects.ts';

export interface OpenReview {
  /** The candidates, most likely first. */
  personIds: string[];
  /** The rule of the first candidate. */
  ruleId: string | null;
}

/** Returns the open reviews of the subjects, by `subjectKey`. */
export async function openReviews(db: Queryable, subjects: readonly Subject[]): Promise<Map<string, OpenReview>> {
  const { rows } = await db.query<Subject & OpenReview>(sql`
    select r.subject as kind, r.subject_id as id, r.candidates -> 0 -> 'evidence' ->> 'ruleId' as "ruleId",
      array(select c ->> 'personId' from jsonb_array_elements(r.candidates) with ordinality as l (c, n) order by n) as "personIds"
    from unnest(${kindsOf(subjects)}::text[], ${idsOf(subjects)}::bigint[]) as s (kind, id)
      join match_reviews r on r.subject = s.kind and r.subject_id = s.id
    where r.decided_at is null`);
  return new Map(rows.map(({ personIds, ruleId, ...subject }) => [subjectKey(subject), { personIds, ruleId }]));
}

/** Returns a review as it is stored. */
export const reviewOf = (candidates: readonly RankedCandidate[]): OpenReview => ({
  personIds: candidates.slice(0, MOST_CANDIDATES).map(({ personId }) => personId),
  ruleId: candidates[0]?.evidence.ruleId ?? null,
});

/** Returns the persons that a reviewer decided each subject is not, by `subjectKey`, if that decision is still in force. A merge leaves it in force. */
export async function keptApart(db: Queryable, subjects: readonly Subject[]): Promise<Map<string, Set<string>>> {
  const { rows } = await db.query<Subject & { personIds: string[] }>(sql`
    select r.subject as kind, r.subject_id as id,
      array(select c ->> 'personId' from jsonb_array_elements(r.candidates) as c) as "personIds"
    from unnest(${kindsOf(subjects)}::text[], ${idsOf(subjects)}::bigint[]) as s (kind, id)
      join match_reviews r on r.subject = s.kind and r.subject_id = s.id
    where r.decided_by is not null
      and not r.candidates @> jsonb_build_array(jsonb_build_object('personId', r.decision_person_id::text))
      and r.link_id = (
        select max(l.id) from person_links l
        where l.subject = r.subject and l.subject_id = r.subject_id and l.outcome <> 'merged')`);
  return new Map(rows.map((row) => [subjectKey(row), new Set(row.personIds)]));
}

/** Returns the person that each subject was linked to until a person undid that link, by `subjectKey`. */
export async function takenFrom(db: Queryable, subjects: readonly Subject[]): Promise<Map<string, Set<string>>> {
  const { rows } = await db.query<Subject & { personId: string }>(sql`
    select s.kind, s.id, l.previous_person_id as "personId"
    from unnest(${kindsOf(subjects)}::text[], ${idsOf(subjects)}::bigint[]) as s (kind, id)
      join person_links l on l.subject = s.kind and l.subject_id = s.id
    where l.outcome = 'undone' and l.previous_person_id is not null
      and not exists (
        select from person_links later where later.subject = s.kind and later.subject_id = s.id and later.id > l.id)`);
  return new Map(rows.map(({ personId, ...subject }) => [subjectKey(subject), new Set([personId])]));
}

export interface Settlement {
  subject: Subject;
  groupId: string;
  personId: string;
  /** The persons the subject may be, or null if no review is needed. */
  candidates: readonly RankedCandidate[] | null;
}

/** Opens a review for each subject that needs one, closes reviews that are no longer needed, and lets open pages know. */
export async function settleReviews(db: Queryable, settled: readonly Settlement[], now: Date): Promise<void> {
  const open = settled.filter(({ candidates }) => candidates !== null);
  const rest = settled.filter(({ candidates }) => candidates === null);
  const changed = new Set<string>();
  if (open.length > 0) {
    const subjects = open.map(({ subject }) => subject);
    const candidates = open.map(({ candidates }) => JSON.stringify((candidates ?? []).slice(0, MOST_CANDIDATES)));
    const likelihoods = open.map(({ candidates }) => (candidates?.[0] ? likelihoodOf(candidates[0].evidence) : 0));
    const { rows } = await db.query<{ groupId: string }>(sql`
      insert into match_reviews (subject, subject_id, group_id, candidates, likelihood, created_at)
      select kind, id, group_id, candidates::jsonb, likelihood, ${now}
      from unnest(${kindsOf(subjects)}::text[], ${idsOf(subjects)}::bigint[], ${open.map(({ groupId }) => groupId)}::bigint[],
        ${candidates}::text[], ${likelihoods}::double precision[]) as o (kind, id, group_id, candidates, likelihood)
      on conflict (subject, subject_id) do update set candidates = excluded.candidates, likelihood = excluded.likelihood,
        created_at = case when match_reviews.decided_at is null then match_reviews.created_at else excluded.created_at end,
        decided_at = null, decided_by = null, decision_person_id = null, link_id = null
      returning group_id as "groupId"`);
    for (const { groupId } of rows) changed.add(groupId);
  }
  await logSettled(db, changed, now);
  await closeReviews(db, rest, now);
}

/** Tells those who count the groups' open reviews. */
const logSettled = (db: Queryable, groupIds: ReadonlySet<string>, now: Date): Promise<void> =>
  logChanges(
    db,
    [...groupIds].map((groupId) => ({ kind: 'review', change: 'settled', groupId, subjectId: null })),
    now,
  );

/** Closes the subjects' open reviews: the subjects are `personId` now. */
export async function closeReviews(
  db: Queryable,
  closed: readonly Pick<Settlement, 'subject' | 'personId'>[],
  now: Date,
): Promise<void> {
  if (closed.length === 0) return;
  const subjects = closed.map(({ subject }) => subject);
  const { rows } = await db.query<{ groupId: string }>(sql`
    update match_reviews r set decided_at = ${now}, decided_by = null, decision_person_id = c.person_id, link_id = null
    from unnest(${kindsOf(subjects)}::text[], ${idsOf(subjects)}::bigint[], ${closed.map(({ personId }) => personId)}::bigint[])
      as c (kind, id, person_id)
    where r.subject = c.kind and r.subject_id = c.id and r.decided_at is null
    returning r.group_id as "groupId"`);
  await logSettled(db, new Set(rows.map(({ groupId }) => groupId)), now);
}
