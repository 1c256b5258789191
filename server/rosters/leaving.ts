/** What becomes of the pings of listings that ended. */
import { logChanges } from '#server/database/change-log.ts';
import type { Queryable } from '#server/database/pool.ts';
import { sql } from '#server/database/sql.ts';

const SYSTEM = 'System';

/**
 * Resolves the open pings of listings that have ended, unless the group lists the person under another member id too; what somebody
 * resolves at the same moment stays as it is. Answers the pings that changed, for the change log.
 */
export async function resolvePingsOf(
  tx: Queryable,
  listingIds: readonly string[],
  now: Date,
): Promise<{ eventId: string; groupId: string }[]> {
  if (listingIds.length === 0) return [];
  const { rows } = await tx.query<{ eventId: string; groupId: string }>(sql`
    with open as (
      select p.id as ping_id, p.event_id, p.group_id
      from pings p join roster_patients r on r.id = p.roster_patient_id
      where p.roster_patient_id = any (${listingIds}::bigint[]) and p.management_status in ('NEW', 'IN_PROGRESS')
        and not exists (
          select from roster_patients other
          where other.person_id = r.person_id and other.group_id = r.group_id and other.left_at is null)
      order by p.id for update of p),
    status as (
      insert into management_statuses (event_id, group_ids, ping_ids, status, resolutions, username, changed_at)
      select event_id, array[group_id], array[ping_id], 'RESOLVED', '{SYSTEM_RESOLVED}', ${SYSTEM}, ${now} from open
      returning id, ping_ids[1] as ping_id)
    update pings p set management_status = 'RESOLVED', status_id = s.id, status_at = ${now}
    from status s where p.id = s.ping_id
    returning p.event_id as "eventId", p.group_id as "groupId"`);
  return rows;
}

/** `resolvePingsOf`, told to open pages. */
export async function resolveAndTell(tx: Queryable, listingIds: readonly string[], now: Date): Promise<void> {
  const resolved = await resolvePingsOf(tx, listingIds, now);
  await logChanges(
    tx,
    resolved.map(({ eventId, groupId }) => ({ kind: 'ping', change: 'status', groupId, subjectId: eventId })),
    now,
  );
}

/** Ends the listings whose time has come (`leaves_at`) and resolves their open pings; answers how many ended. A daily job. */
export async function endListings(tx: Queryable, now: Date): Promise<number> {
  const { rows } = await tx.query<{ id: string }>(
    sql`update roster_patients set left_at = ${now} where left_at is null and leaves_at <= ${now} returning id`,
  );
  await resolveAndTell(
    tx,
    rows.map(({ id }) => id),
    now,
  );
  return rows.length;
}
