/**
 * Events and listings become pings. Every group that currently lists the person gets one, except the group of the facility that
 * sent the event. Nothing that was sent disappears silently: a ping whose event was retracted, or whose visit turned out to be
 * someone else's, stays as CANCELLED.
 */
import { LATE_AFTER_HOURS } from '#contract/constants.ts';
import { opensVisit } from '#server/people/access/policy.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import type { Transaction } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { eventOrder } from '#server/record/encounters/event-order.ts';
import type { PingChange } from './ping-change.ts';
import { reopenRetracted, settleSystemStatuses } from './system-statuses.ts';
import { reopenForListings } from './write-status.ts';

/** What a link to another person moved (`matching/relink.ts`). */
export interface Moved {
  encounterIds: string[];
  listingIds: string[];
}

export interface SendOptions {
  /** When the pings are sent, if that is not when the event was received. */
  now?: Date | null;
  /** Listings that are just beginning. */
  joining?: readonly string[];
  /** The visit belonged to another person until now. */
  isResend?: boolean;
  /** Only events of visits that have not ended. */
  isOpenOnly?: boolean;
  /** The only group to send to. */
  to?: string | null;
}

/** For an encounter `en` at `facility`: 42 CFR Part 2 requires a consent on record for the recipient. */
const mayNotify = (recipient: Sql): Sql => sql`(not facility.is_part2_facility or exists (
    select from consents c where c.person_id = en.person_id and c.facility_group_id = en.group_id
      and c.recipient_group_id = ${recipient} and c.ended_at is null))`;

/**
 * Sends events to every group that lists the person now and whose listing opens the visit, and returns the new pings. A group that
 * already has a ping of an event gets no second one.
 *
 * Delivery policy (docs/domain.md, "Late and missing messages"): a backfill sends nothing. An admission that no message reported
 * is sent only within 24 hours and while the visit is open, except to listings that are joining, because the visit is open. A ping sent more than 72 hours
 * after the event, or the end of its day, is marked late. When a visit moves to another person, a group that listed that person only after the stay gets
 * nothing, as if the visit had been that person's from the start.
 */
export async function sendPings(
  tx: Transaction,
  eventIds: readonly string[],
  { now = null, joining = [], isResend = false, isOpenOnly = false, to = null }: SendOptions = {},
): Promise<PingChange[]> {
  if (eventIds.length === 0) return [];
  const locked = lockPersons(tx, { eventIds });
  const sentAt = sql`coalesce(${now}::timestamptz, e.received_at)`;
  const lastMoment = sql`e.event_at + case when e.event_precision = 'day' then interval '1 day' else interval '0' end`;
  // As a rule the newest of these is the newest of all; if not, `markCurrent` corrects it. So most pings are written only once.
  const isNewest = sql`row_number() over (partition by e.encounter_id, rp.group_id order by ${eventOrder(sql`e`)} desc, e.id desc) = 1`;
  const inserted = tx.query<PingChange>(sql`
    insert into pings (event_id, group_id, roster_patient_id, encounter_id, event_at, state, is_late, created_at, is_current)
    select e.id, rp.group_id, min(rp.id), e.encounter_id, e.event_at, e.state,
           ${sentAt} - (${lastMoment}) > make_interval(hours => ${LATE_AFTER_HOURS}), ${sentAt}, ${isNewest}
    from events e
    join encounters en on en.id = e.encounter_id
    join groups facility on facility.id = en.group_id
    join roster_patients rp on rp.person_id = en.person_id and rp.left_at is null and rp.group_id <> en.group_id
    where e.id = any(${eventIds}::bigint[]) and e.state <> 'CANCELLED' and ${opensVisit(sql`rp`, sql`en`)}
      and not coalesce((e.detail ->> 'backfill')::boolean, false)
      and (rp.id = any(${joining}::bigint[])
        or not (coalesce((e.detail ->> 'inferred')::boolean, false)
          and (e.received_at - e.event_at > interval '24 hours' or en.status = 'FINISHED')))
      and (not ${isResend}::boolean or en.status in ('IN_PROGRESS', 'ON_LEAVE') or e.received_at >= rp.listed_at)
      and (not ${isOpenOnly}::boolean or en.status in ('IN_PROGRESS', 'ON_LEAVE'))
      and (${to}::bigint is null or rp.group_id = ${to}::bigint) and ${mayNotify(sql`rp.group_id`)}
      and not exists (
        select from pings sent join roster_patients l on l.id = sent.roster_patient_id
        where sent.event_id = e.id and sent.group_id = rp.group_id and l.person_id = en.person_id)
    group by e.id, rp.group_id, en.id
    order by e.id, rp.group_id
    on conflict (event_id, roster_patient_id) do nothing
    returning event_id as "eventId", group_id as "groupId", 'arrived' as change`);
  const [, { rows }] = await Promise.all([locked, inserted]);
  return rows;
}

/** Whose persons are locked: those of these events, encounters and listings. */
interface Concerned {
  eventIds?: readonly string[];
  encounterIds?: readonly string[];
  listingIds?: readonly string[];
}

/**
 * Locks the persons concerned, so that one transaction at a time sends pings about a person. Otherwise a roster job and a message
 * that arrive together would each miss the other's uncommitted rows, and a new member would get no ping.
 */
async function lockPersons(tx: Transaction, of: Concerned): Promise<void> {
  const { eventIds = [], encounterIds = [], listingIds = [] } = of;
  await tx.query(sql`
    select from persons where id in (
      select en.person_id from events e join encounters en on en.id = e.encounter_id where e.id = any(${eventIds}::bigint[])
      union all select person_id from encounters where id = any(${encounterIds}::bigint[])
      union all select person_id from roster_patients where id = any(${listingIds}::bigint[]))
    order by id for no key update`);
}

/**
 * Brings the pings of encounters in line with their events, and returns those that changed. A ping is active only while the visit
 * belongs to the person it was sent about: once the visit turns out to be another person's, it is cancelled, and that person gets
 * a ping of their own. What the events resolve or reopen is settled too. `begun`: encounters that are new, whose pings were all sent together just now,
 * so that they are in line.
 */
export async function syncPings(
  tx: Transaction,
  encounterIds: readonly string[],
  now: Date,
  begun: ReadonlySet<string> = new Set(),
): Promise<PingChange[]> {
  if (encounterIds.length === 0) return [];
  const known = encounterIds.filter((id) => !begun.has(id));
  const [brought, settled] = await Promise.all([
    bringInLine(tx, known),
    settleSystemStatuses(tx, encounterIds, now),
    markCurrent(tx, known),
  ]);
  const retracted = brought.filter(({ change }) => change === 'cancelled').map(({ id }) => id);
  await reopenRetracted(tx, retracted, now);
  return [...brought, ...settled];
}

async function bringInLine(tx: Transaction, encounterIds: readonly string[]): Promise<(PingChange & { id: string })[]> {
  if (encounterIds.length === 0) return [];
  const { rows } = await tx.query<PingChange & { id: string }>(sql`
    with concerned as (
      select id from pings where encounter_id = any(${encounterIds}::bigint[])
      union
      select p.id from events e join pings p on p.event_id = e.id where e.encounter_id = any(${encounterIds}::bigint[])
    ), truth as (
      select p.id, e.event_at, case when en.person_id = rp.person_id then e.state else 'CANCELLED' end as state, e.encounter_id
      from concerned
      join pings p using (id)
      join events e on e.id = p.event_id
      join encounters en on en.id = e.encounter_id
      join roster_patients rp on rp.id = p.roster_patient_id
    )
    update pings p set event_at = t.event_at, state = t.state, encounter_id = t.encounter_id
    from truth t
    where p.id = t.id and (p.event_at, p.state, p.encounter_id) is distinct from (t.event_at, t.state, t.encounter_id)
    returning p.id, p.event_id as "eventId", p.group_id as "groupId",
      case when p.state = 'CANCELLED' then 'cancelled' else 'amended' end as change`);
  return rows;
}

/**
 * Sends new events to the groups that had a ping of the same person retracted just now (`updated`): without the event in its place, they would read only
 * that something didn't happen.
 */
export async function sendReplacements(
  tx: Transaction,
  {
    newEvents,
    updated,
    encounters,
  }: { newEvents: readonly string[]; updated: readonly PingChange[]; encounters: readonly string[] },
  now: Date,
): Promise<PingChange[]> {
  const retracted = updated.filter(({ change }) => change === 'cancelled');
  const sent: PingChange[] = [];
  for (const [groupId, pings] of Map.groupBy(retracted, (ping) => ping.groupId)) {
    const { rows } = await tx.query<{ id: string }>(sql`
      select e.id from events e join encounters n on n.id = e.encounter_id
      where e.id = any(${newEvents}::bigint[]) and n.person_id in (
        select r.person_id from pings p join roster_patients r on r.id = p.roster_patient_id
        where p.group_id = ${groupId} and p.event_id = any(${pings.map(({ eventId }) => eventId)}::bigint[]))
      order by e.id`);
    sent.push(
      ...(await sendPings(
        tx,
        rows.map(({ id }) => id),
        { to: groupId },
      )),
    );
  }
  if (sent.length === 0) return [];
  return [...sent, ...(await syncPings(tx, encounters, now))];
}

/** Marks, for each encounter, group and person, the newest ping as current; an active one goes before a cancelled one. */
async function markCurrent(tx: Transaction, encounterIds: readonly string[]): Promise<void> {
  if (encounterIds.length === 0) return;
  await tx.query(sql`
    with ranked as (
      select p.id, row_number() over (
        partition by p.encounter_id, p.group_id, r.person_id
        order by p.state = 'CANCELLED', ${eventOrder(sql`e`)} desc, p.event_id desc) = 1 as current
      from pings p join events e on e.id = p.event_id join roster_patients r on r.id = p.roster_patient_id where p.encounter_id = any(${encounterIds}::bigint[])
    )
    update pings p set is_current = ranked.current
    from ranked where p.id = ranked.id and p.is_current <> ranked.current`);
}

/**
 * Sends listings the newest active event of each open visit of their persons, so that a person who joins a roster while in the
 * hospital brings a ping along. A ping that the system resolved when an earlier listing ended is reopened.
 */
export async function sendOpenVisits(tx: Transaction, listingIds: readonly string[], now: Date): Promise<void> {
  await lockPersons(tx, { listingIds });
  const { rows } = await tx.query<{ id: string; encounterId: string }>(sql`
    select distinct on (en.id) e.id, en.id as "encounterId"
    from roster_patients rp
    join encounters en on en.person_id = rp.person_id and en.status in ('IN_PROGRESS', 'ON_LEAVE') and en.group_id <> rp.group_id
    join events e on e.encounter_id = en.id and e.state <> 'CANCELLED'
    where rp.id = any(${listingIds}::bigint[]) and rp.left_at is null
    order by en.id, ${eventOrder(sql`e`)} desc, e.id desc`);
  const eventIds = rows.map((row) => row.id);
  const sent = await sendPings(tx, eventIds, { now, joining: listingIds });
  const encounterIds = rows.map((row) => row.encounterId);
  const settled = await syncPings(tx, encounterIds, now);
  const reopened = await reopenForListings(tx, listingIds, mayNotify, now);
  const arrived = reopened.map(({ eventId, groupId }) => ({ eventId, groupId, change: 'arrived' as const }));
  await publishPings(tx, [...sent, ...settled, ...arrived], now);
}

/**
 * Resends encounters that moved to another person: groups that list the previous person see their pings retracted, groups that
 * list the new person get every active event, except for stays that had ended before they listed that person.
 */
export async function resendEncounters(
  tx: Transaction,
  encounterIds: readonly string[],
  now: Date,
  options: Pick<SendOptions, 'isOpenOnly'> = {},
): Promise<void> {
  await lockPersons(tx, { encounterIds });
  const { rows } = await tx.query<{ id: string }>(
    sql`select id from events where encounter_id = any(${encounterIds}::bigint[]) and state <> 'CANCELLED' order by id`,
  );
  const eventIds = rows.map((row) => row.id);
  const sent = await sendPings(tx, eventIds, { ...options, now, isResend: true });
  const changed = await syncPings(tx, encounterIds, now);
  await publishPings(tx, [...sent, ...changed], now);
}

/**
 * Resends what changes of identity moved: visits to the groups that list the new person, and to moved listings the visits of their new person. Which
 * of the two moves is chance, so both are sent the same.
 */
export async function resendMoved(
  tx: Transaction,
  moved: readonly Moved[],
  now: Date,
  options: Pick<SendOptions, 'isOpenOnly'> = {},
): Promise<void> {
  const encounterIds = moved.flatMap((link) => link.encounterIds);
  const listingIds = moved.flatMap((link) => link.listingIds);
  if (listingIds.length > 0) {
    const { rows } = await tx.query<{ id: string }>(sql`
      select encounter_id as id from pings where roster_patient_id = any(${listingIds}::bigint[])
      union
      select e.id from roster_patients l join encounters e on e.person_id = l.person_id and e.group_id <> l.group_id
      where l.id = any(${listingIds}::bigint[]) and l.left_at is null`);
    encounterIds.push(...rows.map((row) => row.id));
  }
  if (encounterIds.length > 0) await resendEncounters(tx, [...new Set(encounterIds)], now, options);
  if (listingIds.length > 0) await sendOpenVisits(tx, listingIds, now);
}

/** Writes changes of pings to the change log, which open pages follow. */
export async function publishPings(tx: Transaction, changes: readonly PingChange[], now: Date): Promise<void> {
  await logChanges(
    tx,
    changes.map(({ eventId, groupId, change }) => ({ kind: 'ping', change, groupId, subjectId: eventId })),
    now,
  );
}
