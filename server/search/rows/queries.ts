/** What rows are made of, for some persons at a time: a handful of plain statements over indexes. Ids are strings, times numbers. */
import type { EventCode, EventState, Setting } from '#contract/event-codes.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import type { ManagementStatus, Resolution } from '#contract/management-status.ts';
import type { GroupsTransaction } from '#server/access/door.ts';
import { mayReadListing } from '#server/access/policy.ts';
import type { Queryable } from '#server/database/pool.ts';
import { sql } from '#server/database/sql.ts';
import type { VisitState } from '#server/encounters/visit-state.ts';

export interface ListingFacts {
  id: string;
  personId: string;
  groupId: string;
  timeZone: string;
  memberId: string;
  middleName: string | null;
  gender: string;
  /** Days since 1970. */
  birthDay: number | null;
  city: string | null;
  zip: string | null;
  programs: string[];
  practices: string[];
  providerFirstName: string | null;
  providerLastName: string | null;
  careCoordinators: string[];
  tags: string[];
  careGaps: string[];
  advanceCareDocuments: string[];
  billingAgencies: string[];
  sortFirst: string;
  sortLast: string;
  hasLeft: boolean;
}

/** Those that the transaction's groups have of these persons, the oldest first; row-level security leaves no others. */
export async function listingFacts(tx: GroupsTransaction, personIds: readonly string[]): Promise<ListingFacts[]> {
  const { rows } = await tx.query<ListingFacts>(sql`
    select r.id, r.person_id as "personId", r.group_id as "groupId", g.time_zone as "timeZone", r.member_id as "memberId",
      r.middle_name as "middleName", r.gender, r.date_of_birth - date '1970-01-01' as "birthDay", r.city, r.zip, r.programs,
      r.practices, r.provider_first_name as "providerFirstName", r.provider_last_name as "providerLastName",
      r.care_coordinators as "careCoordinators", r.tags, r.care_gaps as "careGaps",
      r.advance_care_documents as "advanceCareDocuments", r.billing_agencies as "billingAgencies",
      r.sort_first as "sortFirst", r.sort_last as "sortLast", r.left_at is not null as "hasLeft"
    from roster_patients r join groups g on g.id = r.group_id
    where r.person_id = any (${personIds}::bigint[]) and ${mayReadListing(tx.groupIds)}
    order by r.id`);
  return rows;
}

export interface VisitFacts {
  id: string;
  personId: string;
  facility: {
    id: string;
    name: string;
    state: string | null;
    type: GroupType;
    facilityType: FacilityType | null;
    timeZone: string;
    isPart2: boolean;
  };
  state: VisitState;
}

/** All visits of these persons; `readersOf` (server/access/policy.ts) says which may be read. */
export async function visitFacts(tx: Queryable, personIds: readonly string[]): Promise<VisitFacts[]> {
  const { rows } = await tx.query<Omit<VisitFacts, 'facility'> & { facilityId: string }>(sql`
    select e.id, e.person_id as "personId", e.group_id as "facilityId", e.state
    from encounters e where e.person_id = any (${personIds}::bigint[]) order by e.id`);
  const facilities = await facilityFacts(tx, [...new Set(rows.map(({ facilityId }) => facilityId))]);
  return rows.map(({ facilityId, ...row }) => ({ ...row, facility: facilities.get(facilityId) as VisitFacts['facility'] }));
}

export async function facilityFacts(
  tx: Queryable,
  groupIds: readonly string[],
): Promise<Map<string, VisitFacts['facility']>> {
  if (groupIds.length === 0) return new Map();
  const { rows } = await tx.query<VisitFacts['facility']>(sql`
    select id, name, state, type, facility_type as "facilityType", time_zone as "timeZone", is_part2_facility as "isPart2"
    from groups where id = any (${groupIds}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface EventFacts {
  id: string;
  encounterId: string;
  code: EventCode;
  setting: Setting;
  state: EventState;
  /** Seconds since 1970. */
  at: number;
  /** Days since 1970, of the calendar day at the facility. */
  day: number;
}

/** The events of these visits, the oldest first. */
export async function eventFacts(tx: Queryable, encounterIds: readonly string[]): Promise<EventFacts[]> {
  if (encounterIds.length === 0) return [];
  const { rows } = await tx.query<EventFacts>(sql`
    select id, encounter_id as "encounterId", code, setting, state, floor(extract(epoch from event_at))::int as at,
      event_day - date '1970-01-01' as day
    from events where encounter_id = any (${encounterIds}::bigint[]) order by event_at, id`);
  return rows;
}

export interface PingFacts {
  id: string;
  eventId: string;
  encounterId: string;
  groupId: string;
  /** Of the listing under which it was told. */
  personId: string;
  state: EventState;
  status: ManagementStatus;
  statusId: string | null;
  statusAt: number | null;
  resolutions: Resolution[] | null;
  isCurrent: boolean;
  at: number;
  /** The event and its visit, of which the person may turn out to be another. */
  code: EventCode;
  setting: Setting;
  day: number;
  facilityId: string;
}

/** Pings told to the transaction's groups under listings of these persons; with `all`, also those that a newer one of the visit has replaced. */
export async function pingFacts(
  tx: GroupsTransaction,
  personIds: readonly string[],
  { all }: { all: boolean },
): Promise<PingFacts[]> {
  const { rows } = await tx.query<PingFacts>(sql`
    select p.id, p.event_id as "eventId", p.encounter_id as "encounterId", p.group_id as "groupId", r.person_id as "personId", p.state,
      p.management_status as status, p.status_id as "statusId", floor(extract(epoch from p.status_at))::int as "statusAt", s.resolutions,
      p.is_current as "isCurrent", floor(extract(epoch from p.event_at))::int as at, v.code, v.setting,
      v.event_day - date '1970-01-01' as day, n.group_id as "facilityId"
    from roster_patients r
      join pings p on p.roster_patient_id = r.id
      join events v on v.id = p.event_id
      join encounters n on n.id = p.encounter_id
      left join management_statuses s on s.id = p.status_id
    where r.person_id = any (${personIds}::bigint[]) and ${mayReadListing(tx.groupIds)} and (p.is_current or ${all})
    order by p.id`);
  return rows;
}

/** The persons' consents that stand, as person → 'facility recipient'. */
export async function consentFacts(tx: Queryable, personIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const { rows } = await tx.query<{ personId: string; consent: string }>(sql`
    select person_id as "personId", facility_group_id || ' ' || recipient_group_id as consent
    from consents where person_id = any (${personIds}::bigint[]) and ended_at is null`);
  const consents = new Map<string, Set<string>>();
  for (const { personId, consent } of rows) consents.set(personId, (consents.get(personId) ?? new Set()).add(consent));
  return consents;
}

/** Everybody whom the transaction's groups list or listed. */
export async function personIds(tx: GroupsTransaction): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    sql`select distinct r.person_id as id from roster_patients r where ${mayReadListing(tx.groupIds)} order by 1`,
  );
  return rows.map(({ id }) => id);
}
