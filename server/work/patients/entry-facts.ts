/** Makes the facts of manual entries from what a user typed. Errors: BAD_REQUEST with the field. */

import { createHash, randomUUID } from 'node:crypto';
import { isDeathDisposition } from '#contract/dispositions.ts';
import { type EventCode, startsVisit } from '#contract/event-codes.ts';
import type { NewEvent, NewPatient, PatientChange } from '#contract/manual-entries.ts';
import type { Relationship } from '#contract/relationships.ts';
import type { AdtFacts, Moment, PatientFacts } from '#server/intake/hl7/adt-facts.ts';
import { dispositionInWords } from '#server/intake/hl7/dispositions.ts';
import { EARLIEST_MOMENT } from '#server/intake/hl7/time.ts';
import type { ManualEntry } from '#server/intake/messages/read-message.ts';
import { instantOfLocal, localDateOf } from '#server/platform/calendar/time-zone.ts';
import { usDay } from '#server/platform/calendar/us-dates.ts';
import { badField } from '#server/platform/http/api-error.ts';
import { isBefore } from '#server/record/fold/event-time.ts';
import type { Demographics } from '#server/record/fold/folded-demographics.ts';

export const newNumber = (): string => `M-${randomUUID().slice(0, 18)}`;

/** As for messages. */
const EARLIEST = Date.UTC(EARLIEST_MOMENT, 0, 1);

/** A date without a time keeps day precision, because facilities without a feed often know only the day. */
export function momentOf(text: string, timeZone: string, now: Date): Moment {
  const isDay = text.length === 10;
  const day = isDay ? dayOf(text) : null;
  const time = isDay ? (day ? instantOfLocal(Date.parse(`${day}T00:00:00Z`), timeZone) : Number.NaN) : Date.parse(text);
  if (Number.isNaN(time)) throw badField('eventDate', 'Not a valid date or time.');
  if (time > now.getTime()) throw badField('eventDate', "The event can't be in the future.");
  if (time < EARLIEST) throw badField('eventDate', `The event can't be before ${EARLIEST_MOMENT}.`);
  const instant = `${new Date(time).toISOString().slice(0, 19)}Z`;
  return { instant, localDate: day ?? localDateOf(time, timeZone), precision: isDay ? 'day' : 'minute' };
}

/** When something is entered, as a moment. */
const momentAt = (now: Date, timeZone: string): Moment => ({
  instant: `${now.toISOString().slice(0, 19)}Z`,
  localDate: localDateOf(now.getTime(), timeZone),
  precision: 'second',
});

function dayOf(text: string): string | null {
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim());
  const iso = us ? `${us[3]}-${us[1]?.padStart(2, '0')}-${us[2]?.padStart(2, '0')}` : text.trim();
  const time = /^\d{4}-\d\d-\d\d$/.test(iso) ? Date.parse(`${iso}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso) ? iso : null;
}

/** The years of the oldest birth dates, as on rosters. */
const OLDEST_AGE = 130;

/** Errors: BAD_REQUEST with the field, for what is no date, a day to come and more than 130 years. */
export function birthDateOf(text: string, now: Date, field = 'dateOfBirth'): string {
  const birthDate = dayOf(text);
  const today = now.toISOString().slice(0, 10);
  const oldest = `${now.getUTCFullYear() - OLDEST_AGE}${today.slice(4)}`;
  if (!birthDate) throw badField(field, 'Not a valid date of birth. Use MM/DD/YYYY.');
  if (birthDate > today) throw badField(field, "The date of birth can't be in the future.");
  if (birthDate < oldest) throw badField(field, `The date of birth can't be more than ${OLDEST_AGE} years ago.`);
  return birthDate;
}

export function patientOf(given: NewPatient, now: Date): PatientFacts {
  return {
    recordNumber: given.recordNumber || newNumber(),
    identifiers: [],
    name: {
      family: given.lastName,
      given: given.firstName,
      middle: given.middleName || null,
      suffix: given.nameSuffix || null,
    },
    birthDate: birthDateOf(given.dateOfBirth, now),
    sex: given.gender,
    address: given.address1 || given.zip ? addressOf(given, null) : undefined,
    phones: given.homePhone ? [given.homePhone] : undefined,
    ssnLast4: given.ssnLast4 ?? undefined,
    medicareId: given.medicareId || undefined,
  };
}

/** Returns a patient's facts with what changes. */
export function changedPatient(
  recordNumber: string,
  before: Demographics,
  change: PatientChange,
  now: Date,
): PatientFacts {
  const { name } = before;
  const { dateOfBirth, homePhone, ssnLast4, medicareId } = change;
  return {
    ...before,
    recordNumber,
    identifiers: [],
    name: {
      family: change.lastName ?? name?.family ?? '',
      given: change.firstName ?? name?.given ?? '',
      middle: textOr(change.middleName, name?.middle),
      suffix: textOr(change.nameSuffix, name?.suffix),
    },
    birthDate: dateOfBirth === undefined ? before.birthDate : birthDateOf(dateOfBirth, now),
    sex: change.gender ?? before.sex,
    address: addressOf(change, before.address),
    phones:
      homePhone === undefined ? before.phones : [...(homePhone ? [homePhone] : []), ...(before.phones ?? []).slice(1)],
    ssnLast4: ssnLast4 === undefined ? before.ssnLast4 : ssnLast4,
    medicareId: medicareId === undefined ? before.medicareId : medicareId || null,
  };
}

/** Empty text and null empty the field; undefined leaves it. */
const textOr = (text: string | null | undefined, before: string | null | undefined): string | null =>
  (text === undefined ? before : text) || null;

type AddressFields = Pick<PatientChange, 'address1' | 'city' | 'state' | 'zip'>;

function addressOf(given: AddressFields, before: Demographics['address']): Demographics['address'] {
  const address = {
    line1: textOr(given.address1, before?.line1),
    line2: before?.line2 ?? null,
    city: textOr(given.city, before?.city),
    state: textOr(given.state, before?.state),
    zip: textOr(given.zip, before?.zip),
  };
  return Object.values(address).some((part) => part !== null) ? address : null;
}

/** An event of a visit, as the order of a visit's events needs it. */
export interface DatedEvent {
  code: EventCode;
  at: Moment;
}

const ENDS: ReadonlySet<EventCode> = new Set(['DISCHARGE', 'ENDED_SERVICES', 'DECEASED']);
/** What happens only to someone who is there. A death can follow the end. */
const DURING: ReadonlySet<EventCode> = new Set([
  'TRANSFER',
  'MEDICAL_LEAVE_OF_ABSENCE',
  'RESUMED_SERVICES',
  'PAYOR_CHANGE',
]);

/** Refuses an event before the beginning of its visit or after its end, and a beginning after another event. `others`: of the same visit. */
export function checkOrder({ code, at }: DatedEvent, others: readonly DatedEvent[]): void {
  if (startsVisit(code)) {
    const earlier = others.find((other) => !startsVisit(other.code) && isBefore(other.at, at));
    if (earlier) throw badField('eventDate', `The visit has an earlier event, on ${usDay(earlier.at.localDate)}.`);
    return;
  }
  const start = others.find((other) => startsVisit(other.code));
  if (start && isBefore(at, start.at))
    throw badField('eventDate', `The visit began on ${usDay(start.at.localDate)}. Choose a later date.`);
  const end = DURING.has(code) && others.find((other) => ENDS.has(other.code) && isBefore(other.at, at));
  if (end) {
    const day = usDay(end.at.localDate);
    throw badField('eventDate', `The visit ended on ${day}. Choose an earlier date, or start a new visit.`);
  }
}

interface EntryOf {
  groupId: string;
  userId: string;
  patient: PatientFacts;
}

interface EventEntry extends EntryOf {
  visitNumber: string;
  event: Pick<NewEvent, 'status' | 'dischargedTo'>;
  at: Moment;
  /** For a new patient. */
  relationship?: Relationship;
  /** For a change: the control ids of the entries that this one replaces, and when it is made. */
  replaces?: { retracts: string[]; now: Date; timeZone: string };
}

/** Where staff say that the patient went. Words that mean only one thing count as in messages: they start or stop the follow-up. */
function destinationOf({ status, dischargedTo = null }: EventEntry['event']) {
  const disposition = dischargedTo === null ? null : dispositionInWords(dischargedTo);
  if (status !== 'DECEASED' && isDeathDisposition(disposition))
    throw badField('dischargedTo', 'If the patient died, choose Deceased as the status.');
  return { dischargedTo, ...(disposition !== null && { disposition }) };
}

/** Returns an event as an entry. Errors: BAD_REQUEST for a destination that contradicts the status. */
export function eventEntry(parts: EventEntry): ManualEntry {
  const { visitNumber, event, at, relationship, replaces, userId } = parts;
  const ends = ENDS.has(event.status) && { dischargedAt: at, ...destinationOf(event) };
  return {
    groupId: parts.groupId,
    manualCode: event.status,
    adt: {
      ...factsOf(parts, 'MANUAL', randomUUID(), replaces ? momentAt(replaces.now, replaces.timeZone) : at),
      occurredAt: at,
      visit: { visitNumber, ...ends },
      enteredBy: { userId, ...(relationship && { relationship }) },
      ...(replaces && { retracts: replaces.retracts }),
    },
  };
}

/** Returns the entry that retracts others of a visit. */
export function retractingEntry(
  parts: EntryOf & { visitNumber: string; retracts: string[]; now: Date; timeZone: string },
): ManualEntry {
  const { groupId, visitNumber, retracts, now, timeZone } = parts;
  const facts = factsOf(parts, 'RETRACT', randomUUID(), momentAt(now, timeZone));
  return { groupId, adt: { ...facts, visit: { visitNumber }, retracts } };
}

/** Returns the entry that corrects a patient. `of`: the control ids of the entries that described the patient, `earlier`: how often they were corrected. */
export function correctingEntry(
  parts: EntryOf & { of: string[]; earlier: number; now: Date; timeZone: string },
): ManualEntry {
  const { groupId, patient, of, earlier, now, timeZone } = parts;
  const reference = { ...parts, patient: { recordNumber: patient.recordNumber, identifiers: [] } };
  // Corrections of one second are sorted by their control ids.
  const controlId = `${now.getTime()}-${String(earlier).padStart(6, '0')}-${randomUUID()}`;
  const facts = factsOf(reference, 'CORRECT', controlId, momentAt(now, timeZone));
  return { groupId, adt: { ...facts, correction: { of, patient } } };
}

function factsOf({ groupId, userId, patient }: EntryOf, trigger: string, controlId: string, sentAt: Moment): AdtFacts {
  return {
    trigger,
    controlId,
    sentAt,
    recordedAt: null,
    occurredAt: null,
    facilityIdentifier: groupId,
    patient,
    visit: null,
    merge: null,
    enteredBy: { userId },
    contentHash: createHash('sha256')
      .update(JSON.stringify([controlId, userId]))
      .digest('hex'),
  };
}
