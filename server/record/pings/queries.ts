import type { ManagementStatus } from '#contract/management-status.ts';
import type { ManagementStatusRecord } from '#contract/pings.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadListing, mayReadPing } from '#server/people/access/policy.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

export interface LockedPing {
  id: string;
  eventId: string;
  groupId: string;
  /** Whether the event was retracted, or is someone else's. */
  isRetracted: boolean;
  status: ManagementStatus;
  statusId: string | null;
  changedBy: string | null;
}

/**
 * Returns the pings that the actor's groups have of these events for a person and may read, and locks them in order. Row-level security hides
 * other groups' pings.
 */
export async function lockPings(tx: Queryable, personId: string, eventIds: readonly string[]): Promise<LockedPing[]> {
  const { rows } = await tx.query<LockedPing>(sql`
    select p.id, p.event_id as "eventId", p.group_id as "groupId", p.management_status as status, p.status_id as "statusId",
      p.state = 'CANCELLED' as "isRetracted",
      (select s.user_id from management_statuses s where s.id = p.status_id) as "changedBy"
    from pings p join roster_patients r on r.id = p.roster_patient_id
    where p.event_id = any (${eventIds}::bigint[]) and r.person_id = ${personId} and ${mayReadPing}
    order by p.id for update of p`);
  return rows;
}

/** Returns the group of the oldest listing of the person that the transaction shows: the group that created the patient. */
export async function creatorGroup(tx: ActorTransaction, personId: string): Promise<string | null> {
  const { rows } = await tx.query<{ groupId: string }>(sql`
    select r.group_id as "groupId" from roster_patients r
    where r.person_id = ${personId} and ${mayReadListing(tx.groupIds)} order by r.id limit 1`);
  return rows[0]?.groupId ?? null;
}

/** Notes that the user has seen what arrived in a visit until then. An earlier time changes nothing. */
export async function noteView(tx: ActorTransaction, encounterId: string, until: string, now: Date): Promise<void> {
  await tx.query(sql`
    insert into stay_views (user_id, encounter_id, seen_until) values (${tx.actor.userId}, ${encounterId}, least(${until}::timestamptz, ${now}))
    on conflict (user_id, encounter_id) do update set seen_until = excluded.seen_until
      where stay_views.seen_until < excluded.seen_until`);
}

const RECORD = sql`id, status, resolutions, username, display_name as "displayName", other_text as "otherText", changed_at as date`;

/** Returns one record of the status history, or null. */
export async function statusRecord(tx: Queryable, id: string): Promise<ManagementStatusRecord | null> {
  const { rows } = await tx.query<ManagementStatusRecord>(
    sql`select ${RECORD} from management_statuses where id = ${id}`,
  );
  return rows[0] ?? null;
}

/**
 * Returns the statuses of the pings that the actor's groups have of an event for a person and may read, newest first. A ping that did not reopen its
 * stay has the record that closed the stay.
 */
export async function loadHistory(tx: Queryable, personId: string, eventId: string): Promise<ManagementStatusRecord[]> {
  const { rows } = await tx.query<ManagementStatusRecord>(sql`
    with own as (
      select p.id, p.status_id from pings p join roster_patients r on r.id = p.roster_patient_id
      where p.event_id = ${eventId} and r.person_id = ${personId} and ${mayReadPing})
    select ${RECORD} from management_statuses
    where event_id = ${eventId} and ping_ids && array(select own.id from own) or management_statuses.id in (select own.status_id from own)
    order by management_statuses.id desc`);
  return rows;
}
