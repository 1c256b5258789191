/** A message as segments of raw text, split further only on demand (HL7 v2.5.1, 2.5). */
import { type Delimiters, readDelimiters } from './delimiters.ts';
import { unescapeText } from './escape.ts';

/** One segment. Fields, components and subcomponents are numbered from 1 as in the standard, repetitions from 0. */
export class Segment {
  readonly name: string;
  /** The segment as sent, without its line end. A line break inside is text that the sender wrapped. */
  readonly raw: string;
  readonly #delimiters: Delimiters;
  readonly #fields: string[];
  /** The field read last: callers read a field's repetitions one by one, and there can be thousands. */
  #divided: { field: number; repetitions: string[] } | null = null;

  constructor(name: string, raw: string, delimiters: Delimiters) {
    this.name = name;
    this.raw = raw;
    this.#delimiters = delimiters;
    this.#fields = raw.split(delimiters.field);
    // MSH-1 is the field separator itself.
    if (name === 'MSH') this.#fields.splice(1, 0, delimiters.field);
  }

  /** Returns the raw text of a field; '' if the segment is shorter. */
  field(field: number): string {
    return this.#fields[field] ?? '';
  }

  /** Returns whether any field has a letter or digit; the first one only numbers the segments of a name. */
  hasValues(): boolean {
    return this.#fields.slice(2).some((text) => /[\p{L}\p{N}]/u.test(text));
  }

  /** Returns the raw repetitions of a field; none if it is empty. */
  repetitions(field: number): readonly string[] {
    if (this.#divided?.field !== field) {
      this.#divided = { field, repetitions: divide(this.field(field), this.#delimiters.repetition) };
    }
    return this.#divided.repetitions;
  }

  /** Returns an unescaped component. Its subcomponents aren't split, because texts often contain an unescaped `&`. */
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

/** A parsed message. Immutable, with its segments in order. */
export class Message {
  /** The whole decoded message. */
  readonly text: string;
  readonly delimiters: Delimiters;
  readonly all: readonly Segment[];
  readonly header: Segment;
  /** Whether lines beyond `MOST_LINES` were left unread. */
  readonly isCut: boolean;

  constructor(text: string, delimiters: Delimiters, all: readonly [Segment, ...Segment[]], isCut: boolean) {
    this.text = text;
    this.delimiters = delimiters;
    this.header = all[0];
    this.all = all;
    this.isCut = isCut;
  }

  segments(name: string): Segment[] {
    return this.all.filter((segment) => segment.name === name);
  }

  segment(name: string): Segment | undefined {
    return this.all.find((segment) => segment.name === name);
  }
}

/** More than any message needs, also one with a document in raw lines. Millions of empty segments would hold up the other senders. */
export const MOST_LINES = 100_000;

/**
 * Parses the text of one message, at most `MOST_LINES` of it. Segments can end in CR, LF or CRLF. A line that doesn't look like a segment continues the field before
 * it (senders leave raw line breaks in OBX-5); after MSH it is dropped, because a header has no text to continue. Returns null if the text
 * doesn't begin with a readable MSH.
 */
export function parseMessage(text: string): Message | null {
  const start = text.search(/[^\s\v\uFEFF]/);
  const name = text.slice(start, start + 3);
  const delimiters = start >= 0 && name.toUpperCase() === 'MSH' ? readDelimiters(text.slice(start, start + 20)) : null;
  if (delimiters === null) return null;
  const found = text.slice(start).split(/\r\n|\r|\n/, MOST_LINES + 1);
  const [header, ...segments] = groupLines(found.slice(0, MOST_LINES), delimiters.field).map(
    ({ name, lines }) => new Segment(name, lines.join('\n'), delimiters),
  );
  return header === undefined ? null : new Message(text, delimiters, [header, ...segments], found.length > MOST_LINES);
}

interface LineGroup {
  name: string;
  lines: string[];
}

/** Returns each segment's line with the lines that continue it. Blank lines count only between lines of text. */
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

/** Segment names that are recognized in lower case too; any other lower-case word before a separator is text. */
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
  // A segment without fields. In wrapped text, it is a word.
  return rest.trim() === '' && name === upper && previous !== 'OBX' && previous !== 'NTE' ? name : null;
}

function isBlank(line: string): boolean {
  return !/[^\s\p{Cc}]/u.test(line);
}

/** Returns the part at an index (from 0) without splitting the rest, because most callers need only one part. */
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
