/**
 * Reads what rows are made of, for some persons at a time: one statement over indexes that answers a JSON document for each kind of fact, an
 * array of arrays. Reading as many rows field by field takes more than twice the time.
 */
import type { GroupsTransaction } from '#server/access/door.ts';
import { mayReadListing } from '#server/access/policy.ts';
import type { Queryable } from '#server/database/pool.ts';
import { type Sql, sql } from '#server/database/sql.ts';
import {
  type ConsentRow,
  type EventFacts,
  type EventRow,
  eventOf,
  type FacilityFacts,
  type ListingFacts,
  type ListingRow,
  listingOf,
  type PingFacts,
  type PingRow,
  pingOf,
  type VisitFacts,
  type VisitRow,
  visitOf,
} from './facts.ts';

export interface Facts {
  /** Those that the transaction's groups have, the oldest first; row-level security leaves no others. */
  listings: ListingFacts[];
  /** All visits; `readersOf` (server/access/policy.ts) says which may be read. */
  visits: VisitFacts[];
  /** Of these visits, the oldest first. */
  events: EventFacts[];
  /** Told to the transaction's groups under these listings. */
  pings: PingFacts[];
  /** Those that stand. */
  consents: ConsentRow[];
}

interface Documents {
  listings: ListingRow[] | null;
  visits: VisitRow[] | null;
  events: EventRow[] | null;
  pings: PingRow[] | null;
  consents: ConsentRow[] | null;
}

/** The facts of these persons, all together. `all`: also the pings that a newer one of the visit has replaced. */
export async function readFacts(
  tx: GroupsTransaction,
  personIds: readonly string[],
  { all }: { all: boolean },
): Promise<Facts> {
  const { rows } = await tx.query<Documents>(sql`
    with asked as materialized (select ${personIds}::bigint[] as ids)
    select (${listings(tx)}) as listings, (${VISITS}) as visits, (${EVENTS}) as events, (${pings(tx, all)}) as pings,
      (${CONSENTS}) as consents`);
  const documents = rows[0] as Documents;
  return {
    listings: documents.listings?.map(listingOf) ?? [],
    visits: documents.visits?.map(visitOf) ?? [],
    events: documents.events?.map(eventOf) ?? [],
    pings: documents.pings?.map(pingOf) ?? [],
    consents: documents.consents ?? [],
  };
}

/** One array, and no table of ids: each index is then walked once. */
const ASKED = sql`any ((select ids from asked)::bigint[])`;

const listings = (tx: GroupsTransaction): Sql => sql`
  select json_agg(json_build_array(r.person_id::text, r.group_id::text, g.time_zone, r.member_id, r.middle_name, r.gender,
    r.date_of_birth - date '1970-01-01', r.city, r.zip, r.programs, r.practices, r.provider_first_name, r.provider_last_name,
    r.care_coordinators, r.tags, r.care_gaps, r.advance_care_documents, r.billing_agencies, r.sort_first, r.sort_last,
    r.left_at is not null) order by r.id)
  from roster_patients r join groups g on g.id = r.group_id
  where r.person_id = ${ASKED} and ${mayReadListing(tx.groupIds)}`;

/** What is shown of a state is taken out of it at once: each access of its own unpacks the whole. */
const VISITS = sql`
  select json_agg(json_build_array(e.id::text, e.person_id::text, e.group_id::text, s.status, s.setting, s.location, s."admittedAt",
    s."dischargedAt", s."admitSource", s."admissionType", s.disposition, s."dischargedTo", s."admitReason",
    s."expectedDischargeAt", s."estimatedDays", s.diagnoses) order by e.id)
  from encounters e cross join jsonb_to_record(e.state) as s (
    status text, setting text, location jsonb, "admittedAt" jsonb, "dischargedAt" jsonb, "admitSource" text, "admissionType" text,
    disposition text, "dischargedTo" text, "admitReason" text, "expectedDischargeAt" jsonb,
    "estimatedDays" jsonb, diagnoses jsonb)
  where e.person_id = ${ASKED}`;

const EVENTS = sql`
  select json_agg(json_build_array(v.id, v.encounter_id::text, v.code, v.setting, v.state, floor(date_part('epoch', v.event_at))::int,
    v.event_day - date '1970-01-01') order by v.event_at, v.id)
  from encounters e join events v on v.encounter_id = e.id
  where e.person_id = ${ASKED}`;

const pings = (tx: GroupsTransaction, all: boolean): Sql => sql`
  select json_agg(json_build_array(p.id, p.event_id, p.encounter_id::text, p.group_id::text, r.person_id::text, p.state,
    p.management_status, p.status_id, floor(date_part('epoch', p.status_at))::int, s.resolutions, p.is_current,
    floor(date_part('epoch', p.event_at))::int, floor(date_part('epoch', p.created_at))::int, v.code, v.setting,
    v.event_day - date '1970-01-01', n.group_id::text) order by p.id)
  from roster_patients r
    join pings p on p.roster_patient_id = r.id
    join events v on v.id = p.event_id
    join encounters n on n.id = p.encounter_id
    left join management_statuses s on s.id = p.status_id
  where r.person_id = ${ASKED} and ${mayReadListing(tx.groupIds)} and (p.is_current or ${all})`;

const CONSENTS = sql`
  select json_agg(json_build_array(c.person_id::text, c.facility_group_id || ' ' || c.recipient_group_id))
  from consents c where c.person_id = ${ASKED} and c.ended_at is null`;

export async function facilityFacts(tx: Queryable, ids: readonly string[]): Promise<Map<string, FacilityFacts>> {
  const { rows } = await tx.query<FacilityFacts>(sql`
    select id, name, state, type, facility_type as "facilityType", time_zone as "timeZone", is_part2_facility as "isPart2"
    from groups where id = any (${ids}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Everybody whom the transaction's groups list or listed. */
export async function personIds(tx: GroupsTransaction): Promise<string[]> {
  const { rows } = await tx.query<{ ids: string[] | null }>(sql`
    select json_agg(listed.id::text order by listed.id) as ids
    from (select distinct r.person_id as id from roster_patients r where ${mayReadListing(tx.groupIds)}) listed`);
  return rows[0]?.ids ?? [];
}
