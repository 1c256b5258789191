/**
 * Reads the facts that rows are computed from, for several persons at a time. One statement returns a JSON document with the columns of each kind of
 * fact (`row-sources.ts`), named as its properties: reading the same rows field by field takes more than twice as long.
 */
import { MANAGEMENT_STATUSES } from '#contract/management-status.ts';
import type { GroupsTransaction } from '#server/people/access/door.ts';
import { mayReadListing } from '#server/people/access/policy.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { eventOrder } from '#server/record/encounters/event-order.ts';
import { programsOf } from '#server/work/patients/programs.ts';
import type { FactDocument } from './row-sources.ts';
import { careColumns, documentColumns } from './written-facts.ts';

/**
 * Returns the facts of these persons as one document. `all`: include closed pings of which nothing of a row depends. The document stays
 * unparsed until it is needed, because parsed objects that wait their turn burden the garbage collector most.
 */
export async function readFacts(
  tx: GroupsTransaction,
  personIds: readonly string[],
  { all }: { all: boolean },
): Promise<FactDocument> {
  const { rows } = await tx.query<{ document: FactDocument }>(sql`
    with asked as materialized (select ${personIds}::bigint[] as ids), ping_rows as materialized (${pingRows(tx, all)})
    select json_build_object('listings', (${listings(tx)}), 'visits', (${VISITS}), 'events', (${EVENTS}), 'pings', (${PINGS}),
      'consents', (${CONSENTS}), 'facilities', (${FACILITIES}), 'tags', (${tags(tx)}), 'work', (${WORK}),
      'attempts', (${attempts(tx)}), 'holidays', (${HOLIDAYS}), 'riskRule', (${RISK_RULE}), 'programs', (${PROGRAMS}), 'documents', (${documentColumns(ASKED)}),
      'care', (${careColumns(tx, ASKED)}))::text as document`);
  return rows[0]?.document ?? '{}';
}

/** One array instead of a table of ids, so that each index is scanned once. */
const ASKED = sql`any ((select ids from asked)::bigint[])`;

/**
 * Seconds in 32 bits, as the columns hold them. A time before 1902 or after 2037 sorts as the first or last of these. `extract` would compute
 * with decimal numbers.
 */
const seconds = (time: Sql): Sql =>
  sql`floor(date_part('epoch', least(greatest(${time}, timestamptz '1902-01-01Z'), timestamptz '2038-01-01Z')))::int`;

const listings = (tx: GroupsTransaction): Sql => sql`
  select json_build_object('personId', json_agg(person_id::text), 'groupId', json_agg(group_id::text), 'timeZone', json_agg(time_zone),
    'memberId', json_agg(member_id), 'middleName', json_agg(middle_name), 'gender', json_agg(gender),
    'birthDay', json_agg(date_of_birth - date '1970-01-01'), 'city', json_agg(city), 'zip', json_agg(zip),
    'programs', json_agg(programs), 'practices', json_agg(practices), 'providerFirstName', json_agg(provider_first_name),
    'providerLastName', json_agg(provider_last_name), 'careCoordinators', json_agg(care_coordinators), 'tags', json_agg(tags),
    'careGaps', json_agg(care_gaps), 'advanceCareDocuments', json_agg(advance_care_documents),
    'billingAgencies', json_agg(billing_agencies), 'sortFirst', json_agg(sort_first), 'sortLast', json_agg(sort_last),
    'hasLeft', json_agg(left_at is not null), 'opensFrom', json_agg(ceil(extract(epoch from opens_from) * 1000)::bigint))
  from (
    select r.*, g.time_zone from roster_patients r join groups g on g.id = r.group_id
    where r.person_id = ${ASKED} and ${mayReadListing(tx.groupIds)} order by r.id) listing`;

/** The team's own tags. Those of rosters are among the listings. */
const tags = (tx: GroupsTransaction): Sql => sql`
  select json_build_object('personId', json_agg(r.person_id::text), 'groupId', json_agg(r.group_id::text), 'name', json_agg(t.name))
  from roster_patients r join patient_tags p on p.roster_patient_id = r.id join tags t on t.id = p.tag_id
  where r.person_id = ${ASKED} and ${mayReadListing(tx.groupIds)}`;

/** The team's attempts to reach these people. Row-level security hides those of other teams. */
const attempts = (tx: GroupsTransaction): Sql => sql`
  select json_build_object('personId', json_agg(r.person_id::text),
    'at', json_agg(floor(extract(epoch from a.attempted_at) * 1000)::bigint), 'channel', json_agg(a.channel),
    'outcome', json_agg(a.outcome))
  from roster_patients r join contact_attempts a on a.roster_patient_id = r.id and a.removed_at is null
  where r.person_id = ${ASKED} and ${mayReadListing(tx.groupIds)}`;

/** Of the team's organization. */
const HOLIDAYS = sql`
  select json_build_object('added', o.added_holidays, 'removed', o.removed_holidays)
  from teams t join organizations o on o.id = t.organization_id where t.id = acting_team()`;

/** Of the team's organization; null if it has not chosen its own. */
const RISK_RULE = sql`
  select o.rising_risk_rule from teams t join organizations o on o.id = t.organization_id where t.id = acting_team()`;

/** Of the team's organization; null if it has none. */
const PROGRAMS = programsOf(sql`(select t.organization_id from teams t where t.id = acting_team())`);

/** What the team has arranged about visits with pings; row-level security shows the rows of the team only. */
const WORK = sql`
  select json_build_object('encounterId', json_agg(encounter_id::text), 'ownerId', json_agg(owner_id::text),
    'wakesAt', json_agg(wait ->> 'wakesAt'), 'seen', json_agg(wait -> 'seen'))
  from stay_work where encounter_id = any (array(select encounter_id from ping_rows)) and (owner_id is not null or wait is not null)`;

/** Whether one of the organization's programs needs to know who pays. */
const ASKS_PAYER = sql`select exists (
  select from hl7_programs p join teams t on t.organization_id = p.organization_id
  where t.id = acting_team() and p.payer is not null and p.ended_at is null)`;

/** All parts of a state are extracted at once, because each access unpacks the whole document. */
const VISITS = sql`
  select json_build_object('id', json_agg(id::text), 'personId', json_agg(person_id::text), 'facilityId', json_agg(group_id::text),
    'status', json_agg(s.status), 'setting', json_agg(s.setting), 'location', json_agg(s.location),
    'arrivedAt', json_agg(s."arrivedAt"), 'admittedAt', json_agg(s."admittedAt"), 'dischargedAt', json_agg(s."dischargedAt"),
    'leaves', json_agg(s.leaves), 'admitSource', json_agg(s."admitSource"), 'admissionType', json_agg(s."admissionType"),
    'disposition', json_agg(s.disposition), 'dischargedTo', json_agg(s."dischargedTo"),
    'transferredTo', json_agg(s."transferredTo"), 'admitReason', json_agg(s."admitReason"),
    'expectedDischargeAt', json_agg(s."expectedDischargeAt"), 'estimatedDays', json_agg(s."estimatedDays"),
    'diagnoses', json_agg(s.diagnoses), 'drg', json_agg(s.drg), 'endedByLink', json_agg(s."endedByLink"),
    'payer', json_agg(case when e.asks_payer then s.payers -> 0 end), 'isOfDeceased', json_agg(e.deceased))
  from (
      select n.id, n.person_id, n.group_id, n.state, p.deceased, (${ASKS_PAYER}) as asks_payer from encounters n join source_patients p on p.id = n.source_patient_id
      where n.person_id = ${ASKED} order by n.id) e
    cross join jsonb_to_record(state) as s (
      status text, setting text, location jsonb, "arrivedAt" jsonb, "admittedAt" jsonb, "dischargedAt" jsonb, leaves jsonb, "admitSource" text, "admissionType" text,
      disposition text, "dischargedTo" text, "transferredTo" text, "admitReason" text, "expectedDischargeAt" jsonb,
      "estimatedDays" jsonb, diagnoses jsonb, drg text, "endedByLink" boolean, payers jsonb)`;

const EVENTS = sql`
  select json_build_object('id', json_agg(id), 'encounterId', json_agg(encounter_id::text), 'code', json_agg(code),
    'setting', json_agg(setting), 'state', json_agg(state), 'at', json_agg(${seconds(sql`event_at`)}),
    'day', json_agg(event_day - date '1970-01-01'), 'isDay', json_agg(event_precision = 'day'),
    'disposition', json_agg(coalesce(detail ->> 'disposition', detail ->> 'dischargedTo')))
  from (
    select v.* from encounters e join events v on v.encounter_id = e.id
    where e.person_id = ${ASKED} order by ${eventOrder(sql`v`)}, v.id) event`;

/**
 * A ping includes its event only if the visit has turned out to be another person's; otherwise the event is among those of the visit. Of a visit with an
 * open ping, all are read; of others, the newest and the one that was closed last.
 */
const pingRows = (tx: GroupsTransaction, all: boolean): Sql => sql`
  select p.*, s.resolutions, n.group_id as facility_id, v.code, v.setting, v.event_day
  from (
      select p.*, r.person_id,
        bool_or(p.management_status in ('NEW', 'IN_PROGRESS')) over stay as is_open, max(p.status_id) over stay as closed_by
      from roster_patients r join pings p on p.roster_patient_id = r.id
      where r.person_id = ${ASKED} and ${mayReadListing(tx.groupIds)}
      window stay as (partition by p.encounter_id, r.person_id)) p
    join encounters n on n.id = p.encounter_id
    left join events v on v.id = case when n.person_id <> p.person_id then p.event_id end
    left join management_statuses s on s.id = p.status_id
  where p.is_current or p.is_open or p.status_id = p.closed_by or ${all}`;

const PINGS = sql`
  select json_build_object('id', json_agg(id), 'eventId', json_agg(event_id), 'encounterId', json_agg(encounter_id::text),
    'groupId', json_agg(group_id::text), 'personId', json_agg(person_id::text), 'state', json_agg(state),
    'status', json_agg(management_status), 'statusId', json_agg(status_id), 'statusAt', json_agg(${seconds(sql`status_at`)}),
    'resolutions', json_agg(resolutions), 'isCurrent', json_agg(is_current), 'at', json_agg(${seconds(sql`event_at`)}),
    'createdAt', json_agg(${seconds(sql`created_at`)}), 'facilityId', json_agg(facility_id::text), 'code', json_agg(code),
    'setting', json_agg(setting), 'day', json_agg(event_day - date '1970-01-01'))
  from (select * from ping_rows order by id) ping`;

const CONSENTS = sql`
  select json_build_object('personId', json_agg(c.person_id::text),
    'consent', json_agg(c.facility_group_id || ' ' || c.recipient_group_id))
  from consents c where c.person_id = ${ASKED} and c.ended_at is null`;

const FACILITIES = sql`
  select json_build_object('id', json_agg(id::text), 'name', json_agg(name), 'state', json_agg(state), 'type', json_agg(type),
    'facilityType', json_agg(facility_type), 'timeZone', json_agg(time_zone), 'isPart2', json_agg(is_part2_facility))
  from groups
  where id = any (array(select group_id from encounters where person_id = ${ASKED} union select facility_id from ping_rows))`;

/** Pings of one group and status: their persons fill the first pages of its lists. */
const FIRST_PINGS = 1000;

/** Returns the persons of the newest pings of each group and status, the newest first. */
export async function newestPersonIds(tx: GroupsTransaction): Promise<string[]> {
  const { rows } = await tx.query<{ ids: string[] | null }>(sql`
    select json_agg(newest.id::text order by newest.at desc, newest.id) as ids
    from (
      select r.person_id as id, max(sent.event_at) as at
      from unnest(${tx.groupIds}::bigint[]) as own (group_id) cross join unnest(${MANAGEMENT_STATUSES}::text[]) as kept (status)
        cross join lateral (
          select p.roster_patient_id, p.event_at from pings p
          where p.is_current and p.group_id = own.group_id and p.management_status = kept.status
          order by p.event_at desc limit ${FIRST_PINGS}) sent
        join roster_patients r on r.id = sent.roster_patient_id
      where ${mayReadListing(tx.groupIds)}
      group by r.person_id) newest`);
  return rows[0]?.ids ?? [];
}

/** Returns everyone whom the transaction's groups list or have listed. */
export async function personIds(tx: GroupsTransaction): Promise<string[]> {
  const { rows } = await tx.query<{ ids: string[] | null }>(sql`
    select json_agg(listed.id::text order by listed.id) as ids
    from (select distinct r.person_id as id from roster_patients r where ${mayReadListing(tx.groupIds)}) listed`);
  return rows[0]?.ids ?? [];
}

/** Returns whom the transaction's groups list, or have listed, among the persons with visits to these facilities or pings about them. */
export async function visitorsOf(tx: GroupsTransaction, facilityIds: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ ids: string[] | null }>(sql`
    with visits as materialized (
      select id, person_id from encounters where group_id = any (${facilityIds}::bigint[]))
    select json_agg(visitor.id::text order by visitor.id) as ids
    from (
      select r.person_id as id from visits v join roster_patients r on r.person_id = v.person_id
      where ${mayReadListing(tx.groupIds)}
      union
      select r.person_id from visits v join pings p on p.encounter_id = v.id join roster_patients r on r.id = p.roster_patient_id
      where ${mayReadListing(tx.groupIds)}) visitor`);
  return rows[0]?.ids ?? [];
}
