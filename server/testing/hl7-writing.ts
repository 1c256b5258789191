/** HL7 messages written from values, for tests of what reads them. The product itself writes acknowledgements only (`intake/hl7/ack.ts`). */
import { type Delimiters, encodingCharacters, STANDARD_DELIMITERS } from '#server/intake/hl7/delimiters.ts';
import { escapeText } from '#server/intake/hl7/escape.ts';

/** A component: text, or a list of subcomponents. */
type ComponentValue = string | readonly string[];
/** A repetition: text, or a list of components. */
export type RepetitionValue = string | readonly ComponentValue[];
/** A field: text, or a list of repetitions. */
export type FieldValue = string | readonly RepetitionValue[];

/** A segment to write, its fields by number. MSH-1 and MSH-2 are added. */
export interface SegmentValue {
  name: string;
  fields: Readonly<Record<number, FieldValue>>;
}

/** Returns a message with CR after each segment. All text is escaped, so that `parseMessage` reads it back unchanged. */
export function encodeMessage(segments: readonly SegmentValue[], delimiters = STANDARD_DELIMITERS): string {
  return segments.map((segment) => `${encodeSegment(segment, delimiters)}\r`).join('');
}

function encodeSegment({ name, fields }: SegmentValue, delimiters: Delimiters): string {
  const isHeader = name === 'MSH';
  const first = isHeader ? 3 : 1;
  const last = Math.max(first - 1, ...Object.keys(fields).map(Number));
  const texts = [isHeader ? name + delimiters.field + encodingCharacters(delimiters) : name];
  for (let field = first; field <= last; field += 1) texts.push(encodeField(fields[field] ?? '', delimiters));
  // The separator distinguishes a segment without fields from a word of text.
  return texts.length === 1 ? texts[0] + delimiters.field : texts.join(delimiters.field);
}

function encodeField(value: FieldValue, delimiters: Delimiters): string {
  if (typeof value === 'string') return escapeText(value, delimiters);
  return value.map((repetition) => encodeRepetition(repetition, delimiters)).join(delimiters.repetition);
}

function encodeRepetition(value: RepetitionValue, delimiters: Delimiters): string {
  if (typeof value === 'string') return escapeText(value, delimiters);
  return value.map((component) => encodeComponent(component, delimiters)).join(delimiters.component);
}

function encodeComponent(value: ComponentValue, delimiters: Delimiters): string {
  if (typeof value === 'string') return escapeText(value, delimiters);
  return value.map((part) => escapeText(part, delimiters)).join(delimiters.subcomponent);
}
