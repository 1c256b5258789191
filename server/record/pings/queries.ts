import type { ManagementStatus } from '#contract/management-status.ts';
import type { ManagementStatusRecord } from '#contract/pings.ts';
import { mayReadPing } from '#server/people/access/policy.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

export interface LockedPing {
  id: string;
  groupId: string;
  status: ManagementStatus;
  statusId: string | null;
  changedBy: string | null;
}

/**
 * Returns the pings that the actor's groups have of an event for a person and may read, and locks them in order. Row-level security hides
 * other groups' pings.
 */
export async function lockPings(tx: Queryable, personId: string, eventId: string): Promise<LockedPing[]> {
  const { rows } = await tx.query<LockedPing>(sql`
    select p.id, p.group_id as "groupId", p.management_status as status, p.status_id as "statusId",
      (select s.user_id from management_statuses s where s.id = p.status_id) as "changedBy"
    from pings p join roster_patients r on r.id = p.roster_patient_id
    where p.event_id = ${eventId} and r.person_id = ${personId} and ${mayReadPing}
    order by p.id for update of p`);
  return rows;
}

const RECORD = sql`id, status, resolutions, username, other_text as "otherText", changed_at as date`;

/** Returns one record of the status history, or null. */
export async function statusRecord(tx: Queryable, id: string): Promise<ManagementStatusRecord | null> {
  const { rows } = await tx.query<ManagementStatusRecord>(
    sql`select ${RECORD} from management_statuses where id = ${id}`,
  );
  return rows[0] ?? null;
}

/** Returns the statuses of the pings that the actor's groups have of an event for a person and may read, newest first. */
export async function loadHistory(tx: Queryable, personId: string, eventId: string): Promise<ManagementStatusRecord[]> {
  const { rows } = await tx.query<ManagementStatusRecord>(sql`
    select ${RECORD} from management_statuses
    where event_id = ${eventId} and ping_ids && array(
      select p.id from pings p join roster_patients r on r.id = p.roster_patient_id
      where p.event_id = ${eventId} and r.person_id = ${personId} and ${mayReadPing})
    order by management_statuses.id desc`);
  return rows;
}
