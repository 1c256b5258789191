import type { EventCode, EventState, Setting } from '#contract/event-codes.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import type { FoldFacility } from '#server/record/fold/fold-input.ts';
import type { FoldedEvent } from '#server/record/fold/folded-visit.ts';
import type { VisitState } from '#server/record/fold/visit-state.ts';

export interface SourcePatient {
  id: string;
  groupId: string;
  recordNumber: string;
  dossierId: string;
  personId: string;
  demographics: Record<string, unknown>;
  deceased: boolean;
  /** YYYY-MM-DD */
  deceasedOn: string | null;
  /** The source patient who had the record number before, if this one has visits under it. */
  apartFrom: string | null;
  /** The source patient into whom the facility merged this one, if the merge is held. */
  mergeHeld: string | null;
  /** A person decided to whom this source patient is linked. */
  isConfirmed: boolean;
}

/** Returns the patients of the dossiers as their facilities know them, by id. */
export async function sourcePatientsOf(tx: Queryable, dossierIds: readonly string[]): Promise<SourcePatient[]> {
  const { rows } = await tx.query<SourcePatient>(
    `select id, group_id as "groupId", record_number as "recordNumber", dossier_id as "dossierId", person_id as "personId",
            demographics, deceased, deceased_on as "deceasedOn", apart_from as "apartFrom", merge_held as "mergeHeld",
            coalesce((select l.outcome = 'decided' or l.evidence @> '{"isConfirmed": true}' from person_links l
              where l.subject = 'SOURCE_PATIENT' and l.subject_id = s.id order by l.id desc limit 1), false) as "isConfirmed"
     from source_patients s where dossier_id = any($1::bigint[]) order by id`,
    [dossierIds],
  );
  return rows;
}

const FACILITIES = `
select g.id, g.type as "groupType", g.facility_type as "facilityType", g.is_part2_facility as "isPart2",
       exists (select from feed_facilities f where f.group_id = g.id and f.registration_is_visit) as "registrationIsVisit"
from groups g where g.id in (select group_id from source_patients where dossier_id = any($1::bigint[]))`;

/** Returns what the fold has to know of the dossiers' facilities, by id. */
export async function facilitiesOf(tx: Queryable, dossierIds: readonly string[]): Promise<Map<string, FoldFacility>> {
  const { rows } = await tx.query<FoldFacility>(FACILITIES, [dossierIds]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** An encounter to be written. */
export interface EncounterRow {
  id: string;
  groupId: string;
  sourcePatientId: string;
  personId: string;
  state: VisitState & { flags: string[]; visitNumbers: string[]; accountNumbers: string[] };
}

/** Returns the visits of the dossiers as they are stored, by id. */
export async function encountersOf(tx: Queryable, dossierIds: readonly string[]): Promise<EncounterRow[]> {
  const { rows } = await tx.query<EncounterRow>(
    `select e.id, e.group_id as "groupId", e.source_patient_id as "sourcePatientId", e.person_id as "personId", e.state
     from source_patients s join encounters e on e.source_patient_id = s.id
     where s.dossier_id = any($1::bigint[]) order by e.id`,
    [dossierIds],
  );
  return rows;
}

/** A series of outpatient visits lasts until its last contact, because access goes by `discharged_at`. */
const WRITE_ENCOUNTERS = `
insert into encounters (id, group_id, source_patient_id, person_id, status, setting, admitted_at, admitted_precision,
                        discharged_at, discharged_precision, visit_number, state, created_at, updated_at)
overriding system value
select id, group_id, source_patient_id, person_id, state ->> 'status', state ->> 'setting',
       (state #>> '{admittedAt,instant}')::timestamptz, state #>> '{admittedAt,precision}',
       greatest((state #>> '{dischargedAt,instant}')::timestamptz, (state #>> '{series,lastAt,instant}')::timestamptz), state #>> '{dischargedAt,precision}',
       state #>> '{visitNumbers,0}', state, $6, $6
from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::jsonb[]) as e (id, group_id, source_patient_id, person_id, state)
on conflict (id) do update set
  source_patient_id = excluded.source_patient_id, person_id = excluded.person_id, status = excluded.status,
  setting = excluded.setting, admitted_at = excluded.admitted_at, admitted_precision = excluded.admitted_precision,
  discharged_at = excluded.discharged_at, discharged_precision = excluded.discharged_precision,
  visit_number = excluded.visit_number, state = excluded.state, updated_at = excluded.updated_at`;

/** Inserts new visits, whose ids come from `nextEncounterIds`, and updates the others. */
export async function writeEncounters(tx: Queryable, rows: readonly EncounterRow[], now: Date): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(WRITE_ENCOUNTERS, [
    rows.map((row) => row.id),
    rows.map((row) => row.groupId),
    rows.map((row) => row.sourcePatientId),
    rows.map((row) => row.personId),
    rows.map((row) => JSON.stringify(row.state)),
    now.toISOString(),
  ]);
}

/** Reserves ids, so that visits and their events can be written side by side. */
export async function nextEncounterIds(tx: Queryable, count: number): Promise<string[]> {
  if (count === 0) return [];
  const { rows } = await tx.query<{ id: string }>(
    `select nextval('encounters_id_seq') as id from generate_series(1, $1)`,
    [count],
  );
  return rows.map((row) => row.id);
}

/** A stored event with everything that the fold found. */
export type StoredEvent = FoldedEvent & { id: string; state: EventState; was?: ToldBefore | null | undefined };

/** What readers learned of an event before its latest change. */
export interface ToldBefore extends Pick<FoldedEvent, 'disposition' | 'dischargedTo' | 'transferredTo' | 'setting'> {
  /** ISO 8601, or a day if no time was given. */
  eventDate: string;
}

/** The parts of an event that have no column of their own, because they are only read together. */
export type EventDetail = Pick<
  StoredEvent,
  | 'priorSetting'
  | 'pointOfCare'
  | 'disposition'
  | 'dischargedTo'
  | 'transferredTo'
  | 'admitSource'
  | 'payer'
  | 'reportedByLink'
  | 'inferred'
  | 'factIds'
  | 'was'
> & { backfill: boolean };

export interface EventRow {
  id: string;
  encounterId: string;
  event: StoredEvent;
}

const EVENTS_OF = `
select v.id, v.encounter_id as "encounterId", v.key, v.code, v.event_at as "eventAt", v.event_precision as precision, v.event_day as day,
       v.state, v.setting, v.detail, v.is_manual as "isManual"
from source_patients s join encounters e on e.source_patient_id = s.id join events v on v.encounter_id = e.id
where s.dossier_id = any($1::bigint[]) order by v.id`;

/** Returns the events of the dossiers' visits as they are stored, canceled ones too, by id. */
export async function eventsOf(tx: Queryable, dossierIds: readonly string[]): Promise<EventRow[]> {
  const { rows } = await tx.query<{
    id: string;
    encounterId: string;
    key: string;
    code: EventCode;
    eventAt: string;
    precision: Moment['precision'];
    day: string;
    state: EventState;
    setting: Setting;
    detail: EventDetail;
    isManual: boolean;
  }>(EVENTS_OF, [dossierIds]);
  return rows.map(({ id, encounterId, eventAt, precision, day, detail, ...rest }) => {
    const at = { instant: eventAt.replace('.000Z', 'Z'), precision, localDate: day };
    return { id, encounterId, event: { id, at, ...rest, ...detail } };
  });
}

/** An event to be written; `id` is null for a new one. */
export interface EventToWrite {
  id: string | null;
  encounterId: string;
  state: EventState;
  event: FoldedEvent & { was?: ToldBefore | null | undefined };
  backfill: boolean;
  receivedAt: string;
}

const WRITE_EVENTS = `
with given as (
  select coalesce(id, nextval('events_id_seq')) as id, id is null as is_new, encounter_id, key, code, event_at, event_precision, event_day,
         state, setting, detail, is_manual, received_at
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::date[], $8::text[], $9::text[],
              $10::jsonb[], $11::boolean[], $12::timestamptz[])
    as e (id, encounter_id, key, code, event_at, event_precision, event_day, state, setting, detail, is_manual, received_at)
), updated as (
  update events set encounter_id = g.encounter_id, key = g.key, event_at = g.event_at, event_precision = g.event_precision,
    event_day = g.event_day, state = g.state, setting = g.setting, detail = g.detail, is_manual = g.is_manual
  from given g where events.id = g.id and not g.is_new
), inserted as (
  insert into events (id, encounter_id, key, code, event_at, event_precision, event_day, state, setting, detail, is_manual, received_at)
  overriding system value
  select id, encounter_id, key, code, event_at, event_precision, event_day, state, setting, detail, is_manual, received_at
  from given where is_new
)
select id from given where is_new order by id`;

/** Writes events and returns the ids of the new ones. */
export async function writeEvents(tx: Queryable, events: readonly EventToWrite[]): Promise<string[]> {
  if (events.length === 0) return [];
  const { rows } = await tx.query<{ id: string }>(WRITE_EVENTS, [
    events.map((e) => e.id),
    events.map((e) => e.encounterId),
    events.map((e) => e.event.key),
    events.map((e) => e.event.code),
    events.map((e) => e.event.at.instant),
    events.map((e) => e.event.at.precision),
    events.map((e) => e.event.at.localDate),
    events.map((e) => e.state),
    events.map((e) => e.event.setting),
    events.map(({ event, backfill }) => {
      const { priorSetting, pointOfCare, disposition, dischargedTo, transferredTo, admitSource, payer } = event;
      const { inferred, factIds, reportedByLink, was } = event;
      return JSON.stringify({
        priorSetting,
        pointOfCare,
        disposition,
        dischargedTo,
        transferredTo,
        admitSource,
        payer,
        inferred,
        factIds,
        reportedByLink,
        was,
        backfill,
      });
    }),
    events.map((e) => e.event.isManual),
    events.map((e) => e.receivedAt),
  ]);
  return rows.map((row) => row.id);
}

/** Updates what the fold says about the patients themselves. */
export async function writeDemographics(
  tx: Queryable,
  patients: Pick<SourcePatient, 'id' | 'demographics' | 'deceased' | 'deceasedOn' | 'apartFrom' | 'mergeHeld'>[],
  now: Date,
): Promise<void> {
  if (patients.length === 0) return;
  await tx.query(
    `update source_patients s set demographics = p.demographics, deceased = p.deceased, deceased_on = p.deceased_on,
       apart_from = p.apart_from, merge_held = p.merge_held, demographics_at = $7
     from unnest($1::bigint[], $2::jsonb[], $3::boolean[], $4::date[], $5::bigint[], $6::bigint[])
       as p (id, demographics, deceased, deceased_on, apart_from, merge_held) where s.id = p.id`,
    [
      patients.map((p) => p.id),
      patients.map((p) => JSON.stringify(p.demographics)),
      patients.map((p) => p.deceased),
      patients.map((p) => p.deceasedOn),
      patients.map((p) => p.apartFrom),
      patients.map((p) => p.mergeHeld),
      now.toISOString(),
    ],
  );
}
