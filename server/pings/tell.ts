/**
 * Events × recipients → pings. Who is told: every group that lists the person now, but never the group of the facility that
 * sent the event. What was told is never taken back silently: a ping whose event was retracted, or whose visit turned out to
 * be somebody else's, stays as CANCELLED.
 */
import { logChanges } from '#server/database/change-log.ts';
import type { Transaction } from '#server/database/pool.ts';

/** What a link to another person moved (server/matching/relink.ts). */
export interface Moved {
  encounterIds: string[];
  listingIds: string[];
}

export interface ToldPing {
  eventId: string;
  groupId: string;
  change: 'arrived' | 'amended' | 'cancelled';
}

/** Of an encounter `en` at `facility`: 42 CFR Part 2 wants a consent on record for the recipient. */
const mayBeTold = (recipient: string): string => `(not facility.is_part2_facility or exists (
    select from consents c where c.person_id = en.person_id and c.facility_group_id = en.group_id
      and c.recipient_group_id = ${recipient} and c.ended_at is null))`;

/**
 * Delivery policy (domain rules, section 9.7 and 9.8): a backfill tells nobody; an admission that no message said is told only
 * while it is news (24 hours), but also for the listings that join a roster ($3), for the visit is open; what is told more than 72 hours after it
 * happened is late. Of visits that turn out to be a person's ($4), who listed him or her only after a stay hears no more than of
 * one that was known from the beginning: nothing.
 */
const TELL = `
insert into pings (event_id, group_id, roster_patient_id, encounter_id, event_at, state, is_late, created_at)
select e.id, rp.group_id, min(rp.id), e.encounter_id, e.event_at, e.state,
       coalesce($2, e.received_at) - e.event_at > interval '72 hours', coalesce($2, e.received_at)
from events e
join encounters en on en.id = e.encounter_id
join groups facility on facility.id = en.group_id
join roster_patients rp on rp.person_id = en.person_id and rp.left_at is null and rp.group_id <> en.group_id
where e.id = any($1::bigint[]) and e.state <> 'CANCELLED'
  and not coalesce((e.detail ->> 'backfill')::boolean, false)
  and (rp.id = any($3::bigint[]) or not (coalesce((e.detail ->> 'inferred')::boolean, false) and e.received_at - e.event_at > interval '24 hours'))
  and (not $4 or en.status in ('IN_PROGRESS', 'ON_LEAVE') or e.received_at >= rp.listed_at)
  and ${mayBeTold('rp.group_id')}
  and not exists (
    select from pings told join roster_patients l on l.id = told.roster_patient_id
    where told.event_id = e.id and told.group_id = rp.group_id and l.person_id = en.person_id)
group by e.id, rp.group_id, en.id
order by e.id, rp.group_id
on conflict (event_id, roster_patient_id) do nothing
returning event_id as "eventId", group_id as "groupId", 'arrived' as change`;

/** What is told, in whatever way it is named. */
interface Told {
  eventIds?: readonly string[];
  encounterIds?: readonly string[];
  listingIds?: readonly string[];
}

const LOCK_PERSONS = `
select from persons where id in (
  select en.person_id from events e join encounters en on en.id = e.encounter_id where e.id = any($1::bigint[])
  union all select person_id from encounters where id = any($2::bigint[])
  union all select person_id from roster_patients where id = any($3::bigint[]))
order by id for no key update`;

/**
 * Of one person, one transaction tells after the other: else a roster's job and a message at the same moment, each blind to what the
 * other has not committed yet, would leave who joins untold of what happens just then.
 */
async function takeTurn(tx: Transaction, { eventIds = [], encounterIds = [], listingIds = [] }: Told): Promise<void> {
  await tx.query(LOCK_PERSONS, [eventIds, encounterIds, listingIds]);
}

/** Tells events to all who list the person now; those who were told already hear nothing again. `now`: told only now, not when it was received. `joining`: listings that begin. `isRetold`: the visit was another person's. */
export async function tellEvents(
  tx: Transaction,
  eventIds: string[],
  now: Date | null = null,
  { joining = [], isRetold = false }: { joining?: readonly string[]; isRetold?: boolean } = {},
): Promise<ToldPing[]> {
  if (eventIds.length === 0) return [];
  await takeTurn(tx, { eventIds });
  return (await tx.query<ToldPing>(TELL, [eventIds, now?.toISOString() ?? null, joining, isRetold])).rows;
}

/**
 * A ping follows its event, and stands only while the visit belongs to the person of whom it was told. Where that turns out to be
 * another of the group's people, this one's is retracted and the other one gets a ping of his or her own.
 */
const FOLLOW = `
with concerned as (
  select id from pings where encounter_id = any($1::bigint[])
  union
  select p.id from events e join pings p on p.event_id = e.id where e.encounter_id = any($1::bigint[])
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
returning p.event_id as "eventId", p.group_id as "groupId",
  case when p.state = 'CANCELLED' then 'cancelled' else 'amended' end as change`;

const MARK_CURRENT = `
with ranked as (
  select p.id, row_number() over (
    partition by p.encounter_id, p.group_id, r.person_id order by p.state = 'CANCELLED', p.event_at desc, p.event_id desc) = 1 as current
  from pings p join roster_patients r on r.id = p.roster_patient_id where p.encounter_id = any($1::bigint[])
)
update pings p set is_current = ranked.current from ranked where p.id = ranked.id and p.is_current <> ranked.current`;

/** Brings the pings of encounters in line with their events after those changed. */
export async function followEncounters(tx: Transaction, encounterIds: string[]): Promise<ToldPing[]> {
  if (encounterIds.length === 0) return [];
  const { rows } = await tx.query<ToldPing>(FOLLOW, [encounterIds]);
  await tx.query(MARK_CURRENT, [encounterIds]);
  return rows;
}

/** The newest standing event of each open visit of the persons behind these listings. */
const OPEN_EVENTS = `
select distinct on (en.id) e.id, en.id as "encounterId"
from roster_patients rp
join encounters en on en.person_id = rp.person_id and en.status in ('IN_PROGRESS', 'ON_LEAVE') and en.group_id <> rp.group_id
join events e on e.encounter_id = en.id and e.state <> 'CANCELLED'
where rp.id = any($1::bigint[]) and rp.left_at is null
order by en.id, e.event_at desc, e.id desc`;

/**
 * What the system resolved because a listing had ended, of visits that are still open: to whoever lists the person again (under whatever
 * member id) there is something to do again.
 */
const REOPEN = `
with again as (
  select p.id as ping_id, p.event_id, p.group_id
  from (select distinct person_id, group_id from roster_patients where id = any($1::bigint[]) and left_at is null) as lists
  join roster_patients told using (person_id, group_id)
  join pings p on p.roster_patient_id = told.id
  join encounters en on en.id = p.encounter_id and en.person_id = told.person_id and en.status in ('IN_PROGRESS', 'ON_LEAVE')
  join groups facility on facility.id = en.group_id and ${mayBeTold('p.group_id')}
  join management_statuses s on s.id = p.status_id and s.user_id is null and s.resolutions = '{SYSTEM_RESOLVED}'
  where p.management_status = 'RESOLVED' and p.is_current and p.state <> 'CANCELLED'
  order by p.id for update of p
), status as (
  insert into management_statuses (event_id, group_ids, ping_ids, status, resolutions, username, changed_at)
  select event_id, array[group_id], array[ping_id], 'NEW', '{}', 'System', $2 from again
  returning id, ping_ids[1] as ping_id
)
update pings p set management_status = 'NEW', status_id = s.id, status_at = $2 from status s where p.id = s.ping_id
returning p.event_id as "eventId", p.group_id as "groupId", 'arrived' as change`;

/** Who joins a roster while in hospital brings a ping for that open visit, or the one again that was resolved when he or she left. */
export async function tellOpenEncounters(tx: Transaction, rosterPatientIds: string[], now: Date): Promise<void> {
  await takeTurn(tx, { listingIds: rosterPatientIds });
  const { rows } = await tx.query<{ id: string; encounterId: string }>(OPEN_EVENTS, [rosterPatientIds]);
  const told = await tellEvents(
    tx,
    rows.map((row) => row.id),
    now,
    { joining: rosterPatientIds },
  );
  await followEncounters(
    tx,
    rows.map((row) => row.encounterId),
  );
  const again = await tx.query<ToldPing>(REOPEN, [rosterPatientIds, now.toISOString()]);
  await announce(tx, [...told, ...again.rows], now);
}

/**
 * After visits moved to another person: those who list the one told of before see it retracted, those who list the
 * other one hear of everything that stands, but for stays that were over before they listed him or her.
 */
export async function retellEncounters(tx: Transaction, encounterIds: string[], now: Date): Promise<void> {
  await takeTurn(tx, { encounterIds });
  const { rows } = await tx.query<{ id: string }>(
    `select id from events where encounter_id = any($1::bigint[]) and state <> 'CANCELLED' order by id`,
    [encounterIds],
  );
  const told = await tellEvents(
    tx,
    rows.map((row) => row.id),
    now,
    { isRetold: true },
  );
  const followed = await followEncounters(tx, encounterIds);
  await announce(tx, [...told, ...followed], now);
}

/** Tells again what a change of identity moved: visits to those who list the other person, listings of the visits open there. */
export async function retellMoved(tx: Transaction, moved: readonly Moved[], now: Date): Promise<void> {
  const encounterIds = moved.flatMap((link) => link.encounterIds);
  const listingIds = moved.flatMap((link) => link.listingIds);
  if (listingIds.length > 0) {
    const { rows } = await tx.query<{ id: string }>(
      'select distinct encounter_id as id from pings where roster_patient_id = any($1::bigint[])',
      [listingIds],
    );
    encounterIds.push(...rows.map((row) => row.id));
  }
  if (encounterIds.length > 0) await retellEncounters(tx, [...new Set(encounterIds)], now);
  if (listingIds.length > 0) await tellOpenEncounters(tx, listingIds, now);
}

/** Writes what was told to the change log, which open pages follow. */
export async function announce(tx: Transaction, told: ToldPing[], now: Date): Promise<void> {
  await logChanges(
    tx,
    told.map(({ eventId, groupId, change }) => ({ kind: 'ping', change, groupId, subjectId: eventId })),
    now,
  );
}
