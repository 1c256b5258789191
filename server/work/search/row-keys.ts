/** Looks up rows of the search by key, to load a page. Rows that have been removed since are left out. */
import type { SearchContext } from '#contract/facets.ts';
import { type ActorTransaction, askAbout } from '#server/people/access/door.ts';
import { mayReadEncounter, mayReadListing, mayReadPing } from '#server/people/access/policy.ts';
import { sql } from '#server/platform/database/sql.ts';
import { eventOrder } from '#server/record/encounters/event-order.ts';
import { type CandidateVisit, visitToShow } from '#server/record/rules/current-stay.ts';
import type { PatientKey } from '#server/work/patients/load.ts';

/** Returns the person, visit and event of each row, in the order of the keys. */
export async function patientKeys(
  tx: ActorTransaction,
  context: SearchContext,
  keys: readonly number[],
): Promise<PatientKey[]> {
  if (keys.length === 0) return [];
  const found = await { ALL: latestVisits, PINGS: visitsOfPings, EVENTS: visitsOfEvents }[context](tx, keys);
  const byKey = new Map(found.map(({ key, ...row }) => [Number(key), row]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

type Found = PatientKey & { key: string };

interface Candidate extends CandidateVisit {
  personId: string;
  encounterId: string;
  eventId: string | null;
  isOfDeath: boolean;
}

/**
 * Returns the visit that each person's row is about (`visitToShow`), and its newest event that has not been retracted, whether or not there is a
 * ping for it. `latestVisit` in `rows/visible-history.ts` chooses the same for the facets.
 */
async function latestVisits(tx: ActorTransaction, persons: readonly number[]): Promise<Found[]> {
  const [, { rows }] = await Promise.all([
    askAbout(tx, persons.map(String)),
    tx.query<Candidate>(sql`
      select e.person_id as "personId", e.id as "encounterId", e.status, e.setting, newest.id as "eventId",
        coalesce(extract(epoch from e.admitted_at) * 1000, 0)::float8 as begun,
        floor(extract(epoch from coalesce(newest.at, e.admitted_at, 'epoch')))::float8 as "newestAt",
        coalesce(newest."isOfDeath", false) as "isOfDeath"
      from encounters e
        left join lateral (
          select v.id, v.event_at as at, bool_or(v.code = 'DECEASED') over () as "isOfDeath"
          from events v where v.encounter_id = e.id and v.state <> 'CANCELLED'
          order by ${eventOrder(sql`v`)} desc, v.id desc limit 1) newest on true
      where e.person_id = any (${persons}::bigint[]) and e.status not in ('CANCELLED', 'PLANNED') and ${mayReadEncounter(tx.groupIds)}
      order by e.id`),
  ]);
  const byPerson = Map.groupBy(rows, ({ personId }) => Number(personId));
  return persons.map((person) => {
    const visits = byPerson.get(person) ?? [];
    const shown = visitToShow(
      visits,
      visits.some(({ isOfDeath }) => isOfDeath),
    );
    const { encounterId = null, eventId = null } = shown ?? {};
    return { key: String(person), personId: String(person), encounterId, ...(eventId !== null && { eventId }) };
  });
}

async function visitsOfPings(tx: ActorTransaction, pings: readonly number[]): Promise<Found[]> {
  const { rows } = await tx.query<Found>(sql`
    select p.id as key, r.person_id as "personId", p.encounter_id as "encounterId"
    from pings p join roster_patients r on r.id = p.roster_patient_id
    where p.id = any (${pings}::bigint[]) and ${mayReadListing(tx.groupIds)} and ${mayReadPing}`);
  return rows;
}

async function visitsOfEvents(tx: ActorTransaction, events: readonly number[]): Promise<Found[]> {
  const { rows } = await tx.query<Found>(sql`
    select v.id as key, e.person_id as "personId", e.id as "encounterId", v.id as "eventId"
    from events v join encounters e on e.id = v.encounter_id
    where v.id = any (${events}::bigint[]) and ${mayReadEncounter(tx.groupIds)}`);
  return rows;
}

/** Counts the pings that these groups got for the events since then, each event once per person, and the persons. */
export async function countPingsOfEvents(
  tx: ActorTransaction,
  events: readonly number[],
  groupIds: readonly string[],
  createdSince: Date,
): Promise<{ pings: number; patients: number }> {
  const { rows } = await tx.query<{ pings: number; patients: number }>(sql`
    select count(distinct (p.event_id, r.person_id))::int as pings, count(distinct r.person_id)::int as patients
    from pings p join roster_patients r on r.id = p.roster_patient_id
    where p.event_id = any (${events}::bigint[]) and p.group_id = any (${groupIds}::bigint[])
      and p.created_at >= ${createdSince} and ${mayReadListing(tx.groupIds)} and ${mayReadPing}`);
  return rows[0] ?? { pings: 0, patients: 0 };
}

/** Returns the keys of all rows of these patients, for `ignoredPatientIds`. */
export async function rowsOfPatients(
  tx: ActorTransaction,
  context: SearchContext,
  patientIds: readonly string[],
): Promise<number[]> {
  const listings = patientIds.map((id) => /^(\d{1,18})_\d+$/.exec(id)?.[1]).filter((id) => id !== undefined);
  if (listings.length === 0) return [];
  const persons = sql`select r.person_id from roster_patients r where r.id = any (${listings}::bigint[]) and ${mayReadListing(tx.groupIds)}`;
  const { rows } = await tx.query<{ id: string }>(
    {
      ALL: sql`${persons}`,
      PINGS: sql`
        select p.id from pings p join roster_patients listing on listing.id = p.roster_patient_id
        where listing.person_id in (${persons})`,
      EVENTS: sql`select v.id from events v join encounters e on e.id = v.encounter_id where e.person_id in (${persons})`,
    }[context],
  );
  return rows.map((row) => Number(Object.values(row)[0]));
}
