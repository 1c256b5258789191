/**
 * How much of a message is read. HL7 v2.5.1 gives names, addresses, identifiers and codes 250 characters (chapter 2.A); a message that
 * exceeds a limit is quarantined, never cut.
 */
import { ASK_SENDER } from './field-values.ts';
import type { Message, Segment } from './message.ts';

/** In characters as sent, for each component. */
export const LONGEST_COMPONENT = 250;
/** The same for reasons and diagnoses, which people write. */
export const LONGEST_TEXT = 1000;
/** How often a field may repeat, and a segment may occur. */
export const MOST_REPETITIONS = 100;

/** The fields that are read, by segment. */
const READ_FIELDS: Readonly<Record<string, readonly number[]>> = {
  MSH: [3, 4, 10],
  EVN: [7],
  PID: [2, 3, 4, 5, 7, 8, 11, 13, 14, 18, 19, 29, 30],
  PV1: [2, 3, 4, 6, 7, 10, 14, 18, 19, 36, 37, 44, 45, 50],
  PV2: [3, 9, 10],
  DG1: [2, 3, 4, 6, 8, 15],
  DRG: [1],
  IN1: [2, 3, 4, 15, 36, 49],
  MRG: [1, 3, 4, 5],
};
const WRITTEN_BY_PEOPLE = new Set(['PV2-3', 'DG1-3', 'DG1-4']);

/** Returns why a message exceeds the limits, naming segment and field; null if it doesn't. */
export function overLimit(message: Message): string | null {
  for (const [name, fields] of Object.entries(READ_FIELDS)) {
    const segments = message.segments(name);
    if (segments.length > MOST_REPETITIONS) {
      return `The message has more than ${MOST_REPETITIONS} ${name} segments. ${ASK_SENDER}`;
    }
    for (const segment of segments) {
      for (const field of fields) {
        const problem = problemOf(segment, field, message.delimiters.component);
        if (problem !== null) return `${name}-${field} ${problem}. ${ASK_SENDER}`;
      }
    }
  }
  return null;
}

function problemOf(segment: Segment, field: number, separator: string): string | null {
  const limit = WRITTEN_BY_PEOPLE.has(`${segment.name}-${field}`) ? LONGEST_TEXT : LONGEST_COMPONENT;
  if (segment.field(field).length <= MOST_REPETITIONS) return null;
  const repetitions = segment.repetitions(field);
  if (repetitions.length > MOST_REPETITIONS) return `has more than ${MOST_REPETITIONS} repetitions`;
  const isLong = repetitions.some((each) => componentsOf(each, separator).some(({ length }) => length > limit));
  return isLong ? `has a component longer than ${limit} characters` : null;
}

const componentsOf = (repetition: string, separator: string): string[] =>
  separator === '' ? [repetition] : repetition.split(separator);
