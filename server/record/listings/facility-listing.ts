/**
 * A facility's own listings: each patient with a visit is listed under the record number until 90 days after the last discharge,
 * so that a nursing facility is notified when a former resident is in a hospital again.
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { familySound } from '#server/platform/text/similar-names.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import { resolveForEndedListings } from '#server/record/pings/write-status.ts';
import type { SourceDemographics } from '#server/record/scoring/source-demographics.ts';

/** In days. */
const LISTED_AFTER_DISCHARGE = 90;

/**
 * What such a listing opens. By a feed: visits of the twelve months before it began, like an approved roster. By hand: visits from the first
 * event on, and no more than three days before that was entered, because whoever enters it chooses its date.
 */
const LOOK_BACK = sql`interval '12 months'`;
const BACKDATED = sql`interval '3 days'`;

export interface FacilityPatient {
  /** The id of the source patient. */
  id: string;
  demographics: SourceDemographics;
  /** False if all visits were retracted or belong to another record number now. Such a patient is not listed. */
  hasVisits: boolean;
  /** Null during a stay. */
  lastDischarge: string | null;
}

/**
 * Lists source patients at their facilities according to their visits, under the persons they are linked to (so identify them
 * first). Returns the listings that began or began again, which may have no pings yet about open visits elsewhere.
 */
export async function listAtFacility(
  tx: Queryable,
  patients: readonly FacilityPatient[],
  now: Date,
): Promise<string[]> {
  const listed = await writeListings(
    tx,
    patients.filter(({ hasVisits }) => hasVisits).map((patient) => rowOf(patient, now)),
    now,
  );
  // Last, so that a patient who continues under another record number is still listed and keeps the open pings.
  const ended = await endListings(
    tx,
    patients.filter(({ hasVisits }) => !hasVisits).map(({ id }) => id),
    now,
  );
  await resolveForEndedListings(tx, [...listed.filter(({ hasLeft }) => hasLeft).map(({ id }) => id), ...ended], now);
  return listed.filter(({ hasLeft }) => !hasLeft).map(({ id }) => id);
}

/** Joins to a source patient of `given` that was not listed whether no feed has reported it; and if so, the first event since it was listed last, and who attested what. */
const ENTERED = sql`
  cross join lateral (
    select not given.was_listed and not exists (
      select from facts f where f.source_patient_id = given.source_id and f.adt ->> 'trigger' not in ('MANUAL', 'RETRACT', 'CORRECT', 'CLOSE', 'LINK')
        and not f.adt ? 'link') as is_by_hand offset 0) as origin
  left join lateral (
    select min(greatest(v.event_at, v.received_at - ${BACKDATED})) as first_at from encounters e join events v on v.encounter_id = e.id
    where origin.is_by_hand and e.source_patient_id = given.source_id and v.state <> 'CANCELLED'
      and v.received_at > coalesce(given.left_before, '-infinity')) as event on true
  left join lateral (
    select (f.adt #>> '{enteredBy,userId}')::bigint as user_id, f.adt #>> '{enteredBy,relationship}' as relationship
    from facts f where origin.is_by_hand and f.source_patient_id = given.source_id and f.adt ? 'enteredBy'
    order by f.adt #> '{enteredBy,relationship}' is null, f.id desc limit 1) as attested on true`;

/** What a message may change about a listing that is in force. Most messages change nothing, and the row is left as it is. */
const ofListing = (
  row: Sql,
): Sql => sql`${row}.person_id, ${row}.first_name, ${row}.middle_name, ${row}.last_name, ${row}.name_suffix,
  ${row}.date_of_birth, ${row}.gender, ${row}.address1, ${row}.address2, ${row}.city, ${row}.state, ${row}.zip, ${row}.home_phone,
  ${row}.mobile_phone, ${row}.ssn_last4, ${row}.medicare_id, ${row}.sort_first, ${row}.sort_last, ${row}.sound_last, ${row}.leaves_at,
  ${row}.left_at`;

/** Writes listings. Returns those that began, and those that ended because the last discharge was already too long ago. */
async function writeListings(
  tx: Queryable,
  rows: ReturnType<typeof rowOf>[],
  now: Date,
): Promise<{ id: string; hasLeft: boolean }[]> {
  if (rows.length === 0) return [];
  const { rows: listed } = await tx.query<{ id: string; hasLeft: boolean }>(sql`
    with given as (
      select s.id as source_id, s.group_id, s.record_number, s.person_id, g.*, p.left_at as left_before,
        coalesce(p.left_at is null and p.id is not null, false) as was_listed
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (id bigint, "firstName" text, "middleName" text,
          "lastName" text, suffix text, "birthDate" date, gender text, address1 text, address2 text, city text, state text,
          zip text, "homePhone" text, "mobilePhone" text, "ssnLast4" text, "medicareId" text, "sortFirst" text,
          "sortLast" text, "soundLast" text, "leavesAt" timestamptz, "leftAt" timestamptz)
        join source_patients s on s.id = g.id
        left join roster_patients p on p.group_id = s.group_id and p.member_id = s.record_number),
    source as (
      select given.*, attested.user_id, attested.relationship,
        coalesce(event.first_at, ${now}::timestamptz - ${LOOK_BACK}) as opens_from
      from given ${ENTERED}),
    listed as (
      insert into roster_patients (group_id, member_id, person_id, first_name, middle_name, last_name, name_suffix,
        date_of_birth, gender, address1, address2, city, state, zip, home_phone, mobile_phone, ssn_last4, medicare_id,
        sort_first, sort_last, sound_last, listed_at, leaves_at, left_at,
        opens_from, attested_by, relationship)
      select group_id, record_number, person_id, "firstName", "middleName", "lastName", suffix, "birthDate", gender, address1,
        address2, city, state, zip, "homePhone", "mobilePhone", "ssnLast4", "medicareId", "sortFirst", "sortLast", "soundLast",
        ${now}, "leavesAt", "leftAt", opens_from, user_id, relationship
      from source
      on conflict (group_id, member_id) do update set person_id = excluded.person_id, first_name = excluded.first_name,
        middle_name = excluded.middle_name, last_name = excluded.last_name, name_suffix = excluded.name_suffix,
        date_of_birth = excluded.date_of_birth, gender = excluded.gender, address1 = excluded.address1,
        address2 = excluded.address2, city = excluded.city, state = excluded.state, zip = excluded.zip,
        home_phone = excluded.home_phone, mobile_phone = excluded.mobile_phone, ssn_last4 = excluded.ssn_last4,
        medicare_id = excluded.medicare_id, sort_first = excluded.sort_first, sort_last = excluded.sort_last, sound_last = excluded.sound_last,
        listed_at = case when roster_patients.left_at is null then roster_patients.listed_at else excluded.listed_at end,
        leaves_at = excluded.leaves_at, left_at = excluded.left_at,
        opens_from = case when roster_patients.left_at <= ${now}::timestamptz - ${LOOK_BACK} then excluded.opens_from
          else roster_patients.opens_from end,
        attested_by = case when roster_patients.left_at is null then roster_patients.attested_by else excluded.attested_by end,
        relationship = case when roster_patients.left_at is null then roster_patients.relationship else excluded.relationship end
      where roster_patients.left_at is not null or (${ofListing(sql`roster_patients`)}) is distinct from (${ofListing(sql`excluded`)})
      returning id, group_id, member_id, left_at)
    select l.id, l.left_at is not null as "hasLeft"
    from listed l join given g on g.group_id = l.group_id and g.record_number = l.member_id
    where (l.left_at is null) <> g.was_listed`);
  return listed;
}

function rowOf({ id, demographics, lastDischarge }: FacilityPatient, now: Date) {
  const { name, address, phones = [] } = demographics;
  const leavesAt = lastDischarge === null ? null : addDays(lastDischarge, LISTED_AFTER_DISCHARGE);
  return {
    id,
    firstName: name?.given ?? '',
    middleName: name?.middle ?? null,
    lastName: name?.family ?? '',
    suffix: name?.suffix ?? null,
    birthDate: demographics.birthDate ?? null,
    gender: demographics.sex ?? 'Unknown',
    address1: address?.line1 ?? null,
    address2: address?.line2 ?? null,
    city: address?.city ?? null,
    state: address?.state ?? null,
    zip: address?.zip ?? null,
    homePhone: phones[0] ?? null,
    mobilePhone: phones[1] ?? null,
    ssnLast4: demographics.ssnLast4 ?? null,
    medicareId: demographics.medicareId ?? null,
    sortFirst: sortKey(name?.given ?? ''),
    sortLast: sortKey(name?.family ?? ''),
    soundLast: familySound(name?.family ?? ''),
    leavesAt,
    // A discharge long ago, as in historical data, does not list the patient now.
    leftAt: leavesAt !== null && leavesAt <= now.toISOString() ? leavesAt : null,
  };
}

function addDays(instant: string, days: number): string {
  return new Date(Date.parse(instant) + days * 24 * 60 * 60 * 1000).toISOString();
}

/** Ends the facilities' own listings of source patients, and returns the listings that ended. */
async function endListings(tx: Queryable, sourcePatientIds: readonly string[], now: Date): Promise<string[]> {
  if (sourcePatientIds.length === 0) return [];
  const { rows } = await tx.query<{ id: string }>(sql`
    update roster_patients r set left_at = ${now} from source_patients s
    where s.id = any (${sourcePatientIds}::bigint[]) and r.group_id = s.group_id and r.member_id = s.record_number
      and r.content_hash is null and r.left_at is null
    returning r.id`);
  return rows.map(({ id }) => id);
}
