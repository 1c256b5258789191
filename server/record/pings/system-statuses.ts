/**
 * Which pings the system itself resolves, and which of these it opens again. What it decides follows from the events alone, so the order of arrival
 * doesn't matter; what a person decides afterwards stays.
 */
import type { Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { PingChange } from './ping-change.ts';
import { type SystemPing, writeSystemStatus } from './write-status.ts';

/** What the status history says with SYSTEM_RESOLVED. */
const DIED = 'The patient died.';
const CLOSED = 'The visit was closed without a discharge.';
/** What it says with NEW. */
const RETRACTED = 'The sender retracted the event.';

interface Judged extends SystemPing {
  /** Why the ping is to be resolved; null if it is to be open again. */
  why: typeof DIED | typeof CLOSED | null;
}

/**
 * Resolves the open pings of the persons of these encounters that need nobody any more: all of a visit that was closed (CLOSED), and after a death
 * that the group was told of, or reported itself, those of events up to it. Never the DECEASED ping, never a retracted one, which nobody may have seen, and none whose status a person set after the
 * group knew. Opens again what it had resolved if the death or the close turns out not to be true, while the group lists the person.
 */
export async function settleSystemStatuses(
  tx: Transaction,
  encounterIds: readonly string[],
  now: Date,
): Promise<PingChange[]> {
  const { rows } = await tx.query<Judged>(sql`
    with known as (
      select n.person_id, n.group_id, n.id as encounter_id, e.id as event_id, e.code, e.received_at,
        e.event_at + case when e.event_precision = 'day' then interval '1 day' else interval '0' end as until, e.state <> 'CANCELLED' as is_true
      from encounters n join events e on e.encounter_id = n.id
      where n.person_id in (select person_id from encounters where id = any(${encounterIds}::bigint[])) and e.code in ('DECEASED', 'CLOSED')),
    judged as (
      select p.id, p.event_id, p.group_id, p.management_status, s.user_id, p.status_at, s.user_id is null and s.other_text in (${DIED}, ${CLOSED}) as is_ours,
        p.state = 'CANCELLED' as is_retracted, r.left_at is null as is_listed,
        (select min(coalesce(told.created_at, k.received_at))
          from known k left join pings told on told.event_id = k.event_id and told.group_id = p.group_id
          where k.person_id = r.person_id and k.code = 'DECEASED' and k.is_true and e.code <> 'DECEASED' and e.event_at <= k.until
            and (told.id is not null or k.group_id = p.group_id)) as death_known_at,
        (select min(k.received_at) from known k
          where k.encounter_id = p.encounter_id and k.code = 'CLOSED' and k.is_true and e.event_at <= k.until) as close_known_at
      from (select distinct person_id from known) persons
        join roster_patients r using (person_id)
        join pings p on p.roster_patient_id = r.id
        join events e on e.id = p.event_id
        left join management_statuses s on s.id = p.status_id)
    select j.id, j.event_id as "eventId", j.group_id as "groupId",
      case when j.death_known_at is not null then ${DIED} when j.close_known_at is not null then ${CLOSED} end as why
    from judged j
    where case when j.death_known_at is null and j.close_known_at is null
        then j.is_ours and j.management_status = 'RESOLVED' and not j.is_retracted and j.is_listed
        else j.management_status in ('NEW', 'IN_PROGRESS') and not j.is_retracted
          and (j.user_id is null or j.status_at < least(j.death_known_at, j.close_known_at)) end
    order by j.id`);
  for (const [why, pings] of Map.groupBy(rows, (row) => row.why)) {
    await writeSystemStatus(
      tx,
      pings,
      why === null
        ? { status: 'NEW', resolutions: [], otherText: null }
        : { status: 'RESOLVED', resolutions: ['SYSTEM_RESOLVED'], otherText: why },
      now,
    );
  }
  return rows.map(({ eventId, groupId, why }) => ({ eventId, groupId, change: why === null ? 'arrived' : 'status' }));
}

/** Opens pings again that a person had closed before their event was retracted: they were closed on wrong grounds. */
export async function reopenRetracted(tx: Transaction, pingIds: readonly string[], now: Date): Promise<void> {
  if (pingIds.length === 0) return;
  const { rows } = await tx.query<SystemPing>(sql`
    select p.id, p.event_id as "eventId", p.group_id as "groupId"
    from pings p join management_statuses s on s.id = p.status_id
    where p.id = any(${pingIds}::bigint[]) and p.management_status in ('RESOLVED', 'DISMISSED') and s.user_id is not null
    order by p.id`);
  await writeSystemStatus(tx, rows, { status: 'NEW', resolutions: [], otherText: RETRACTED }, now);
}
