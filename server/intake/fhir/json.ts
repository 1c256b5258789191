/**
 * JSON from anyone, and its values. Nothing but an object's own properties is read, so that a key such as `__proto__` is a key like any
 * other. A value that is empty, or absent with a reason (`_name` with data-absent-reason), is undefined.
 */

import { LONGEST_COMPONENT, LONGEST_TEXT } from '#server/intake/hl7/field-limits.ts';
import { ASK_SENDER, valueOf } from '#server/intake/hl7/field-values.ts';
import { MOST_BYTES, MOST_DEPTH, MOST_REPETITIONS, MOST_VALUES } from './limits.ts';
import { NoMessage, Unusable } from './unreadable.ts';

/** A JSON object. */
export type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Returns the object that the bytes are. Errors: NoMessage. */
export function parseObject(bytes: Uint8Array): Node {
  if (bytes.length > MOST_BYTES) throw new NoMessage(`The message is larger than ${MOST_BYTES / 1024 / 1024} MB.`);
  limit(bytes);
  let parsed: unknown;
  try {
    parsed = JSON.parse(textOf(bytes));
  } catch (error) {
    if (error instanceof NoMessage) throw error;
    throw new NoMessage(`The body is not valid JSON${placeIn(error)}.`);
  }
  if (!isNode(parsed)) throw new NoMessage('The body is no JSON object, so it is no FHIR resource.');
  return parsed;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new NoMessage('The body is not UTF-8, in which FHIR is sent.');
  }
}

/** V8's message quotes the text, which is patient data: only the place is taken from it. */
function placeIn(error: unknown): string {
  const [, line, column] =
    /\(line (\d{1,9}) column (\d{1,9})\)$/.exec(error instanceof Error ? error.message : '') ?? [];
  return line === undefined ? '' : ` (line ${line}, column ${column})`;
}

/** Counts what parsing would make, before it makes it. Errors: NoMessage. */
function limit(bytes: Uint8Array): void {
  let values = 0;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA) values += 1;
    else if (OPENING.has(byte)) {
      values += 1;
      depth += 1;
    } else if (CLOSING.has(byte)) depth -= 1;
    if (depth > MOST_DEPTH) throw new NoMessage(`The body is nested more than ${MOST_DEPTH} levels deep.`);
    if (values > MOST_VALUES) throw new NoMessage('The body has too many values.');
  }
}

/** Returns a property's value of any type. */
export const property = (node: Node | undefined, name: string): unknown =>
  node !== undefined && Object.hasOwn(node, name) ? node[name] : undefined;

/** Returns the objects of a property, which may be a list or a single one. Errors: Unusable for too many. */
export function list(node: Node | undefined, name: string, most = MOST_REPETITIONS): readonly Node[] {
  const value = property(node, name);
  if (!Array.isArray(value)) return isNode(value) ? [value] : [];
  if (value.length > most) throw new Unusable(`An element ${name} repeats more than ${most} times. ${ASK_SENDER}`);
  return value.filter(isNode);
}

/** Returns the first object of a property. */
export const object = (node: Node | undefined, name: string): Node | undefined => list(node, name)[0];

/** Returns a property's text. Errors: Unusable for one that is too long. */
export function text(node: Node | undefined, name: string, longest = LONGEST_COMPONENT): string | undefined {
  return clean(property(node, name), name, longest);
}

/** Returns a property's text that people write. */
export const prose = (node: Node | undefined, name: string): string | undefined => text(node, name, LONGEST_TEXT);

/** Returns the texts of a list. Errors: as `text` and `list`. */
export function texts(node: Node | undefined, name: string): string[] {
  const value = property(node, name);
  const all: unknown[] = Array.isArray(value) ? value : [value];
  if (all.length > MOST_REPETITIONS)
    throw new Unusable(`An element ${name} repeats more than ${MOST_REPETITIONS} times. ${ASK_SENDER}`);
  return all.flatMap((each) => clean(each, name, LONGEST_COMPONENT) ?? []);
}

function clean(value: unknown, name: string, longest: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.length > longest)
    throw new Unusable(`An element ${name} has more than ${longest} characters. ${ASK_SENDER}`);
  // A lone surrogate is no character, and the database takes none.
  return valueOf(value.toWellFormed()) || undefined;
}
