/**
 * Chooses the time that dates a fact. Five fields may hold it, and which one is right depends on the trigger (`hl7/time-fields.ts`). The
 * first field that is present and credible counts:
 *
 * | Trigger | Fields in order | Why |
 * |--|--|--|
 * | A01 A04 | EVN-6, PV1-44, EVN-2, MSH-7 | Later messages may copy the EVN-6 of an arrival; the arrival itself has it right |
 * | A03 | PV1-45, EVN-6, EVN-2, MSH-7 | PV1-45 is by definition the time of the discharge; interface engines copy EVN-6 from message to message |
 * | A06 | EVN-6, EVN-2, MSH-7, PV1-44 | PV1-44 is often still the arrival in the ED, and inpatient midnights (SNF 3-day rule) must not count from there |
 * | A02 A07 A09 A10 A17 A21 A22 A54 | EVN-6, EVN-2, MSH-7 | They happen after the admission and have no field of their own |
 * | A05 A14 | EVN-2, MSH-7, EVN-6, PV1-44 | A plan is dated by when it was made; its EVN-6 and PV1-44 lie in the future |
 * | all others (A08, A31, cancels, merges) | EVN-2, MSH-7, EVN-6 | A snapshot is dated by when it was taken; the EVN-6 of a cancel is that of its target (HL7 v2.5.1 3.4.1.6) |
 * | MANUAL, CLOSE | EVN-6, EVN-2, MSH-7 | We wrote them ourselves |
 *
 * Not credible are: on a trigger that follows the admission, an EVN-6 that equals the time of admission to the minute (a copied EVN-6);
 * on an admission, a PV1-44 that equals the earlier arrival in the ED; a PV1-45 before PV1-44, or without PV1-44 before the first arrival that
 * was known when the message was written; an EVN-6 of a leave or return (A21, A22) that is before the admission in the same way; any time later than its message (`hl7/future-times.ts`). If no field is credible, the time of receipt counts. An EVN-6, PV1-44 or PV1-45 without a
 * time of day, or at midnight, gives way to an EVN-6, PV1-44, PV1-45 or EVN-2 of the same day that has one; else a PV1-45 at midnight is that day,
 * unless the message was written at that midnight.
 */
import { HOUR } from '#contract/durations.ts';
import type { TimeField as Field, Moment } from '#server/intake/hl7/adt-facts.ts';
import { timeFieldsOf, timeIn } from '#server/intake/hl7/time-fields.ts';
import type { Fact } from './fold-input.ts';
import { STILL_PATIENT } from './visit-state.ts';
import { isSnapshot } from './visit-triggers.ts';

/** Triggers that follow an admission, so the time of admission can't be theirs. */
const AFTER_ADMISSION = new Set(['A02', 'A03', 'A06', 'A07', 'A09', 'A10', 'A17', 'A21', 'A22', 'A54']);
/** A leave of absence and the return from it. */
const LEAVES = new Set(['A21', 'A22']);
/** An ED visit without a discharge is closed after this time (`encounters/close-hanging.ts`). */
export const HANGING_AFTER = 48 * HOUR;
/** Fields that say when something happened, rather than when it was recorded or sent. */
const HAPPENED = new Set<Field>(['occurred', 'admitted', 'discharged']);

/** Returns the minute of an instant, 'YYYY-MM-DDTHH:MM'. */
export const minuteOf = (moment: Moment): string => moment.instant.slice(0, 16);

export const isSameMinute = (a: Moment | null, b: Moment | null): boolean =>
  Boolean(a && b && minuteOf(a) === minuteOf(b));

/** Whether a time says no more than the day: senders that know no time of day write none, or midnight. */
export const isCoarse = ({ precision, isMidnight }: Moment): boolean => precision === 'day' || isMidnight === true;

/** Whether `a` says less than `b` about the same day, and so is no correction of it. */
export const isCoarser = (a: Moment, b: Moment | null | undefined): boolean =>
  Boolean(b && isCoarse(a) && !isCoarse(b) && a.localDate === b.localDate);

/** Returns false for a time that is later than its message. */
export const isBelieved = ({ adt }: Fact, field: Field): boolean => !adt.disbelieved?.fields.includes(field);

/** Returns PV1-45, of which midnight stands for the day, since senders that know no time of day write it, unless the message was written then. */
export function dischargedIn({ adt: { recordedAt, sentAt, visit } }: Fact): Moment | null {
  const at = visit?.dischargedAt ?? null;
  const isThen = isSameMinute(at, recordedAt) || isSameMinute(at, sentAt);
  return at && isCoarse(at) && !isThen ? { ...at, precision: 'day' } : at;
}

/** Returns when the patient died (PID-29); null if the message doesn't say, or names a time in its future. */
export const deathIn = (fact: Fact): Moment | null => (isBelieved(fact, 'died') && fact.adt.patient.deceasedAt) || null;

function isCredible(fact: Fact, field: Field, moment: Moment, arrivals: Arrivals): boolean {
  const { trigger, visit } = fact.adt;
  if (!isBelieved(fact, field)) return false;
  if (field === 'discharged') return !isBeforeStay(fact, moment, arrivals);
  if (field === 'admitted' && trigger === 'A01')
    return isEmergency(fact) || !arrivals.inEmergency.has(minuteOf(moment));
  if (field !== 'occurred' || !AFTER_ADMISSION.has(trigger)) return true;
  if (LEAVES.has(trigger) && isBeforeStay(fact, moment, arrivals)) return false;
  if (arrivals.known.has(minuteOf(moment))) return false;
  // An A06 may have the inpatient admission in both fields, so only a known arrival shows that its EVN-6 was copied.
  const admitted = isBelieved(fact, 'admitted') ? visit?.admittedAt : null;
  return trigger === 'A06' || !admitted || minuteOf(admitted) !== minuteOf(moment);
}

/** Whether a time is before the PV1-44 of its message, or without one before the first arrival that was known when the message was written. */
function isBeforeStay(fact: Fact, moment: Moment, { first }: Arrivals): boolean {
  const admitted = isBelieved(fact, 'admitted') ? fact.adt.visit?.admittedAt : null;
  const began = admitted ?? (first && wasWrittenAfter(fact, first) ? first : null);
  return Boolean(began && isBefore(moment, began));
}

function wasWrittenAfter({ adt: { recordedAt, sentAt } }: Fact, moment: Moment): boolean {
  const written = recordedAt ?? sentAt;
  return written !== null && !isBefore(written, moment);
}

/** Compares by day if one of the two has no time of day. */
export function isBefore(a: Moment, b: Moment): boolean {
  return a.precision === 'day' || b.precision === 'day' ? a.localDate < b.localDate : a.instant < b.instant;
}

/** Whether a visit ended at or after an admission. Where one of the two is known by its day alone, only a later day counts: the patient may have come back. */
export const isAtOrAfter = (end: Moment, admission: Moment): boolean =>
  isCoarse(end) || isCoarse(admission) ? end.localDate > admission.localDate : !isBefore(end, admission);

/** The minutes at which a visit began, as its arrivals (A01, A04) say. */
export interface Arrivals {
  /** Of all arrivals: a copied EVN-6 repeats one of these. */
  known: ReadonlySet<string>;
  /** Of registrations in the ED (A04): the PV1-44 of a later admission may still be one of these. */
  inEmergency: ReadonlySet<string>;
  /** The earliest; null if none is known. */
  first: Moment | null;
}

const NO_ARRIVALS: Arrivals = { known: new Set(), inEmergency: new Set(), first: null };

const isEmergency = ({ adt }: Fact): boolean => adt.visit?.setting === 'EMERGENCY';

/** Returns the minutes of the visit's arrivals, those of arrivals in the ED, and the first time that is believed. */
export function arrivalMinutes(facts: readonly Fact[]): Arrivals {
  const known = new Set<string>();
  const inEmergency = new Set<string>();
  let first: Moment | null = null;
  for (const fact of facts) {
    const { trigger, visit, occurredAt } = fact.adt;
    if (trigger !== 'A01' && trigger !== 'A04') continue;
    const began = visit?.admittedAt ?? occurredAt;
    if (began && isBelieved(fact, visit?.admittedAt ? 'admitted' : 'occurred')) first = earlierOf(first, began);
    if (began) known.add(minuteOf(began));
    if (began && trigger === 'A04' && isEmergency(fact)) inEmergency.add(minuteOf(began));
  }
  return { known, inEmergency, first };
}

const earlierOf = (a: Moment | null, b: Moment): Moment => (a && a.instant <= b.instant ? a : b);

/**
 * Returns when a fact happened, by the table above; null if no field is readable. `arrivals`: the visit's `arrivalMinutes`, if the
 * visit is known.
 */
export function eventTime(fact: Fact, arrivals = NO_ARRIVALS): Moment | null {
  const known = timeFieldsOf(fact.adt.trigger).flatMap((field) => {
    const moment = field === 'discharged' ? dischargedIn(fact) : timeIn(fact.adt, field);
    return moment && isCredible(fact, field, moment, arrivals) ? [{ field, moment }] : [];
  });
  const first = known[0];
  if (!first) return fact.adt.disbelieved?.receivedAt ?? statedTime(fact);
  const canBeRecorded = HAPPENED.has(first.field) && !isEntered(fact);
  const finer = known.find(
    ({ field, moment }) =>
      (HAPPENED.has(field) || (field === 'recorded' && canBeRecorded)) && isCoarser(first.moment, moment),
  );
  return (finer ?? first).moment;
}

/** Entered by staff, or written by a job: what has no time is meant so. */
const isEntered = ({ adt: { trigger } }: Fact): boolean => trigger === 'MANUAL' || trigger === 'CLOSE';

/**
 * Returns the discharge that an update (A08, A31) reports: PV1-45 together with a disposition or the patient's death. Some senders have no
 * A03. Null for any other fact, if the discharge is only expected, and if PV1-36 says that the patient is still there.
 */
export function reportedEnd(fact: Fact): Moment | null {
  const { trigger, visit, patient } = fact.adt;
  // The patient may have been admitted on the day of a discharge without a time.
  const at = dischargedIn(fact);
  if (!at || !visit || !isSnapshot(trigger) || visit.classCode?.toUpperCase() === 'P') return null;
  if (!isBelieved(fact, 'discharged') || visit.disposition === STILL_PATIENT) return null;
  const admitted = isBelieved(fact, 'admitted') ? visit.admittedAt : null;
  if (admitted && isBefore(at, admitted)) return null;
  return visit.disposition || patient.deceased === true ? at : null;
}

/** The time that the sender stated, even though it is not credible. */
function statedTime({ adt }: Fact): Moment | null {
  return adt.visit?.dischargedAt ?? adt.visit?.admittedAt ?? adt.occurredAt;
}
