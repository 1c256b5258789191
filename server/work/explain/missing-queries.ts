/** What is known about a patient and a day, as far as an administrator may know it. All in a transaction for canManageUsers. */
import type { EventCode, EventState } from '#contract/event-codes.ts';
import type { MessageStatus } from '#contract/feeds.ts';
import type { ManagementStatus, Resolution } from '#contract/management-status.ts';
import { maySeeMessage } from '#server/intake/feeds/feed-scope.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadEncounter, mayReadListing, mayReadPing } from '#server/people/access/policy.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import type { NormalizedName } from '#server/record/scoring/names.ts';

/** From when to when, as instants, and the calendar day at a facility. */
export interface AskedDay {
  day: string;
  from: string;
  to: string;
}

export interface ListedRow {
  id: string;
  groupId: string;
  groupName: string;
  timeZone: string;
  listedAt: string;
  leftAt: string | null;
  opensFrom: string;
  name: NormalizedName;
}

/** Returns the listings of a person by the groups whose users the actor manages in this team, the oldest first. */
export async function listedIn(tx: ActorTransaction, personId: string): Promise<ListedRow[]> {
  const { rows } = await tx.query<ListedRow>(sql`
    select r.id, r.group_id as "groupId", g.name as "groupName", g.time_zone as "timeZone", r.listed_at as "listedAt", r.left_at as "leftAt",
      r.opens_from as "opensFrom",
      jsonb_build_object('family', r.last_name, 'given', r.first_name, 'middle', r.middle_name, 'suffix', r.name_suffix) as name
    from roster_patients r join groups g on g.id = r.group_id
    where r.person_id = ${personId} and ${mayReadListing(tx.groupIds)} order by r.id`);
  return rows;
}

/** Condition on a group's id: the actor administers it in some team. */
const isManaged = (groupId: Sql): Sql => sql`(${groupId} = any (managed_groups()) or administers_everything())`;

export interface FacilityRow {
  id: string;
  name: string;
  isAutomated: boolean;
  /** The facility has a record of the person. */
  knows: boolean;
}

/** Returns the facilities that the actor administers; of an operator's, which are all, those that know the person come first. */
export async function facilitiesFor(tx: ActorTransaction, personId: string): Promise<FacilityRow[]> {
  const { rows } = await tx.query<FacilityRow>(sql`
    select g.id, g.name, g.is_automated as "isAutomated",
      exists (select from source_patients s where s.group_id = g.id and s.person_id = ${personId}) as knows
    from groups g where g.type <> 'PROGRAM' and g.ended_at is null and ${isManaged(sql`g.id`)}
    order by knows desc, g.name limit 500`);
  return rows;
}

export interface DayEvent {
  id: string;
  encounterId: string;
  facilityId: string;
  facilityName: string;
  timeZone: string;
  code: EventCode;
  state: EventState;
  at: string;
  day: string;
  precision: 'day' | 'minute' | 'second';
  receivedAt: string;
  isBackfill: boolean;
  isInferred: boolean;
  isOver: boolean;
  isPart2: boolean;
  /** Groups for which a consent is in force. */
  consents: string[];
}

/** Returns the person's events of that day, or received on it, in visits that the actor's groups may read or that were at a facility they administer. */
export async function eventsOn(tx: ActorTransaction, personId: string, on: AskedDay): Promise<DayEvent[]> {
  const { rows } = await tx.query<DayEvent>(sql`
    select v.id, e.id as "encounterId", g.id as "facilityId", g.name as "facilityName", g.time_zone as "timeZone", v.code, v.state, v.event_at as at,
      v.event_day as day, v.event_precision as precision, v.received_at as "receivedAt",
      coalesce((v.detail ->> 'backfill')::boolean, false) as "isBackfill", coalesce((v.detail ->> 'inferred')::boolean, false) as "isInferred",
      e.status = 'FINISHED' as "isOver", g.is_part2_facility as "isPart2",
      array(select c.recipient_group_id::text from consents c
        where c.person_id = e.person_id and c.facility_group_id = g.id and c.ended_at is null) as consents
    from encounters e join groups g on g.id = e.group_id join events v on v.encounter_id = e.id
    where e.person_id = ${personId} and (${mayReadEncounter(tx.groupIds)} or ${isManaged(sql`e.group_id`)})
      and (v.event_day = ${on.day}::date or v.received_at >= ${on.from} and v.received_at < ${on.to})
    order by v.event_at, v.id limit 200`);
  return rows;
}

export interface DayPing {
  eventId: string;
  encounterId: string;
  groupId: string;
  rosterPatientId: string;
  code: EventCode;
  day: string;
  state: EventState;
  isMoved: boolean;
  isLate: boolean;
  status: ManagementStatus;
  resolutions: Resolution[] | null;
  otherText: string | null;
  statusAt: string | null;
  sentAt: string;
  timeZone: string;
}

/** Returns the pings about these events, and those sent or dated on that day whose visit is another person's now. */
export async function pingsOn(
  tx: ActorTransaction,
  personId: string,
  eventIds: readonly string[],
  on: AskedDay,
): Promise<DayPing[]> {
  const { rows } = await tx.query<DayPing>(sql`
    select p.event_id as "eventId", p.encounter_id as "encounterId", p.group_id as "groupId", p.roster_patient_id as "rosterPatientId", v.code,
      v.event_day as day, p.state, n.person_id <> r.person_id as "isMoved", p.is_late as "isLate", p.management_status as status, s.resolutions,
      s.other_text as "otherText", p.status_at as "statusAt", p.created_at as "sentAt", g.time_zone as "timeZone"
    from roster_patients r
      join pings p on p.roster_patient_id = r.id
      join events v on v.id = p.event_id
      join encounters n on n.id = p.encounter_id
      join groups g on g.id = p.group_id
      left join management_statuses s on s.id = p.status_id
    where r.person_id = ${personId} and p.group_id = any (${tx.groupIds}::bigint[]) and ${mayReadPing}
      and (p.event_id = any (${eventIds}::bigint[])
        or n.person_id <> r.person_id and (v.event_day = ${on.day}::date or p.created_at >= ${on.from} and p.created_at < ${on.to}))
    order by p.id`);
  return rows;
}

/** Returns since when a match of one of these listings, or of a record of an own facility that may be this person, waits for a review. */
export async function reviewsOf(
  tx: ActorTransaction,
  personId: string,
  listingIds: readonly string[],
  before: string,
): Promise<{ groupName: string; date: string }[]> {
  const { rows } = await tx.query<{ groupName: string; date: string }>(sql`
    select g.name as "groupName", m.created_at as date
    from match_reviews m join groups g on g.id = m.group_id
    where m.decided_at is null and m.created_at < ${before} and m.group_id = any (${tx.groupIds}::bigint[])
      and (m.subject = 'ROSTER_PATIENT' and m.subject_id = any (${listingIds}::bigint[])
        or m.subject = 'SOURCE_PATIENT' and (
          m.candidates @> ${JSON.stringify([{ personId }])}::jsonb
          or exists (select from source_patients s where s.id = m.subject_id and s.person_id = ${personId})))
    order by m.id limit 20`);
  return rows;
}

/** Returns listings of the actor's groups with the name and birth date of one of these, that belong to someone else. */
export async function otherRecordsOf(
  tx: ActorTransaction,
  personId: string,
  listingIds: readonly string[],
): Promise<{ id: string; groupName: string }[]> {
  const { rows } = await tx.query<{ id: string; groupName: string }>(sql`
    select distinct on (other.person_id) other.id, g.name as "groupName"
    from roster_patients own
      join roster_patients other on other.sort_last = own.sort_last and other.sort_first = own.sort_first and other.date_of_birth = own.date_of_birth
      join groups g on g.id = other.group_id
    where own.id = any (${listingIds}::bigint[]) and other.person_id <> ${personId}
      and other.group_id = any (${tx.groupIds}::bigint[]) and other.left_at is null
    order by other.person_id, other.id limit 5`);
  return rows;
}

export interface DayFact {
  messageId: string;
  facilityId: string;
  outcome: string;
  receivedAt: string;
}

/** Returns what became of the messages about the person that these facilities sent on that day. */
export async function factsOn(
  tx: ActorTransaction,
  personId: string,
  facilityIds: readonly string[],
  on: AskedDay,
): Promise<DayFact[]> {
  const { rows } = await tx.query<DayFact>(sql`
    select f.message_id as "messageId", s.group_id as "facilityId", f.outcome, f.received_at as "receivedAt"
    from source_patients s join facts f on f.source_patient_id = s.id
    where s.person_id = ${personId} and s.group_id = any (${facilityIds}::bigint[])
      and (f.received_at >= ${on.from} and f.received_at < ${on.to} or f.adt #>> '{occurredAt,localDate}' = ${on.day})
    order by f.received_at, f.id limit 200`);
  return rows;
}

export interface FeedDay {
  status: MessageStatus;
  reason: string;
  count: number;
  messageId: string;
}

/** Returns how many messages of the facility's feeds were received on that day, by what became of them, the most first; of those applied one row. */
export async function feedOn(
  tx: ActorTransaction,
  facilityId: string,
  on: AskedDay,
): Promise<{ messages: FeedDay[]; pausedAt: string | null }> {
  const feeds = sql`(select ff.feed_id from feed_facilities ff where ff.group_id = ${facilityId})`;
  const { rows } = await tx.query<FeedDay>(sql`
    select m.status, case when m.status = 'APPLIED' then '' else m.reason end as reason, count(*)::int as count, max(m.id) as "messageId"
    from messages m
    where m.feed_id in ${feeds} and m.received_at >= ${on.from} and m.received_at < ${on.to} and ${maySeeMessage(tx)}
    group by 1, 2 order by 3 desc limit 30`);
  const paused = await tx.query<{ at: string | null }>(sql`
    select min(f.paused_at) as at from feeds f where f.id in ${feeds} and f.ended_at is null and f.paused_at < ${on.to}`);
  return { messages: rows, pausedAt: paused.rows[0]?.at ?? null };
}
