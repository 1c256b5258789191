/** FHIR dates and times (R4, 2.24.0.1: date, dateTime, instant). */
import type { Moment, TimeField } from '#server/intake/hl7/adt-facts.ts';
import { readMoment, type TimeRules } from '#server/intake/hl7/time.ts';
import { type Node, object, text } from './json.ts';

/** How a message is read: times without an offset, and what is noted about it. */
export interface FhirContext {
  timeZone: TimeRules['timeZone'];
  warn: (warning: string) => void;
}

/** The names of the elements that date an event, as integration engineers know them. */
export const FHIR_FIELD_NAMES: Readonly<Record<TimeField, string>> = {
  occurred: 'Encounter.classHistory, Encounter.location.period',
  admitted: 'Encounter.period.start',
  discharged: 'Encounter.period.end',
  recorded: 'Encounter.meta.lastUpdated',
  sent: 'Bundle.timestamp',
  died: 'Patient.deceasedDateTime',
};

/** Returns a time. An unreadable one is undefined, with a warning; so is a year or a month. `path`: what the warning names. */
export function momentAt(
  node: Node | undefined,
  name: string,
  path: string,
  { timeZone, warn }: FhirContext,
): Moment | undefined {
  const { moment, problem } = readMoment(text(node, name) ?? '', { timeZone, dateOrder: null });
  if (problem !== null) warn(`${path} ${problem.replace('an HL7 timestamp', 'a FHIR dateTime')}`);
  return moment ?? undefined;
}

/** Returns when a period of an element begins. */
export const startOf = (node: Node | undefined, path: string, context: FhirContext): Moment | undefined =>
  momentAt(object(node, 'period'), 'start', `${path}.period.start`, context);

/** Returns when a resource was last changed. */
export const updatedAt = (node: Node, path: string, context: FhirContext): Moment | undefined =>
  momentAt(object(node, 'meta'), 'lastUpdated', `${path}.meta.lastUpdated`, context);
