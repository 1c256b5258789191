/** The rows of an export of encounters, read through a cursor: memory holds one batch, whatever the number of rows. */

import { admitSourceLabel } from '#contract/dispositions.ts';
import type { EventCode, EventState } from '#contract/event-codes.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { mayReadEncounter, mayReadListing } from '#server/people/access/policy.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { eventOrder } from '#server/record/encounters/event-order.ts';
import type { VisitState } from '#server/record/fold/visit-state.ts';
import { destinationOf } from '#server/record/rules/destination.ts';
import { currentListings } from '#server/work/patients/current-listings.ts';
import { dateOf, diagnosesOf, inpatientSince, payorsOf } from '#server/work/patients/encounter.ts';
import { hasLeft, listedFields } from '#server/work/patients/listed-fields.ts';
import { coordinatorsOf } from '#server/work/patients/listed-people.ts';
import { nameOfProvider } from '#server/work/patients/ping.ts';
import { type FacilityRow, facilitiesOf, type ListingRow, listingsOf } from '#server/work/patients/queries.ts';
import { isOutpatientAccount, nightsOfStay } from '#server/work/patients/stay-length.ts';
import { type VisitTimes, visitTimes } from '#server/work/patients/visit-times.ts';
import type { ExportRow } from './cells.ts';

export interface EncounterChoice {
  /** Codes of events that an encounter must have one of; empty for any. */
  statuses: readonly EventCode[];
  /** The days of these events, at the facility, as YYYY-MM-DD; null for no limit. */
  beginDate: string | null;
  endDate: string | null;
}

interface VisitRow extends Omit<VisitTimes, 'presentedAt' | 'diedAt'> {
  id: string;
  groupId: string;
  personId: string;
  state: VisitState;
  code: EventCode | null;
  eventState: EventState | null;
  eventAt: string | null;
  eventDay: string | null;
  eventPrecision: string | null;
}

/** Returns the encounters that the groups may read and that match, ordered by person. */
export const encountersToExport = (groupIds: readonly string[], choice: EncounterChoice): Sql => sql`
  select e.id, e.group_id as "groupId", e.person_id as "personId", e.state, newest.code, newest.state as "eventState", newest.event_at as "eventAt",
    newest.event_day as "eventDay", newest.event_precision as "eventPrecision", coalesce(v.settings, '{}') as settings, v."inpatientFrom",
    v."firstInpatientAt", v."firstObservedAt"
  from encounters e
    left join lateral (
      select v.code, v.state, v.event_at, v.event_day, v.event_precision from events v
      where v.encounter_id = e.id and v.state <> 'CANCELLED'
      order by ${eventOrder(sql`v`)} desc, v.id desc limit 1) newest on true
    left join lateral (select * from ${visitTimes(sql`e.id`)} t where e.setting in ('INPATIENT', 'OBSERVATION', 'OUTPATIENT')) v on true
  where e.status not in ('CANCELLED', 'PLANNED')
    and e.person_id in (select r.person_id from roster_patients r where ${mayReadListing(groupIds)})
    and ${mayReadEncounter(groupIds)} and ${hasEvent(choice)}
  order by e.person_id, e.admitted_at, e.id`;

const hasEvent = ({ statuses, beginDate, endDate }: EncounterChoice): Sql =>
  statuses.length === 0 && beginDate === null && endDate === null
    ? sql`true`
    : sql`exists (
        select from events v
        where v.encounter_id = e.id and v.state <> 'CANCELLED'
          and (${statuses.length === 0} or v.code = any (${statuses}::text[]))
          and (${beginDate}::date is null or v.event_day >= ${beginDate}) and (${endDate}::date is null or v.event_day <= ${endDate}))`;

const BATCH = 2000;

/** Rows of a batch, and the roster patients whom it is the first to name. */
export interface ExportBatch {
  rows: ExportRow[];
  patientIds: string[];
}

/** Yields the encounters as one snapshot has them. `tx`: of a repeatable read. */
export async function* encounterRows(
  tx: ActorTransaction,
  choice: EncounterChoice,
  now: Date,
): AsyncGenerator<ExportBatch> {
  const facilities = await allFacilities(tx);
  // All rows are read, so a plan that is quick only for the first ones is wrong.
  await tx.query('set local cursor_tuple_fraction = 1');
  await tx.query(sql`declare exported no scroll cursor for ${encountersToExport(tx.groupIds, choice)}`);
  // The cursor keeps its plan. What follows looks up a few thousand people at a time, for which a scan of all would be wrong.
  await tx.query('set local enable_seqscan = off');
  await tx.query('set local enable_hashjoin = off');
  await tx.query('set local enable_mergejoin = off');
  const fetchNext = () => tx.query<VisitRow>(`fetch ${BATCH} from exported`);
  let last = '';
  let { rows: visits } = await fetchNext();
  while (visits.length > 0) {
    const listing = listingsOf(tx, [...new Set(visits.map(({ personId }) => personId))]);
    // PostgreSQL reads the next batch while this one is written.
    const next = fetchNext();
    next.catch(() => {});
    const listings = Map.groupBy(await listing, ({ personId }) => personId);
    const batch = rowsOf(visits, { listings, facilities, tx, now }, last);
    last = visits.at(-1)?.personId ?? '';
    yield batch;
    ({ rows: visits } = await next);
  }
}

async function allFacilities(tx: ActorTransaction): Promise<Map<string, FacilityRow>> {
  const { rows } = await tx.query<{ id: string }>('select id from groups');
  return facilitiesOf(
    tx,
    rows.map(({ id }) => id),
  );
}

interface Known {
  listings: Map<string, ListingRow[]>;
  facilities: Map<string, FacilityRow>;
  tx: ActorTransaction;
  now: Date;
}

/** What all visits of a person share. */
interface Listed {
  personId: string;
  rosterPatientId: string;
  fields: Omit<ExportRow['patient'], 'id'>;
  seesPayors: boolean;
}

function rowsOf(visits: readonly VisitRow[], known: Known, lastPerson: string): ExportBatch {
  const batch: ExportBatch = { rows: [], patientIds: [] };
  for (const [personId, ofPerson] of Map.groupBy(visits, (visit) => visit.personId)) {
    const listed = listedAs(personId, known);
    if (listed === null) continue;
    if (personId !== lastPerson) batch.patientIds.push(listed.rosterPatientId);
    batch.rows.push(...ofPerson.flatMap((visit) => rowOf(visit, listed, known)));
  }
  return batch;
}

/** Returns the person as lists show it; null for a person who is no longer listed. */
function listedAs(personId: string, { listings, tx: { actor } }: Known): Listed | null {
  const [oldest, ...others] = listings.get(personId) ?? [];
  if (oldest === undefined) return null;
  const all: [ListingRow, ...ListingRow[]] = [oldest, ...others];
  const detailed = new Set(actor.groupsWith('canViewAllPatientDetails'));
  const tagged = new Set(actor.groupsWith('canViewPatientTags'));
  const { detailsVisible: seesPayors, ...listed } = listedFields(all, { detailed, tagged });
  const fields = { ...listed, careCoordinators: coordinatorsOf(currentListings(all, hasLeft)) };
  return { personId, rosterPatientId: oldest.id, fields, seesPayors };
}

function rowOf(visit: VisitRow, { rosterPatientId, fields, seesPayors }: Listed, known: Known): ExportRow[] {
  const facility = known.facilities.get(visit.groupId);
  if (facility === undefined) return [];
  return [
    {
      patient: { ...fields, id: `${rosterPatientId}_${visit.id}` },
      stay: stayOf(visit, facility, known, seesPayors),
      event: eventOf(visit),
      pingStatus: null,
      listed: null,
      hasPart2: facility.isPart2Facility,
    },
  ];
}

const eventOf = ({ code, eventState, eventAt, eventDay, eventPrecision }: VisitRow): ExportRow['event'] =>
  code === null || eventState === null
    ? null
    : { code, state: eventState, date: (eventPrecision === 'day' ? eventDay : eventAt) ?? '' };

function stayOf(
  visit: VisitRow,
  facility: FacilityRow,
  { facilities, now }: Known,
  seesPayors: boolean,
): ExportRow['stay'] {
  const { state } = visit;
  const diagnoses = diagnosesOf(visit);
  return {
    admittingFacility: facility,
    status: state.status,
    setting: state.setting,
    attendingProvider: nameOfProvider(state.attending),
    admittedFrom: admitSourceLabel(state.admitSource),
    // A 42 CFR Part 2 facility that took the patient over is not named, as in lists where none of the person's visits there may be read.
    dischargeTo: destinationOf(state, (id) => {
      const to = facilities.get(id);
      return to && { name: to.name, isHidden: to.isPart2Facility };
    }),
    pointOfCare: state.location?.pointOfCare ?? null,
    room: state.location?.room ?? null,
    bed: state.location?.bed ?? null,
    admittedDate: dateOf(state.admittedAt),
    ...inpatientSince(visit),
    dischargedDate: dateOf(state.dischargedAt),
    lengthOfStay: isOutpatientAccount(state.setting, visit.settings)
      ? null
      : nightsOfStay(state, facility.timeZone, now.getTime()),
    diagnosis: diagnoses[0] ?? null,
    allEncounterDiagnoses: diagnoses,
    payors: seesPayors ? payorsOf(state) : [],
  };
}
