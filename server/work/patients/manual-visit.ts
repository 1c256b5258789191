/** Reads what staff of a facility without a feed have entered about a visit or patient. */
import type { EventCode } from '#contract/event-codes.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { Demographics } from '#server/record/fold/folded-demographics.ts';
import type { VisitStatus } from '#server/record/fold/visit-state.ts';

export interface Facility {
  groupId: string;
  timeZone: string;
  isApproved: boolean;
  type: GroupType;
  facilityType: FacilityType | null;
}

/** An active event of a visit. */
export interface VisitEvent {
  id: string;
  code: EventCode;
  at: Moment;
  isManual: boolean;
  dischargedTo: string | null;
  /** The facts that it follows from. */
  factIds: string[];
}

/** A visit at a facility of the actor that has no feed. */
export interface ManualVisit extends Facility {
  encounterId: string;
  recordNumber: string;
  visitNumber: string | null;
  status: VisitStatus;
  events: VisitEvent[];
}

/** Returns the visit that the patient id refers to, or another one of the patient. Errors: NOT_FOUND, also for a visit elsewhere. */
export async function manualVisit(tx: ActorTransaction, patientId: string, ofPatient?: string): Promise<ManualVisit> {
  const patient = await resolvePatient(tx, patientId);
  const encounterId = ofPatient ?? patient.encounterId;
  const { rows } = await tx.query<Omit<ManualVisit, 'events'>>(sql`
    select e.group_id as "groupId", g.time_zone as "timeZone", g.approved_at is not null as "isApproved", g.type, g.facility_type as "facilityType", e.id as "encounterId",
      s.record_number as "recordNumber", e.visit_number as "visitNumber", e.status
    from encounters e join groups g on g.id = e.group_id join source_patients s on s.id = e.source_patient_id
    where e.id = ${encounterId} and e.person_id = ${patient.personId} and e.group_id = any(${tx.groupIds}::bigint[]) and not g.is_automated`);
  const [visit] = rows;
  if (!visit) throw new ApiError('NOT_FOUND');
  return { ...visit, events: await eventsOf(tx, visit.encounterId) };
}

async function eventsOf(tx: ActorTransaction, encounterId: string): Promise<VisitEvent[]> {
  const { rows } = await tx.query<VisitEvent & { eventAt: string; precision: Moment['precision']; day: string }>(sql`
    select id, code, event_at as "eventAt", event_precision as precision, event_day as day, is_manual as "isManual",
      detail ->> 'dischargedTo' as "dischargedTo", array(select jsonb_array_elements_text(detail -> 'factIds')) as "factIds"
    from events where encounter_id = ${encounterId} and state <> 'CANCELLED' order by event_at, id`);
  return rows.map(({ eventAt, precision, day, ...event }) => ({
    ...event,
    at: { instant: eventAt, precision, localDate: day },
  }));
}

/** A fact, as far as others need to name it. */
export interface NamedFact {
  id: string;
  controlId: string;
  trigger: string;
  visitNumber: string | null;
}

/** Returns the facts of a visit. */
export async function factsOfVisit(tx: ActorTransaction, encounterId: string): Promise<NamedFact[]> {
  const { rows } = await tx.query<NamedFact>(sql`
    select id, adt ->> 'controlId' as "controlId", adt ->> 'trigger' as trigger, adt #>> '{visit,visitNumber}' as "visitNumber"
    from facts where encounter_id = ${encounterId} order by id`);
  return rows;
}

/** A patient as a facility of the actor that has no feed knows them. */
export interface ManualPatient extends Facility {
  recordNumber: string;
  demographics: Demographics;
  /** The control ids of the entries that describe the patient. */
  describedBy: string[];
  /** Whether a feed described the patient before. */
  isFed: boolean;
  corrections: number;
  /** The day of the latest event, YYYY-MM-DD; null without any. */
  lastDay: string | null;
}

/**
 * Returns the patient as the facility of the visit knows them, or as one that lists them now if the visit is elsewhere. Errors: NOT_FOUND if no
 * facility of the actor without a feed does.
 */
export async function manualPatient(tx: ActorTransaction, patientId: string): Promise<ManualPatient> {
  const patient = await findManualPatient(tx, await resolvePatient(tx, patientId), tx.groupIds);
  if (!patient) throw new ApiError('NOT_FOUND');
  return patient;
}

/** Returns the version that a correction of the patient by the actor replaces; null if no facility at which the actor may correct entries has them. */
export async function entryVersion(tx: ActorTransaction, key: ManualPatientKey): Promise<string | null> {
  const groupIds = tx.actor.groupsWith('canEditPatientsAndEvents');
  const patient = groupIds.length === 0 ? undefined : await findManualPatient(tx, key, groupIds);
  return patient ? String(patient.corrections) : null;
}

/** Returns who corrected the patient last, and when; null if no one did. */
export async function lastCorrection(
  tx: ActorTransaction,
  { groupId, recordNumber }: ManualPatient,
): Promise<{ name: string; date: string } | null> {
  const { rows } = await tx.query<{ name: string | null; date: string }>(sql`
    select name_of_user((f.adt #>> '{enteredBy,userId}')::bigint) as name, f.adt #>> '{sentAt,instant}' as date
    from facts f join source_patients s on s.id = f.source_patient_id
    where s.group_id = ${groupId} and s.record_number = ${recordNumber} and f.adt ->> 'trigger' = 'CORRECT' order by f.id desc limit 1`);
  const [last] = rows;
  return last?.name ? { name: last.name, date: last.date } : null;
}

/** Returns whether a correction of the patient was stored since they were read, processed or not. */
export async function isBeingCorrected(
  tx: Queryable,
  { groupId, recordNumber, corrections }: ManualPatient,
): Promise<boolean> {
  const { rows } = await tx.query(sql`
    select where exists (select from messages
        where status = 'PENDING' and sender = -1 and sending_facility = ${groupId} and message_type = 'CORRECT^'
          and convert_from(raw, 'UTF8')::jsonb #>> '{adt,patient,recordNumber}' = ${recordNumber})
      or ${corrections} <> (select count(*) from facts f join source_patients s on s.id = f.source_patient_id
        where s.group_id = ${groupId} and s.record_number = ${recordNumber} and f.adt ->> 'trigger' = 'CORRECT')`);
  return rows.length > 0;
}

/** A person, and the visit of theirs that is shown. */
type ManualPatientKey = Pick<Awaited<ReturnType<typeof resolvePatient>>, 'personId' | 'encounterId'>;

async function findManualPatient(
  tx: ActorTransaction,
  { personId, encounterId }: ManualPatientKey,
  groupIds: readonly string[],
): Promise<ManualPatient | undefined> {
  const { rows } = await tx.query<ManualPatient>(sql`
    select s.group_id as "groupId", g.time_zone as "timeZone", g.approved_at is not null as "isApproved", g.type, g.facility_type as "facilityType",
      s.record_number as "recordNumber", s.demographics,
      array(select f.adt ->> 'controlId' from facts f
        where f.source_patient_id = s.id and f.adt ->> 'trigger' = 'MANUAL' and f.adt #> '{patient,name}' is not null) as "describedBy",
      exists (select from facts f
        where f.source_patient_id = s.id and f.adt ->> 'trigger' not in ('MANUAL', 'RETRACT', 'CORRECT', 'CLOSE', 'LINK')
        and not f.adt ? 'link') as "isFed",
      (select count(*)::int from facts f where f.source_patient_id = s.id and f.adt ->> 'trigger' = 'CORRECT') as corrections,
      (select max(v.event_day) from encounters e join events v on v.encounter_id = e.id
        where e.source_patient_id = s.id and v.state <> 'CANCELLED') as "lastDay"
    from source_patients s join groups g on g.id = s.group_id and not g.is_automated
      join roster_patients r on r.group_id = s.group_id and r.member_id = s.record_number and r.person_id = s.person_id
    where s.person_id = ${personId} and s.group_id = any(${groupIds}::bigint[])
    order by exists (select from encounters e where e.id = ${encounterId} and e.source_patient_id = s.id) desc, r.left_at is not null, s.id
    limit 1`);
  return rows[0];
}
