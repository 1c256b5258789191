import { LATE_AFTER_HOURS } from '#contract/constants.ts';
import type { EventCode, EventState, Setting } from '#contract/event-codes.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import type { ManagementStatus, Resolution } from '#contract/management-status.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadEncounter, mayReadListing, mayReadPing } from '#server/people/access/policy.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { eventOrder } from '#server/record/encounters/event-order.ts';
import type { EncounterRow, EventDetail } from '#server/record/encounters/queries.ts';
import { type VisitTimes, visitTimes } from './visit-times.ts';

/** A listing by one of the team's groups, with all details from the group. */
export interface ListingRow {
  id: string;
  personId: string;
  groupId: string;
  groupName: string;
  groupType: GroupType;
  groupState: string | null;
  organizationId: string;
  organizationName: string;
  timeZone: string;
  memberId: string;
  firstName: string;
  middleName: string | null;
  lastName: string;
  soundLast: string;
  nameSuffix: string | null;
  dateOfBirth: string | null;
  gender: 'Male' | 'Female' | 'Other' | 'Unknown';
  address1: string | null;
  address2: string | null;
  address3: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  homePhone: string | null;
  mobilePhone: string | null;
  programs: string[];
  practices: string[];
  providerFirstName: string | null;
  providerLastName: string | null;
  providerNpi: string | null;
  providerTitle: string | null;
  providerType: string | null;
  providerPhone: string | null;
  providerFax: string | null;
  providerEmail: string | null;
  providerDirectMessage: string | null;
  careCoordinators: string[];
  /** In the order of `careCoordinators`, as are the next four: '' or absent if there is none. */
  careCoordinatorTitles: string[];
  careCoordinatorPhones: string[];
  careCoordinatorFaxes: string[];
  careCoordinatorEmails: string[];
  careCoordinatorEventTypes: string[];
  insurance: string[];
  careGaps: string[];
  advanceCareDocuments: string[];
  billingAgencies: string[];
  tags: string[];
  /** Tags that the selected team has set on this listing. */
  teamTags: string[];
  leftAt: string | null;
}

/** Returns the listings of these persons by the team's groups, oldest first. */
export async function listingsOf(tx: ActorTransaction, personIds: string[]): Promise<ListingRow[]> {
  const { rows } = await tx.query<ListingRow>(sql`
    select r.id, r.person_id as "personId", r.group_id as "groupId", g.name as "groupName", g.type as "groupType",
      g.state as "groupState", o.id as "organizationId", o.name as "organizationName", g.time_zone as "timeZone", r.member_id as "memberId", r.first_name as "firstName", r.middle_name as "middleName",
      r.last_name as "lastName", r.sound_last as "soundLast",
      r.name_suffix as "nameSuffix", r.date_of_birth as "dateOfBirth", r.gender, r.address1, r.address2,
      r.address3, r.city, r.state, r.zip, r.home_phone as "homePhone", r.mobile_phone as "mobilePhone", r.programs, r.practices,
      r.provider_first_name as "providerFirstName", r.provider_last_name as "providerLastName", r.provider_npi as "providerNpi",
      r.provider_title as "providerTitle", r.provider_type as "providerType", r.provider_phone as "providerPhone",
      r.provider_fax as "providerFax", r.provider_email as "providerEmail", r.provider_direct_message as "providerDirectMessage",
      r.care_coordinators as "careCoordinators", r.care_coordinator_titles as "careCoordinatorTitles",
      r.care_coordinator_phones as "careCoordinatorPhones", r.care_coordinator_faxes as "careCoordinatorFaxes",
      r.care_coordinator_emails as "careCoordinatorEmails", r.care_coordinator_event_types as "careCoordinatorEventTypes",
      r.insurance, r.care_gaps as "careGaps", r.advance_care_documents as "advanceCareDocuments",
      r.billing_agencies as "billingAgencies", r.tags, r.left_at as "leftAt",
      array(
        select t.name from patient_tags p join tags t on t.id = p.tag_id
        where p.roster_patient_id = r.id and t.team_id = ${tx.actor.teamId}
        order by p.set_at, t.id) as "teamTags"
    from roster_patients r join groups g on g.id = r.group_id join organizations o on o.id = g.organization_id
    where r.person_id = any(${personIds}::bigint[]) and r.group_id = any(${tx.groupIds}::bigint[])
    order by r.id`);
  return rows;
}

export interface FacilityRow {
  id: string;
  name: string;
  type: GroupType;
  facilityType: FacilityType | null;
  address: string | null;
  timeZone: string;
  isPart2Facility: boolean;
  isAutomated: boolean;
}

export async function facilitiesOf(tx: ActorTransaction, groupIds: string[]): Promise<Map<string, FacilityRow>> {
  const { rows } = await tx.query<FacilityRow>(sql`
    select id, name, type, facility_type as "facilityType", address, time_zone as "timeZone",
      is_part2_facility as "isPart2Facility", is_automated as "isAutomated"
    from groups where id = any(${groupIds}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A visit in its folded state. */
export type VisitRow = Omit<EncounterRow, 'sourcePatientId'> & VisitTimes & { createdAt: string };

/**
 * Returns the visits of these persons that the team may read: those since `since`, the open and planned ones, and `encounterIds`; with null for
 * `since` all.
 */
export async function visitsOf(
  tx: ActorTransaction,
  personIds: string[],
  encounterIds: string[],
  since: Date | null,
): Promise<VisitRow[]> {
  const from = since?.toISOString() ?? null;
  const { rows } = await tx.query<VisitRow>(sql`
    select e.id, e.group_id as "groupId", e.person_id as "personId", e.state, e.created_at as "createdAt", v.*
    from encounters e
    cross join lateral ${visitTimes(sql`e.id`)} v
    where e.person_id = any(${personIds}::bigint[]) and ${mayReadEncounter(tx.groupIds)}
      and (${from}::timestamptz is null or coalesce(e.discharged_at, e.admitted_at) >= ${from} or e.status in ('IN_PROGRESS', 'ON_LEAVE', 'PLANNED')
        or e.id = any(${encounterIds}::bigint[]))
    order by e.id`);
  return rows;
}

export interface PingRow {
  eventId: string;
  pingId: string;
  encounterId: string;
  /** The person of the listing that the ping was sent for. */
  listingPersonId: string;
  /** The visit belongs to someone else now. */
  isMoved: boolean;
  code: EventCode;
  eventAt: string;
  eventPrecision: 'day' | 'minute' | 'second';
  eventDay: string;
  state: EventState;
  setting: Setting;
  detail: EventDetail;
  isManual: boolean;
  isLate: boolean;
  receivedAt: string;
  createdAt: string;
  facilityId: string;
  managementStatus: ManagementStatus;
  statusId: string | null;
  statusUsername: string | null;
  statusName: string | null;
  statusResolutions: Resolution[] | null;
  statusOtherText: string | null;
  statusDate: string | null;
  /** Who had closed the ping before the system opened it again. */
  closedBefore: string | null;
  /** Whether the user may change the status: for that a group with the ping has to grant canManagePings. */
  mayChange: boolean;
}

/** The details to blank out in an event whose visit has turned out to be another person's. */
type Detail = keyof EventDetail;
const BLANKED: Detail[] = ['priorSetting', 'pointOfCare', 'disposition', 'dischargedTo', 'admitSource', 'payer', 'was'];
const BLANK_DETAIL = JSON.stringify(Object.fromEntries(BLANKED.map((key) => [key, null])));

/** Returns one row per event that the team got pings for, newest first, with the latest status that any of its groups set. */
export async function pingsOf(tx: ActorTransaction, encounterIds: string[]): Promise<PingRow[]> {
  const { rows } = await tx.query<PingRow>(sql`
    select * from (
      select distinct on (p.event_id, r.person_id)
        p.event_id as "eventId", p.id as "pingId", p.encounter_id as "encounterId", r.person_id as "listingPersonId",
        n.person_id <> r.person_id as "isMoved", e.code,
        e.event_at as "eventAt", ${eventOrder(sql`e`)} as "happenedAt", e.event_precision as "eventPrecision", e.event_day as "eventDay",
        p.state, e.setting,
        case when n.person_id = r.person_id then e.detail else (e.detail - 'transferredTo') || ${BLANK_DETAIL}::jsonb end as detail,
        e.is_manual as "isManual", p.is_late as "isLate", e.received_at as "receivedAt", p.created_at as "createdAt",
        n.group_id as "facilityId", p.management_status as "managementStatus", p.status_id as "statusId",
        s.username as "statusUsername", s.display_name as "statusName", s.resolutions as "statusResolutions", s.other_text as "statusOtherText", s.changed_at as "statusDate",
        case when p.management_status = 'NEW' and s.user_id is null then (
          select coalesce(c.display_name, c.username) from management_statuses c
          where c.event_id = p.event_id and c.ping_ids @> array[p.id] and c.id < p.status_id and c.user_id is not null and c.status in ('RESOLVED', 'DISMISSED')
          order by c.id desc limit 1) end as "closedBefore",
        bool_or(p.group_id = any(${tx.actor.groupsWith('canManagePings')}::bigint[])) over (partition by p.event_id, r.person_id) as "mayChange"
      from pings p
      join events e on e.id = p.event_id
      join encounters n on n.id = p.encounter_id
      join roster_patients r on r.id = p.roster_patient_id
      left join management_statuses s on s.id = p.status_id
      where p.encounter_id = any(${encounterIds}::bigint[]) and p.group_id = any(${tx.groupIds}::bigint[]) and ${mayReadPing}
      order by p.event_id, r.person_id, p.state = 'CANCELLED', p.status_id desc nulls last, p.id
    ) newest
    order by state = 'CANCELLED', "happenedAt" desc, "eventId"::bigint desc`);
  return rows;
}

/**
 * Returns events in the form of pings, in the same order, for events that the team got no pings for: those of its own facilities, or from
 * before a person was listed. `of`: the events, and visits whose events are all returned. Leaves out events that the team may not read.
 */
export async function eventsAsPings(
  tx: ActorTransaction,
  of: { eventIds: string[]; encounterIds: string[] },
): Promise<PingRow[]> {
  if (of.eventIds.length + of.encounterIds.length === 0) return [];
  const { rows } = await tx.query<PingRow>(sql`
    select v.id as "eventId", v.id as "pingId", v.encounter_id as "encounterId", e.person_id as "listingPersonId", false as "isMoved", v.code,
      v.event_at as "eventAt", v.event_precision as "eventPrecision", v.event_day as "eventDay", v.state, v.setting, v.detail,
      v.is_manual as "isManual", v.received_at - v.event_at > make_interval(hours => ${LATE_AFTER_HOURS}) as "isLate", v.received_at as "receivedAt",
      v.received_at as "createdAt", e.group_id as "facilityId", 'NEW' as "managementStatus", null as "statusId",
      null as "statusUsername", null as "statusName", null as "statusResolutions", null as "statusOtherText", null as "statusDate", null as "closedBefore", false as "mayChange"
    from events v join encounters e on e.id = v.encounter_id
    where (v.id = any(${of.eventIds}::bigint[]) or v.encounter_id = any(${of.encounterIds}::bigint[])) and ${mayReadEncounter(tx.groupIds)}
    order by v.state = 'CANCELLED', ${eventOrder(sql`v`)} desc, v.id desc`);
  return rows;
}

/** Returns until when the user has seen the pings of these visits, by visit. */
export async function viewsOf(tx: ActorTransaction, encounterIds: string[]): Promise<Map<string, string>> {
  if (encounterIds.length === 0) return new Map();
  const { rows } = await tx.query<{ encounterId: string; seenUntil: string }>(sql`
    select encounter_id as "encounterId", seen_until as "seenUntil" from stay_views
    where user_id = ${tx.actor.userId} and encounter_id = any(${encounterIds}::bigint[])`);
  return new Map(rows.map(({ encounterId, seenUntil }) => [encounterId, seenUntil]));
}

/** Returns the date of death of persons whom a facility has reported dead, if the team may read one of their visits there. */
export async function deathsOf(tx: ActorTransaction, personIds: string[]): Promise<Map<string, string | null>> {
  const { rows } = await tx.query<{ personId: string; deceasedOn: string | null }>(sql`
    select s.person_id as "personId", max(s.deceased_on) as "deceasedOn" from source_patients s
    where s.person_id = any(${personIds}::bigint[]) and s.deceased
      and exists (select from encounters e where e.source_patient_id = s.id and ${mayReadEncounter(tx.groupIds)})
    group by s.person_id`);
  return new Map(rows.map((row) => [row.personId, row.deceasedOn]));
}

/**
 * A condition on `roster_patients r` whose last name sounds alike: born within a year, on the same day of another year, or on an unknown day. It
 * narrows down the candidates for `areSimilarNames`.
 */
export const isBornNear = (dateOfBirth: Sql): Sql => sql`(
  r.date_of_birth is null or ${dateOfBirth} is null or abs(r.date_of_birth - ${dateOfBirth}) <= 366
  or to_char(r.date_of_birth, 'MMDD') = to_char(${dateOfBirth}, 'MMDD'))`;

export interface SimilarListingRow {
  id: string;
  personId: string;
  groupId: string;
  firstName: string;
  lastName: string;
  dateOfBirth: string | null;
  memberId: string;
  groupType: GroupType;
}

/** Returns other people on the team's lists who could be mistaken for this person. */
export async function similarListings(
  tx: ActorTransaction,
  { personId, soundLast, dateOfBirth }: ListingRow,
): Promise<SimilarListingRow[]> {
  if (soundLast === '') return [];
  const { rows } = await tx.query<SimilarListingRow>(sql`
    select distinct on (r.person_id) r.id, r.person_id as "personId", r.group_id as "groupId", r.first_name as "firstName",
      r.last_name as "lastName", r.date_of_birth as "dateOfBirth", r.member_id as "memberId", g.type as "groupType"
    from roster_patients r join groups g on g.id = r.group_id
    where ${mayReadListing(tx.groupIds)} and r.left_at is null and r.person_id <> ${personId}
      and r.sound_last = ${soundLast}
      and ${isBornNear(sql`${dateOfBirth}::date`)}
    order by r.person_id, r.id
    limit 1000`);
  return rows;
}
