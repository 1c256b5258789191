/**
 * Manual entry for staff of a facility without a feed. An entry is processed like a message: stored, then folded into a visit, matched and
 * sent as pings by the pipeline. The caller waits until that is done.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { EventCode } from '#contract/event-codes.ts';
import type { Relationship } from '#contract/relationships.ts';
import type { AdtFacts, Moment, PatientFacts } from '#server/intake/hl7/adt-facts.ts';
import { EARLIEST_MOMENT } from '#server/intake/hl7/time.ts';
import type { ManualEntry } from '#server/intake/messages/read-message.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { resolvePatient } from '#server/people/access/patient.ts';
import { instantOfLocal, localDateOf } from '#server/platform/calendar/time-zone.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { refuseGuesses } from './refuse-guesses.ts';
import { type EntryCall, type EntryDeps, storeEntry } from './store-entry.ts';

interface Facility {
  groupId: string;
  timeZone: string;
  isApproved: boolean;
}

export interface NewEvent {
  status: EventCode;
  /** An instant, or YYYY-MM-DD. */
  eventDate: string;
  dischargedTo?: string | null;
}

export interface NewPatient extends NewEvent {
  /** What the user attests about this person. */
  relationship: Relationship;
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

/** Enters an event of a patient's visit at the caller's facility. Errors: NOT_FOUND, BAD_REQUEST, FACILITY_NEEDS_OPERATOR. */
export async function enterEvent(
  deps: EntryDeps,
  call: EntryCall,
  patientId: string,
  event: NewEvent,
): Promise<{ patientId: string }> {
  const { actor, now } = call;
  const visit = await asActor(deps.db, actor, 'canEditPatientsAndEvents', async (tx) => {
    const patient = await resolvePatient(tx, patientId);
    const { rows } = await tx.query<Facility & { recordNumber: string; visitNumber: string | null }>(sql`
      select e.group_id as "groupId", g.time_zone as "timeZone", g.approved_at is not null as "isApproved", s.record_number as "recordNumber", e.visit_number as "visitNumber"
      from encounters e join groups g on g.id = e.group_id join source_patients s on s.id = e.source_patient_id
      where e.id = ${patient.encounterId} and e.person_id = ${patient.personId} and e.group_id = any(${tx.groupIds}::bigint[]) and not g.is_automated`);
    return rows[0];
  });
  if (!visit) throw new ApiError('NOT_FOUND');
  checkApproved(visit);
  const at = momentOf(event.eventDate, visit.timeZone, now);
  const visitNumber = FIRST_EVENTS.has(event.status) || !visit.visitNumber ? newVisitNumber() : visit.visitNumber;
  const patient = { recordNumber: visit.recordNumber, identifiers: [] };
  return storeEntry(deps, call, entryOf({ facility: visit, patient, visitNumber, event, at, actor }));
}

/**
 * Enters a patient with a first event at a facility of the caller that has no feed. Errors: NOT_FOUND, BAD_REQUEST, FACILITY_NEEDS_OPERATOR, and
 * IDENTITY_GUESSES for an entry that looks like a guess of someone's details.
 */
export async function enterPatient(
  deps: EntryDeps,
  call: EntryCall,
  groupId: string,
  given: NewPatient,
): Promise<{ patientId: string }> {
  const { actor, now } = call;
  const facility = await asActor(deps.db, actor, 'canEditPatientsAndEvents', async (tx) => {
    const { rows } = await tx.query<Facility>(sql`
      select id as "groupId", time_zone as "timeZone", approved_at is not null as "isApproved" from groups
      where id = ${groupId} and id = any(${tx.groupIds}::bigint[]) and type <> 'PROGRAM' and not is_automated`);
    return rows[0];
  });
  if (!facility) throw new ApiError('NOT_FOUND');
  checkApproved(facility);
  if (!FIRST_EVENTS.has(given.status)) throw refuse('status', 'Choose an event that starts a visit.');
  const at = momentOf(given.eventDate, facility.timeZone, now);
  const patient = patientOf(given, now);
  await refuseGuesses(deps.db, call, facility.groupId, patient);
  const { relationship } = given;
  const visitNumber = newVisitNumber();
  return storeEntry(deps, call, entryOf({ facility, patient, visitNumber, event: given, at, actor, relationship }));
}

/** An event can list a patient again who had left, so it waits for the approval like a new patient. */
function checkApproved({ isApproved }: Facility): void {
  if (!isApproved) throw new ApiError('FACILITY_NEEDS_OPERATOR');
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

/** As for messages. */
const EARLIEST = Date.UTC(EARLIEST_MOMENT, 0, 1);

/** A date without a time keeps day precision, because facilities without a feed often know only the day. */
function momentOf(text: string, timeZone: string, now: Date): Moment {
  const isDay = text.length === 10;
  const day = isDay ? dayOf(text) : null;
  const time = isDay ? (day ? instantOfLocal(Date.parse(`${day}T00:00:00Z`), timeZone) : Number.NaN) : Date.parse(text);
  if (Number.isNaN(time)) throw refuse('eventDate', 'Not a valid date or time.');
  if (time > now.getTime()) throw refuse('eventDate', "The event can't be in the future.");
  if (time < EARLIEST) throw refuse('eventDate', `The event can't be before ${EARLIEST_MOMENT}.`);
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
  /** For a new patient. */
  relationship?: Relationship;
}

function entryOf({ facility, patient, visitNumber, event, at, actor, relationship }: EntryParts): ManualEntry {
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
    enteredBy: { userId: actor.userId, ...(relationship && { relationship }) },
    contentHash: createHash('sha256')
      .update(JSON.stringify([controlId, actor.userId]))
      .digest('hex'),
  };
  return { groupId: facility.groupId, manualCode: event.status, adt };
}
