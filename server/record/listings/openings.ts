/** Records which listings opened visits at other organizations, why and through whom (docs/security.md, "Trust"). */
import { listingOpens } from '#server/people/access/policy.ts';
import { auditOpenings, OPENING_CELLS, type OpeningCells } from '#server/people/audit/openings.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

/** What may have become readable. */
export interface Opened {
  /** Listings that began, changed or moved to another person: they open all visits of the person. */
  listingIds: readonly string[];
  /** Visits that moved to another person: the listings of that person open these. */
  encounterIds?: readonly string[];
}

/** Pairs of a listing `l` and a visit `e` of its person at another organization. Apart by condition: somebody may have thousands of both. */
const foreignPairs = (condition: Sql): Sql => sql`
  select l.id as listing_id, e.id as encounter_id
  from roster_patients l
    join groups own on own.id = l.group_id
    join encounters e on e.person_id = l.person_id and e.status <> 'CANCELLED'
    join groups facility on facility.id = e.group_id and facility.organization_id <> own.organization_id
  where l.left_at is null and ${condition}`;

/**
 * Records the listings that now open visits of another organization, and how many. A listing is recorded once for each person and date from
 * which it opens visits, but every decided review is (`reviewedBy`: who decided it), because a decision can open more. An audit entry seals what
 * was recorded. Returns the number of visits opened.
 */
export async function recordOpenings(
  db: Queryable,
  { listingIds, encounterIds = [] }: Opened,
  { now, reviewedBy = null }: { now: Date; reviewedBy?: string | null },
): Promise<number> {
  if (listingIds.length + encounterIds.length === 0) return 0;
  const { rows } = await db.query<OpeningCells & { visits: number }>(sql`
    insert into record_openings (at, person_id, group_id, roster_patient_id, how, user_id, upload_id, opens_from, foreign_visits)
    select ${now}, l.person_id, l.group_id, l.id,
      case when ${reviewedBy}::bigint is not null then 'REVIEW' when l.content_hash is not null then 'ROSTER'
        when l.attested_by is not null then 'MANUAL' else 'FEED' end,
      coalesce(${reviewedBy}::bigint, l.attested_by), l.upload_id, l.opens_from, count(*)
    from (
        ${foreignPairs(sql`l.id = any (${listingIds}::bigint[])`)}
        union
        ${foreignPairs(sql`e.id = any (${encounterIds}::bigint[])`)}) pair
      join roster_patients l on l.id = pair.listing_id
      join encounters e on e.id = pair.encounter_id
    where ${listingOpens(sql`l`, sql`e`)} and (${reviewedBy}::bigint is not null or not exists (
        select from record_openings o
        where o.roster_patient_id = l.id and o.person_id = l.person_id and o.opens_from = l.opens_from and o.how <> 'PART2_LIFTED'))
    group by l.id
    returning id, foreign_visits as visits, ${OPENING_CELLS} as cells`);
  await auditOpenings(db, rows, { now, userId: reviewedBy });
  return rows.reduce((sum, { visits }) => sum + visits, 0);
}

/** Returns how many people and visits of other organizations an upload has opened. */
export async function openedByUpload(db: Queryable, uploadId: string): Promise<{ persons: number; visits: number }> {
  const { rows } = await db.query<{ persons: number; visits: number }>(sql`
    select count(distinct person_id)::int as persons, coalesce(sum(foreign_visits), 0)::int as visits
    from record_openings where upload_id = ${uploadId} and how = 'ROSTER'`);
  return rows[0] ?? { persons: 0, visits: 0 };
}
