/** The only writer of a ping's management status, whether a person changed it or the system did. */
import { type ManagementStatus, type Resolution, SYSTEM_USERNAME } from '#contract/management-status.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

export interface NewStatus {
  eventId: string;
  /** The groups and pings that share this status record. */
  groupIds: string[];
  pingIds: string[];
  status: ManagementStatus;
  resolutions: Resolution[];
  otherText: string | null;
  /** Null where the system changed it. */
  userId: string | null;
  username: string;
  /** The user's name; null for the system. */
  displayName: string | null;
}

/** Adds one record per change to the history, and sets it on the pings. Returns the ids of the records, in the same order. */
export async function writeStatuses(tx: Queryable, changes: readonly NewStatus[], now: Date): Promise<string[]> {
  if (changes.length === 0) return [];
  const { rows } = await tx.query<{ id: string }>(sql`
    with change as (
      select * from rows from (jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as (
        "eventId" bigint, "groupIds" bigint[], "pingIds" bigint[], status text, resolutions text[], "otherText" text,
        "userId" bigint, username text, "displayName" text)) with ordinality as c (event_id, group_ids, ping_ids, status, resolutions, other_text,
        user_id, username, display_name, position)),
    record as (
      insert into management_statuses (event_id, group_ids, ping_ids, status, resolutions, other_text, user_id, username, display_name, changed_at)
      select event_id, group_ids, ping_ids, status, resolutions, other_text, user_id, username, display_name, ${now}
      from change order by position
      returning id, status, ping_ids),
    updated as (
      update pings p set management_status = r.status, status_id = r.id, status_at = ${now}
      from (select id, status, unnest(ping_ids) as ping_id from record) r where p.id = r.ping_id)
    select id from record order by id`);
  return rows.map(({ id }) => id);
}

export interface SystemPing {
  id: string;
  eventId: string;
  groupId: string;
}

/** Writes one status of the system's to each of these pings. `otherText`: why. */
export function writeSystemStatus(
  tx: Queryable,
  pings: readonly SystemPing[],
  status: Pick<NewStatus, 'status' | 'resolutions' | 'otherText'>,
  now: Date,
): Promise<string[]> {
  const changes = pings.map(({ id, eventId, groupId }) => ({
    ...status,
    eventId,
    groupIds: [groupId],
    pingIds: [id],
    userId: null,
    username: SYSTEM_USERNAME,
    displayName: null,
  }));
  return writeStatuses(tx, changes, now);
}

/** What the status history says with SYSTEM_RESOLVED; nothing in records from before the reason was kept. */
const LEFT_LIST = 'No longer on the list.';

/**
 * Resolves the open pings of listings that have ended, and returns those pings. A ping that someone resolves at the same moment
 * keeps that status. Does not log the changes: a roster logs one reload of its group instead.
 */
export async function resolvePingsOfListings(
  tx: Queryable,
  listingIds: readonly string[],
  now: Date,
): Promise<SystemPing[]> {
  if (listingIds.length === 0) return [];
  const { rows } = await tx.query<SystemPing>(sql`
    select p.id, p.event_id as "eventId", p.group_id as "groupId"
    from pings p join roster_patients r on r.id = p.roster_patient_id
    where p.roster_patient_id = any (${listingIds}::bigint[]) and p.management_status in ('NEW', 'IN_PROGRESS')
      and not exists (
        select from roster_patients other
        where other.person_id = r.person_id and other.group_id = r.group_id and other.left_at is null)
    order by p.id for update of p`);
  await writeSystemStatus(
    tx,
    rows,
    { status: 'RESOLVED', resolutions: ['SYSTEM_RESOLVED'], otherText: LEFT_LIST },
    now,
  );
  return rows;
}

/** `resolvePingsOfListings`, logged for open pages. */
export async function resolveForEndedListings(tx: Queryable, listingIds: readonly string[], now: Date): Promise<void> {
  const resolved = await resolvePingsOfListings(tx, listingIds, now);
  await logChanges(
    tx,
    resolved.map(({ eventId, groupId }) => ({ kind: 'ping', change: 'status', groupId, subjectId: eventId })),
    now,
  );
}

/**
 * Reopens pings of open visits that the system resolved when a listing ended, because the group lists the person again, under
 * whatever member id: there is work to do again. Returns the pings it reopened.
 *
 * @param mayNotify a condition on `en` and `facility` for a recipient group, see `notify.ts`
 */
export async function reopenForListings(
  tx: Queryable,
  listingIds: readonly string[],
  mayNotify: (recipient: Sql) => Sql,
  now: Date,
): Promise<SystemPing[]> {
  const { rows } = await tx.query<SystemPing>(sql`
    select p.id, p.event_id as "eventId", p.group_id as "groupId"
    from (
      select distinct person_id, group_id from roster_patients where id = any (${listingIds}::bigint[]) and left_at is null) as lists
    join roster_patients told using (person_id, group_id)
    join pings p on p.roster_patient_id = told.id
    join encounters en on en.id = p.encounter_id and en.person_id = told.person_id and en.status in ('IN_PROGRESS', 'ON_LEAVE')
    join groups facility on facility.id = en.group_id and ${mayNotify(sql`p.group_id`)}
    join management_statuses s on s.id = p.status_id and s.user_id is null and s.resolutions = '{SYSTEM_RESOLVED}'
      and coalesce(s.other_text, ${LEFT_LIST}) = ${LEFT_LIST}
    where p.management_status = 'RESOLVED' and p.is_current and p.state <> 'CANCELLED'
    order by p.id for update of p`);
  await writeSystemStatus(tx, rows, { status: 'NEW', resolutions: [], otherText: null }, now);
  return rows;
}
