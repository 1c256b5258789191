import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** The pings of an event that a group got, as the change log names them. */
export interface PingOfGroup {
  eventId: string;
  groupId: string;
}

/** A new ping that may be reported. */
export interface Candidate extends PingOfGroup {
  id: string;
  personId: string;
  encounterId: string;
  createdAt: string;
  /** Who entered the event by hand: they know about it. */
  enteredBy: string[];
}

/** In milliseconds. What the job did not see for so long is no news any more. */
const NEWS = 72 * 3_600_000;

/**
 * Returns which of these pings may be reported at all: not late ones, retracted ones, those about a visit that turned out to be another person's,
 * and those of a 42 CFR Part 2 facility. Backfills have no pings.
 */
export async function candidatesAmong(tx: Queryable, pings: readonly PingOfGroup[], now: Date): Promise<Candidate[]> {
  if (pings.length === 0) return [];
  const { rows } = await tx.query<Candidate>(sql`
    select distinct on (p.id) p.id, p.event_id as "eventId", p.group_id as "groupId", r.person_id as "personId", p.encounter_id as "encounterId",
      p.created_at as "createdAt",
      array(
        select m.entered_by::text from facts f join messages m on m.id = f.message_id and m.received_at = f.received_at
        where e.is_manual and f.encounter_id = e.encounter_id and f.received_at = e.received_at and m.entered_by is not null) as "enteredBy"
    from unnest(${pings.map(({ eventId }) => eventId)}::bigint[], ${pings.map(({ groupId }) => groupId)}::bigint[]) as arrived (event_id, group_id)
      join pings p on p.event_id = arrived.event_id and p.group_id = arrived.group_id
      join events e on e.id = p.event_id
      join encounters n on n.id = p.encounter_id
      join groups facility on facility.id = n.group_id
      join roster_patients r on r.id = p.roster_patient_id and r.person_id = n.person_id
    where p.state <> 'CANCELLED' and not p.is_late and not facility.is_part2_facility
      and p.created_at > ${new Date(now.getTime() - NEWS)}`);
  return rows;
}
