/** Reads matches, open and decided, with the records to compare. */
import type { ReviewOrder } from '#contract/reviews.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { ROSTER_DEMOGRAPHICS } from '#server/record/matching/queries.ts';
import type { Subject, SubjectRow } from '#server/record/matching/subjects.ts';
import type { RankedCandidate } from '#server/record/scoring/decide.ts';

export interface Reviewer {
  userId: string;
  organizationId: string;
  /** An operator sees and decides about all candidates. */
  isOperator: boolean;
  /** The groups whose reviews the reviewer may decide. */
  groupIds: readonly string[];
}

/** What decides how much of a review the reviewer sees (docs/security.md, "Trust"). */
export interface ReviewTrust {
  candidates: RankedCandidate[];
  salt: string;
  /** The candidates whom the reviewer's organization lists now or has seen at a facility. */
  knownIds: string[];
  /** The subject came from a facility's feed alone: no user composed it. */
  isFromFeed: boolean;
  /** A candidate has records at other organizations, so the stored evidence may be about these. */
  hasForeignRecords: boolean;
  isOwnEntry: boolean;
  /** The person to whom the subject was linked until someone took that link back. */
  takenFromId: string | null;
}

/** A record as a row of `source_patients` or `roster_patients`, with its group. */
export type RecordRow = SubjectRow & { number: string; since: string; groupName: string; organizationId: string };

export interface ReviewRow extends ReviewTrust {
  id: string;
  createdDate: string;
  kind: Subject['kind'];
  subjectId: string;
  /** The person of the patient into whom the facility merged the subject, if a person has to confirm that. */
  heldPersonId: string | null;
  /** The subject's own record and all records of the candidates. */
  records: RecordRow[];
}

/** The organization lists the person now, or a facility of it has a visit of theirs. */
const isKnown = (organizationId: string, personId: Sql): Sql => sql`(
  exists (select from roster_patients l join groups g on g.id = l.group_id
    where l.person_id = ${personId} and l.left_at is null and g.organization_id = ${organizationId})
  or exists (select from encounters e join groups g on g.id = e.group_id
    where e.person_id = ${personId} and e.status <> 'CANCELLED' and g.organization_id = ${organizationId}))`;

/** Facts of all record numbers of a dossier make up the demographics, so an entry by hand under any of them counts. */
const IS_FROM_FEED = sql`(r.subject = 'SOURCE_PATIENT' and not exists (
  select from source_patients s join source_patients d on d.dossier_id = s.dossier_id join facts f on f.source_patient_id = d.id
  where s.id = r.subject_id and f.adt ? 'enteredBy'))`;

const hasForeignRecords = (organizationId: string): Sql => sql`exists (
  select from jsonb_array_elements(r.candidates) c
    cross join lateral (
      select s.group_id from source_patients s where s.person_id = (c ->> 'personId')::bigint
      union all select l.group_id from roster_patients l where l.person_id = (c ->> 'personId')::bigint) as held
    join groups g on g.id = held.group_id
  where g.organization_id <> ${organizationId})`;

/** The candidates of `match_reviews r` whom a link would join to someone listed now, or to visits. */
const CURRENT_CANDIDATES = sql`current_candidates(r.subject, r.subject_id, r.candidates)`;

/** Columns of a `ReviewTrust`, of `match_reviews r`. */
export const trustColumns = ({ organizationId, userId }: Reviewer, candidates: Sql = CURRENT_CANDIDATES): Sql => sql`
  ${candidates} as candidates, r.salt, ${IS_FROM_FEED} as "isFromFeed", ${hasForeignRecords(organizationId)} as "hasForeignRecords",
  array(select c ->> 'personId' from jsonb_array_elements(r.candidates) as c
    where ${isKnown(organizationId, sql`(c ->> 'personId')::bigint`)}) as "knownIds",
  case r.subject
    when 'ROSTER_PATIENT' then exists (select from roster_patients p where p.id = r.subject_id and p.attested_by = ${userId})
    else exists (select from facts f where f.source_patient_id = r.subject_id and f.adt #>> '{enteredBy,userId}' = ${userId}::text)
  end as "isOwnEntry",
  (select case l.outcome when 'undone' then l.previous_person_id::text end from person_links l
    where l.subject = r.subject and l.subject_id = r.subject_id order by l.id desc limit 1) as "takenFromId"`;

/** The order must not reveal evidence that the reviewer does not see, so such reviews count as the least likely. */
const shownLikelihood = ({ organizationId, isOperator }: Reviewer): Sql =>
  isOperator
    ? sql`r.likelihood`
    : sql`case when ${IS_FROM_FEED} or not ${hasForeignRecords(organizationId)} then r.likelihood else 0 end`;

const isOpen = ({ groupIds }: Pick<Reviewer, 'groupIds'>): Sql => sql`(
  r.group_id = any (${groupIds}::bigint[]) and r.decided_at is null and ${CURRENT_CANDIDATES} <> '[]')`;

/** Records of the subject `p` and of its candidates. A facility's own listing repeats a record, so it is none (`matching/queries.ts`). */
const RECORDS = sql`
  select 'SOURCE_PATIENT' as kind, s.id::text, s.group_id::text as "groupId", s.person_id::text as "personId", s.demographics,
    s.record_number as number, s.created_at as since
  from source_patients s where s.id = case when p.kind = 'SOURCE_PATIENT' then p."subjectId" end
  union
  select 'SOURCE_PATIENT', s.id::text, s.group_id::text, s.person_id::text, s.demographics, s.record_number, s.created_at
  from source_patients s where s.person_id = any (p."personIds")
  union
  select 'ROSTER_PATIENT', r.id::text, r.group_id::text, r.person_id::text, ${ROSTER_DEMOGRAPHICS}::jsonb, r.member_id, r.listed_at
  from roster_patients r where r.id = case when p.kind = 'ROSTER_PATIENT' then p."subjectId" end
  union
  select 'ROSTER_PATIENT', r.id::text, r.group_id::text, r.person_id::text, ${ROSTER_DEMOGRAPHICS}::jsonb, r.member_id, r.listed_at
  from roster_patients r where r.person_id = any (p."personIds") and r.content_hash is not null`;

interface Selection {
  where: Sql;
  order: Sql;
  page: { pageNumber: number; pageSize: number };
  candidates?: Sql;
}

/** Columns of a decision, for `ReviewRow`s of which some are decided. */
const DECISION = sql`r.decided_at as "decidedDate", r.decision_person_id as "decisionPersonId", r.decided_by as "decidedById",
  r.link_id as "linkId"`;

/** `db`: the pipeline's, because candidates may be listed by any group; what the reviewer may not see is removed in `show-review.ts`. */
async function loadRows<Row extends ReviewRow>(
  db: Queryable,
  reviewer: Reviewer,
  { where, order, page: { pageNumber, pageSize }, candidates = CURRENT_CANDIDATES }: Selection,
): Promise<Row[]> {
  const { rows } = await db.query<Row>(sql`
    with page as materialized (
      select r.id, r.subject as kind, r.subject_id as "subjectId", r.created_at as "createdDate", ${DECISION},
        ${trustColumns(reviewer, candidates)},
        (select survivor.person_id from source_patients s join source_patients survivor on survivor.id = s.merge_held
          where r.subject = 'SOURCE_PATIENT' and s.id = r.subject_id) as "heldPersonId",
        array(select (c ->> 'personId')::bigint from jsonb_array_elements(r.candidates) as c) as "personIds",
        row_number() over (order by ${order}) as position
      from match_reviews r where ${where}
      order by position limit ${pageSize} offset ${(pageNumber - 1) * pageSize})
    select p.*, (
      select jsonb_agg(to_jsonb(held) || jsonb_build_object('groupName', g.name, 'organizationId', g.organization_id::text)
        order by held.since, held.id)
      from (${RECORDS}) as held join groups g on g.id = held."groupId"::bigint) as records
    from page p order by p.position`);
  return rows;
}

/** Returns a page of the groups' open reviews with their records, most likely or oldest first. */
export function loadReviews(
  db: Queryable,
  reviewer: Reviewer,
  { order, ...page }: { pageNumber: number; pageSize: number; order: ReviewOrder },
): Promise<ReviewRow[]> {
  const age = sql`r.created_at, r.id`;
  return loadRows(db, reviewer, {
    where: isOpen(reviewer),
    order: order === 'oldest' ? age : sql`${shownLikelihood(reviewer)} desc, ${age}`,
    page,
  });
}

/** Returns one open review. */
export async function loadReview(db: Queryable, reviewer: Reviewer, id: string): Promise<ReviewRow | null> {
  const where = sql`r.id = ${id} and ${isOpen(reviewer)}`;
  const rows = await loadRows(db, reviewer, { where, order: sql`r.id`, page: { pageNumber: 1, pageSize: 1 } });
  return rows[0] ?? null;
}

export type DecidedRow = ReviewRow & {
  decidedDate: string;
  decisionPersonId: string;
  decidedById: string;
  linkId: string | null;
};

const isDecided = ({ groupIds }: Reviewer, since: Date): Sql => sql`(
  r.group_id = any (${groupIds}::bigint[]) and r.decided_by is not null and r.decided_at >= ${since})`;

/** Returns a page of what people decided about the groups' reviews since then, newest first, with all that was compared. */
export const loadDecided = (
  db: Queryable,
  reviewer: Reviewer,
  { since, ...page }: { pageNumber: number; pageSize: number; since: Date },
): Promise<DecidedRow[]> =>
  loadRows(db, reviewer, {
    where: isDecided(reviewer, since),
    order: sql`r.decided_at desc, r.id desc`,
    page,
    candidates: sql`r.candidates`,
  });

export async function countDecided(db: Queryable, reviewer: Reviewer, since: Date): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    sql`select count(*)::int as total from match_reviews r where ${isDecided(reviewer, since)}`,
  );
  return rows[0]?.total ?? 0;
}

export interface OpenReviews {
  total: number;
  oldestDate: string | null;
  /** Changes with each of them. */
  revision: string;
}

/** Returns how many reviews of these groups are open, since when the oldest is, and a string that changes with each of them. */
export async function countOpenReviews(db: Queryable, groupIds: readonly string[]): Promise<OpenReviews> {
  const { rows } = await db.query<OpenReviews>(sql`
    select count(*)::int as total, min(r.created_at) as "oldestDate",
      md5(coalesce(string_agg(r.id || ':' || r.digest, ',' order by r.id), '')) as revision
    from match_reviews r where ${isOpen({ groupIds })}`);
  return rows[0] ?? { total: 0, oldestDate: null, revision: '' };
}
