/** Which fields can date what a message reports, by its trigger. `record/fold/event-time.ts` chooses among them. */
import type { AdtFacts, Moment, TimeField } from './adt-facts.ts';

const ARRIVAL: TimeField[] = ['occurred', 'admitted', 'recorded', 'sent'];
const MOVEMENT: TimeField[] = ['occurred', 'recorded', 'sent'];
const PLAN: TimeField[] = ['recorded', 'sent', 'occurred', 'admitted'];
const SNAPSHOT: TimeField[] = ['recorded', 'sent', 'occurred'];

const FIELDS: Record<string, TimeField[]> = {
  A01: ARRIVAL,
  A04: ARRIVAL,
  A03: ['discharged', 'occurred', 'recorded', 'sent'],
  A06: ['occurred', 'recorded', 'sent', 'admitted'],
  A05: PLAN,
  A14: PLAN,
  MANUAL: MOVEMENT,
  CLOSE: MOVEMENT,
  LINK: MOVEMENT,
};
for (const trigger of ['A02', 'A07', 'A09', 'A10', 'A17', 'A21', 'A22', 'A54']) FIELDS[trigger] = MOVEMENT;

/** Returns the fields that can date a trigger, the best first. */
export const timeFieldsOf = (trigger: string): readonly TimeField[] => FIELDS[trigger] ?? SNAPSHOT;

/** The names that integration engineers use. */
export const FIELD_NAMES: Readonly<Record<TimeField, string>> = {
  occurred: 'EVN-6',
  admitted: 'PV1-44',
  discharged: 'PV1-45',
  recorded: 'EVN-2',
  sent: 'MSH-7',
  died: 'PID-29',
};

/** Returns what a field says; null if it is empty or can't be read. */
export function timeIn({ occurredAt, recordedAt, sentAt, patient, visit }: AdtFacts, field: TimeField): Moment | null {
  if (field === 'occurred') return occurredAt;
  if (field === 'recorded') return recordedAt;
  if (field === 'sent') return sentAt;
  if (field === 'died') return patient.deceasedAt ?? null;
  return (field === 'admitted' ? visit?.admittedAt : visit?.dischargedAt) ?? null;
}

/** Whether none of the fields that can date the message has a time. */
export const isUndated = (adt: AdtFacts): boolean =>
  timeFieldsOf(adt.trigger).every((field) => timeIn(adt, field) === null);

/** Begin or announce a visit. Without a time, the message is dated by its receipt: that someone came is true whenever it was. */
const BEGINS = new Set(['A01', 'A04', 'A05', 'A06', 'A14']);
/** Are about a person, all visits of a patient, or identifiers. They need no time, and neither do merges. */
const TIMELESS = new Set(['A28', 'A29', 'A31', 'A51']);

export const isDatedByReceipt = (adt: AdtFacts): boolean => BEGINS.has(adt.trigger) && isUndated(adt);

/**
 * Whether the message changes a visit at a time that no field says. Dated by its receipt, it could come after what it was written before.
 * Merges and moves aren't asked.
 */
export const lacksTime = (adt: AdtFacts): boolean =>
  !BEGINS.has(adt.trigger) && !TIMELESS.has(adt.trigger) && isUndated(adt);
