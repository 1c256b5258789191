/**
 * A message as segments of raw text, divided further only where somebody asks (HL7 v2.5.1, 2.5).
 */
import { type Delimiters, encodingCharacters, readDelimiters, STANDARD_DELIMITERS } from './delimiters.ts';
import { escapeText, unescapeText } from './escape.ts';

/** One segment. Fields, components and subcomponents count from 1 as in the standard, repetitions from 0. */
export class Segment {
  readonly name: string;
  /** The segment as sent, without its line end. A line break inside is text that its sender wrapped. */
  readonly raw: string;
  readonly #delimiters: Delimiters;
  readonly #fields: string[];
  /** Of the field that was asked last: one reads a field's repetitions one after the other, and there may be thousands. */
  #divided: { field: number; repetitions: string[] } | null = null;

  constructor(name: string, raw: string, delimiters: Delimiters) {
    this.name = name;
    this.raw = raw;
    this.#delimiters = delimiters;
    this.#fields = raw.split(delimiters.field);
    // MSH-1 is the field separator itself.
    if (name === 'MSH') this.#fields.splice(1, 0, delimiters.field);
  }

  /** The raw text of a field, '' where the segment is shorter. */
  field(field: number): string {
    return this.#fields[field] ?? '';
  }

  /** The raw repetitions of a field; none where it is empty. */
  repetitions(field: number): readonly string[] {
    if (this.#divided?.field !== field) {
      this.#divided = { field, repetitions: divide(this.field(field), this.#delimiters.repetition) };
    }
    return this.#divided.repetitions;
  }

  /** A component as meant, its subcomponents undivided: texts often hold an `&` that nobody escaped. */
  component(field: number, component = 1, repetition = 0): string {
    return unescapeText(this.#component(field, component, repetition), this.#delimiters);
  }

  subcomponent(field: number, component: number, subcomponent: number, repetition = 0): string {
    const whole = this.#component(field, component, repetition);
    return unescapeText(part(whole, this.#delimiters.subcomponent, subcomponent - 1), this.#delimiters);
  }

  #component(field: number, component: number, repetition: number): string {
    const one =
      repetition === 0
        ? part(this.field(field), this.#delimiters.repetition, 0)
        : (this.repetitions(field)[repetition] ?? '');
    return part(one, this.#delimiters.component, component - 1);
  }
}

/** A parsed message: immutable, in the order in which it was sent. */
export class Message {
  /** The whole message as decoded. */
  readonly text: string;
  readonly delimiters: Delimiters;
  readonly all: readonly Segment[];
  readonly header: Segment;

  constructor(text: string, delimiters: Delimiters, header: Segment, all: readonly Segment[]) {
    this.text = text;
    this.delimiters = delimiters;
    this.header = header;
    this.all = all;
  }

  segments(name: string): Segment[] {
    return this.all.filter((segment) => segment.name === name);
  }

  segment(name: string): Segment | undefined {
    return this.all.find((segment) => segment.name === name);
  }
}

/**
 * Parses the text of one message, whose segments may end in CR, LF, CRLF or any mixture. A line that does not look like a
 * segment continues the field before it (senders leave raw line breaks in OBX-5); after MSH it is dropped, since a header
 * has no text to continue. Null where the text does not begin with a readable MSH.
 */
export function parseMessage(text: string): Message | null {
  const start = text.search(/[^\s\v\uFEFF]/);
  const name = text.slice(start, start + 3);
  const delimiters = start >= 0 && name.toUpperCase() === 'MSH' ? readDelimiters(text.slice(start, start + 20)) : null;
  if (delimiters === null) return null;
  const segments: Segment[] = [];
  for (const { name, lines } of groupLines(text.slice(start).split(/\r\n|\r|\n/), delimiters.field)) {
    segments.push(new Segment(name, lines.join('\n'), delimiters));
  }
  const header = segments[0];
  return header === undefined ? null : new Message(text, delimiters, header, segments);
}

interface LineGroup {
  name: string;
  lines: string[];
}

/** Each segment's line with the lines that continue it; blank lines count only between lines of text. */
function groupLines(lines: string[], fieldSeparator: string): LineGroup[] {
  const groups: LineGroup[] = [];
  let last: LineGroup = { name: '', lines: [] };
  let blanks = 0;
  for (const line of lines) {
    const name = segmentName(line, fieldSeparator, last.name);
    if (name !== null) {
      last = { name, lines: [line.trimStart()] };
      groups.push(last);
    } else if (isBlank(line)) {
      blanks += 1;
      continue;
    } else if (last.name !== 'MSH') {
      if (blanks > 0) last.lines.push('\n'.repeat(blanks - 1));
      last.lines.push(line);
    }
    blanks = 0;
  }
  return groups;
}

/** Names that are recognised in lower case too; any other lower-case word before a separator is text. */
const COMMON_NAMES = new Set(
  'MSH EVN PID PD1 PV1 PV2 MRG NK1 DG1 DRG PR1 IN1 IN2 IN3 GT1 AL1 OBR OBX ORC NTE TXA ROL ACC UB1 UB2 SFT ZBE'.split(
    ' ',
  ),
);

function segmentName(line: string, fieldSeparator: string, previous: string): string | null {
  const name = /^[ \t]*([A-Za-z][A-Za-z0-9]{2})/.exec(line)?.[1];
  if (name === undefined) return null;
  const rest = line.trimStart().slice(3);
  const upper = name.toUpperCase();
  if (rest.startsWith(fieldSeparator)) return name === upper || COMMON_NAMES.has(upper) ? upper : null;
  // A segment without any field; in wrapped text it is a word.
  return rest.trim() === '' && name === upper && previous !== 'OBX' && previous !== 'NTE' ? name : null;
}

function isBlank(line: string): boolean {
  return !/[^\s\p{Cc}]/u.test(line);
}

/** The part at an index (from 0) without making the others, since most reading asks for one. */
function part(text: string, separator: string, index: number): string {
  if (separator === '') return index === 0 ? text : '';
  let start = 0;
  for (let passed = 0; passed < index; passed += 1) {
    const at = text.indexOf(separator, start);
    if (at < 0) return '';
    start = at + 1;
  }
  const end = text.indexOf(separator, start);
  return end < 0 ? text.slice(start) : text.slice(start, end);
}

function divide(text: string, separator: string): string[] {
  if (text === '') return [];
  return separator === '' ? [text] : text.split(separator);
}

/** A component: text, or a list of subcomponents. */
export type ComponentValue = string | readonly string[];
/** A repetition: text, or a list of components. */
export type RepetitionValue = string | readonly ComponentValue[];
/** A field: text, or a list of repetitions. */
export type FieldValue = string | readonly RepetitionValue[];

/** A segment to write: its fields by number, so that nobody counts separators. MSH-1 and MSH-2 are written by themselves. */
export interface SegmentValue {
  name: string;
  fields: Readonly<Record<number, FieldValue>>;
}

/** Writes a message with CR after each segment. All text is escaped, so that `parseMessage` gives it back as it was. */
export function encodeMessage(segments: readonly SegmentValue[], delimiters = STANDARD_DELIMITERS): string {
  return segments.map((segment) => `${encodeSegment(segment, delimiters)}\r`).join('');
}

function encodeSegment({ name, fields }: SegmentValue, delimiters: Delimiters): string {
  const isHeader = name === 'MSH';
  const first = isHeader ? 3 : 1;
  const last = Math.max(first - 1, ...Object.keys(fields).map(Number));
  const texts = [isHeader ? name + delimiters.field + encodingCharacters(delimiters) : name];
  for (let field = first; field <= last; field += 1) texts.push(encodeField(fields[field] ?? '', delimiters));
  // The separator tells a segment without fields from a word of text.
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
