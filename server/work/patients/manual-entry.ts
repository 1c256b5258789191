/**
 * Manual entry for staff of a facility without a feed. An entry is processed like a message: stored, then folded into a visit, matched and
 * sent as pings by the pipeline. The caller waits until that is done.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventCode } from '#contract/event-codes.ts';
import type { AdtFacts, Moment, PatientFacts } from '#server/intake/hl7/adt-facts.ts';
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import type { ManualEntry } from '#server/intake/messages/read-message.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { instantOfLocal, localDateOf } from '#server/platform/calendar/time-zone.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

export interface EntryDeps {
  db: Database;
  store: MessageStore;
}

interface Facility {
  groupId: string;
  timeZone: string;
}

export interface NewEvent {
  status: EventCode;
  /** An instant, or YYYY-MM-DD. */
  eventDate: string;
  dischargedTo?: string | null;
}

export interface NewPatient extends NewEvent {
  firstName: string;
  middleName?: string | null;
  lastName: string;
  nameSuffix?: string | null;
  /** MM/DD/YYYY or YYYY-MM-DD */
  dateOfBirth: string;
  gender: 'Male' | 'Female' | 'Other' | 'Unknown';
  recordNumber?: string | null;
  address1?: string | null;
  city?: string | null;
  state?: string | null;
  zip?: string | null;
  homePhone?: string | null;
  ssnLast4?: string | null;
  medicareId?: string | null;
}

/** Events that start a visit. */
const FIRST_EVENTS = new Set<EventCode>(['ADMIT', 'PRESENTED', 'VISIT', 'STARTED_HHA_SERVICES']);

/** Enters an event of a patient's visit at the caller's facility. Errors: NOT_FOUND, BAD_REQUEST. */
export async function enterEvent(
  deps: EntryDeps,
  actor: Actor,
  patientId: string,
  event: NewEvent,
  now: Date,
): Promise<{ patientId: string }> {
  const visit = await asActor(deps.db, actor, 'canEditPatientsAndEvents', async (tx) => {
    const patient = await resolvePatient(tx, patientId);
    const { rows } = await tx.query<Facility & { recordNumber: string; visitNumber: string | null }>(sql`
      select e.group_id as "groupId", g.time_zone as "timeZone", s.record_number as "recordNumber", e.visit_number as "visitNumber"
      from encounters e join groups g on g.id = e.group_id join source_patients s on s.id = e.source_patient_id
      where e.id = ${patient.encounterId} and e.person_id = ${patient.personId} and e.group_id = any(${tx.groupIds}::bigint[]) and not g.is_automated`);
    return rows[0];
  });
  if (!visit) throw new ApiError('NOT_FOUND');
  const at = momentOf(event.eventDate, visit.timeZone, now);
  const visitNumber = FIRST_EVENTS.has(event.status) || !visit.visitNumber ? newVisitNumber() : visit.visitNumber;
  const patient = { recordNumber: visit.recordNumber, identifiers: [] };
  return enter(deps, actor, entryOf({ facility: visit, patient, visitNumber, event, at, actor }), now);
}

/** Enters a patient with a first event at a facility of the caller that has no feed. Errors: NOT_FOUND, BAD_REQUEST. */
export async function enterPatient(
  deps: EntryDeps,
  actor: Actor,
  groupId: string,
  given: NewPatient,
  now: Date,
): Promise<{ patientId: string }> {
  const facility = await asActor(deps.db, actor, 'canEditPatientsAndEvents', async (tx) => {
    const { rows } = await tx.query<Facility>(sql`
      select id as "groupId", time_zone as "timeZone" from groups
      where id = ${groupId} and id = any(${tx.groupIds}::bigint[]) and type <> 'PROGRAM' and not is_automated`);
    return rows[0];
  });
  if (!facility) throw new ApiError('NOT_FOUND');
  if (!FIRST_EVENTS.has(given.status)) throw refuse('status', 'Choose an event that starts a visit.');
  const at = momentOf(given.eventDate, facility.timeZone, now);
  const patient = patientOf(given, now);
  return enter(
    deps,
    actor,
    entryOf({ facility, patient, visitNumber: newVisitNumber(), event: given, at, actor }),
    now,
  );
}

const refuse = (field: string, message: string): ApiError =>
  new ApiError('BAD_REQUEST', { fields: { [field]: message } });

const newVisitNumber = (): string => `M-${randomUUID().slice(0, 18)}`;

function patientOf(given: NewPatient, now: Date): PatientFacts {
  const birthDate = dayOf(given.dateOfBirth);
  if (!birthDate || birthDate > now.toISOString().slice(0, 10))
    throw refuse('dateOfBirth', 'Not a valid date of birth. Use MM/DD/YYYY.');
  return {
    recordNumber: given.recordNumber || `M-${randomUUID().slice(0, 18)}`,
    identifiers: [],
    name: {
      family: given.lastName,
      given: given.firstName,
      middle: given.middleName ?? null,
      suffix: given.nameSuffix ?? null,
    },
    birthDate,
    sex: given.gender,
    address:
      given.address1 || given.zip
        ? {
            line1: given.address1 ?? null,
            line2: null,
            city: given.city ?? null,
            state: given.state ?? null,
            zip: given.zip ?? null,
          }
        : undefined,
    phones: given.homePhone ? [given.homePhone] : undefined,
    ssnLast4: given.ssnLast4 ?? undefined,
    medicareId: given.medicareId ?? undefined,
  };
}

function dayOf(text: string): string | null {
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim());
  const iso = us ? `${us[3]}-${us[1]?.padStart(2, '0')}-${us[2]?.padStart(2, '0')}` : text.trim();
  const time = /^\d{4}-\d\d-\d\d$/.test(iso) ? Date.parse(`${iso}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso) ? iso : null;
}

/** A date without a time keeps day precision, because facilities without a feed often know only the day. */
function momentOf(text: string, timeZone: string, now: Date): Moment {
  const isDay = text.length === 10;
  const day = isDay ? dayOf(text) : null;
  const time = isDay ? (day ? instantOfLocal(Date.parse(`${day}T00:00:00Z`), timeZone) : Number.NaN) : Date.parse(text);
  if (Number.isNaN(time)) throw refuse('eventDate', 'Not a valid date or time.');
  if (time > now.getTime()) throw refuse('eventDate', "The event can't be in the future.");
  const instant = `${new Date(time).toISOString().slice(0, 19)}Z`;
  return { instant, localDate: day ?? localDateOf(time, timeZone), precision: isDay ? 'day' : 'minute' };
}

interface EntryParts {
  facility: Facility;
  patient: PatientFacts;
  visitNumber: string;
  event: NewEvent;
  at: Moment;
  actor: Actor;
}

function entryOf({ facility, patient, visitNumber, event, at, actor }: EntryParts): ManualEntry {
  const controlId = randomUUID();
  const ends = event.status === 'DISCHARGE' || event.status === 'ENDED_SERVICES' || event.status === 'DECEASED';
  const adt: AdtFacts = {
    trigger: 'MANUAL',
    controlId,
    sentAt: at,
    recordedAt: null,
    occurredAt: at,
    facilityIdentifier: facility.groupId,
    patient,
    visit: { visitNumber, ...(ends ? { dischargedAt: at, dischargedTo: event.dischargedTo ?? null } : {}) },
    merge: null,
    contentHash: createHash('sha256')
      .update(JSON.stringify([controlId, actor.userId]))
      .digest('hex'),
  };
  return { groupId: facility.groupId, manualCode: event.status, adt };
}

/** Milliseconds to wait for the pipeline, and between two checks. */
const WAIT_FOR = 10_000;
const FIRST_PAUSE = 20;
const LONGEST_PAUSE = 320;

async function enter(
  { db, store }: EntryDeps,
  actor: Actor,
  entry: ManualEntry,
  now: Date,
): Promise<{ patientId: string }> {
  const { id } = await store.receive({
    source: 'MANUAL',
    raw: Buffer.from(JSON.stringify(entry)),
    receivedAt: now,
    remote: null,
    sendingApplication: 'TIDINGS',
    sendingFacility: entry.groupId,
    controlId: entry.adt.controlId,
    messageType: `MANUAL^${entry.manualCode ?? ''}`,
    patientKey: entry.adt.patient.recordNumber,
    enteredBy: actor.userId,
  });
  const until = Date.now() + WAIT_FOR;
  for (let pause = FIRST_PAUSE; Date.now() < until; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    await sleep(pause);
    const patientId = await asActor(db, actor, 'canEditPatientsAndEvents', async (tx) => {
      const { rows } = await tx.query<{ patientId: string | null }>(sql`
        select (select min(r.id) from roster_patients r where r.person_id = e.person_id and r.group_id = any(${tx.groupIds}::bigint[]))
          || '_' || e.id as "patientId"
        from facts f join encounters e on e.id = f.encounter_id where f.message_id = ${id}`);
      // The pipeline's own transaction has committed by now.
      if (rows[0]?.patientId) await noteChange(tx);
      return rows[0]?.patientId;
    });
    if (patientId) return { patientId };
  }
  throw new ApiError('NOT_READY', {
    message: 'Your entry is saved and will appear soon. It is taking longer than usual.',
  });
}
