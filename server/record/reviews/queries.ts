/** Reads open matches with the records to compare. */
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
}

/** A record as a row of `source_patients` or `roster_patients`, with its group. */
export type RecordRow = SubjectRow & { number: string; since: string; groupName: string; organizationId: string };

export interface ReviewRow extends ReviewTrust {
  id: string;
  createdDate: string;
  kind: Subject['kind'];
  subjectId: string;
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

/** Columns of a `ReviewTrust`, of `match_reviews r`. */
export const trustColumns = ({ organizationId, userId }: Reviewer): Sql => sql`
  r.candidates, r.salt, ${IS_FROM_FEED} as "isFromFeed", ${hasForeignRecords(organizationId)} as "hasForeignRecords",
  array(select c ->> 'personId' from jsonb_array_elements(r.candidates) as c
    where ${isKnown(organizationId, sql`(c ->> 'personId')::bigint`)}) as "knownIds",
  case r.subject
    when 'ROSTER_PATIENT' then exists (select from roster_patients p where p.id = r.subject_id and p.attested_by = ${userId})
    else exists (select from facts f where f.source_patient_id = r.subject_id and f.adt #>> '{enteredBy,userId}' = ${userId}::text)
  end as "isOwnEntry"`;

/** The order must not reveal evidence that the reviewer does not see, so such reviews count as the least likely. */
const shownLikelihood = ({ organizationId, isOperator }: Reviewer): Sql =>
  isOperator
    ? sql`r.likelihood`
    : sql`case when ${IS_FROM_FEED} or not ${hasForeignRecords(organizationId)} then r.likelihood else 0 end`;

const isOpen = ({ groupIds }: Pick<Reviewer, 'groupIds'>): Sql =>
  sql`r.group_id = any (${groupIds}::bigint[]) and r.decided_at is null`;

/** Records of the subject `p` and of its candidates. A facility's own listing repeats a record, so it is none (`matching/queries.ts`). */
const RECORDS = sql`
  select 'SOURCE_PATIENT' as kind, s.id::text, s.group_id::text as "groupId", s.person_id::text as "personId", s.demographics,
    s.record_number as number, s.created_at as since
  from source_patients s where s.id = case when p.kind = 'SOURCE_PATIENT' then p."subjectId" end
  union
  select 'SOURCE_PATIENT', s.id::text, s.group_id::text, s.person_id::text, s.demographics, s.record_number, s.created_at
  from source_patients s where s.person_id = any (p."personIds")
  union
  select 'ROSTER_PATIENT', r.id::text, r.group_id::text, r.person_id::text, ${ROSTER_DEMOGRAPHICS}, r.member_id, r.listed_at
  from roster_patients r where r.id = case when p.kind = 'ROSTER_PATIENT' then p."subjectId" end
  union
  select 'ROSTER_PATIENT', r.id::text, r.group_id::text, r.person_id::text, ${ROSTER_DEMOGRAPHICS}, r.member_id, r.listed_at
  from roster_patients r where r.person_id = any (p."personIds") and r.content_hash is not null`;

/**
 * Returns a page of the groups' open reviews with their records, most likely first, then oldest. `db`: the pipeline's, because candidates may
 * be listed by any group; what the reviewer may not see is removed in `show-review.ts`.
 */
export async function loadReviews(
  db: Queryable,
  reviewer: Reviewer,
  { pageNumber, pageSize }: { pageNumber: number; pageSize: number },
): Promise<ReviewRow[]> {
  const { rows } = await db.query<ReviewRow>(sql`
    with page as materialized (
      select r.id, r.subject as kind, r.subject_id as "subjectId", r.created_at as "createdDate", ${trustColumns(reviewer)},
        array(select (c ->> 'personId')::bigint from jsonb_array_elements(r.candidates) as c) as "personIds",
        row_number() over (order by ${shownLikelihood(reviewer)} desc, r.created_at, r.id) as position
      from match_reviews r where ${isOpen(reviewer)}
      order by position limit ${pageSize} offset ${(pageNumber - 1) * pageSize})
    select p.*, (
      select jsonb_agg(to_jsonb(held) || jsonb_build_object('groupName', g.name, 'organizationId', g.organization_id::text)
        order by held.since, held.id)
      from (${RECORDS}) as held join groups g on g.id = held."groupId"::bigint) as records
    from page p order by p.position`);
  return rows;
}

/** Returns how many reviews of these groups are open, and since when the oldest is. */
export async function countOpenReviews(
  db: Queryable,
  groupIds: readonly string[],
): Promise<{ total: number; oldestDate: string | null }> {
  const { rows } = await db.query<{ total: number; oldestDate: string | null }>(sql`
    select count(*)::int as total, min(r.created_at) as "oldestDate" from match_reviews r where ${isOpen({ groupIds })}`);
  return rows[0] ?? { total: 0, oldestDate: null };
}
