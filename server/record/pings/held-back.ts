/** What a consent sends and closes: pings about a person's visits at a 42 CFR Part 2 facility, to one recipient. */
import type { Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { eventOrder } from '#server/record/encounters/event-order.ts';
import { publishPings, sendPings, syncPings } from './notify.ts';
import type { PingChange } from './ping-change.ts';

/** Whose visits a facility discloses, and to which group. */
export interface Disclosure {
  personId: string;
  facilityId: string;
  recipientId: string;
}

/** Waits for others who send pings about the person, so that an event that arrives now is neither missed nor sent against a consent. */
export async function lockPerson(tx: Transaction, personId: string): Promise<void> {
  await tx.query(sql`select from persons where id = ${personId} for no key update`);
}

/**
 * Sends the recipient what was held back: events that arrived while it listed the person, and of an open visit the newest event, as for a
 * person who joins a roster during a stay. Pings that an earlier consent sent are shown again. Expects the person to be locked. Returns how
 * many pings are new.
 */
export async function sendHeldBack(tx: Transaction, of: Disclosure, now: Date): Promise<number> {
  const { rows } = await tx.query<{ id: string; encounterId: string }>(sql`
    select id, "encounterId" from (
      select ev.id, en.id as "encounterId", ev.received_at, en.status,
        row_number() over (partition by en.id order by ${eventOrder(sql`ev`)} desc, ev.id desc) as place
      from encounters en join events ev on ev.encounter_id = en.id and ev.state <> 'CANCELLED'
      where en.person_id = ${of.personId} and en.group_id = ${of.facilityId}) held
    where place = 1 and status in ('IN_PROGRESS', 'ON_LEAVE')
      or exists (
        select from roster_patients r
        where r.person_id = ${of.personId} and r.group_id = ${of.recipientId} and r.left_at is null and r.listed_at <= held.received_at)`);
  const shownAgain = await pingsTo(tx, of, 'arrived');
  const eventIds = rows.map(({ id }) => id);
  const sent = await sendPings(tx, eventIds, { now, to: of.recipientId });
  const settled = await syncPings(tx, [...new Set(rows.map(({ encounterId }) => encounterId))], now);
  await publishPings(tx, [...shownAgain, ...sent, ...settled], now);
  return sent.length;
}

/** Tells open pages of the recipient that the pings about these visits are hidden from now on. */
export async function publishHidden(tx: Transaction, of: Disclosure, now: Date): Promise<void> {
  await publishPings(tx, await pingsTo(tx, of, 'hidden'), now);
}

async function pingsTo(
  tx: Transaction,
  { personId, facilityId, recipientId }: Disclosure,
  change: PingChange['change'],
): Promise<PingChange[]> {
  const { rows } = await tx.query<Omit<PingChange, 'change'>>(sql`
    select p.event_id as "eventId", p.group_id as "groupId"
    from roster_patients r join pings p on p.roster_patient_id = r.id join encounters en on en.id = p.encounter_id
    where r.person_id = ${personId} and p.group_id = ${recipientId} and en.group_id = ${facilityId} and p.is_current
    order by p.event_id`);
  return rows.map((row) => ({ ...row, change }));
}
