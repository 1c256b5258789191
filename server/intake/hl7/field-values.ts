/**
 * Field values: trimmed text, `undefined` for an empty field (no change), or `null` for two double quotes, by which the sender deletes the
 * value (HL7 v2.5.1, 2.5.3).
 */
import type { Moment } from './adt-facts.ts';
import type { Segment } from './message.ts';
import { readMoment, type SeenOrder, type TimeRules } from './time.ts';

/** Ends the reason why a message that only its sender can correct is in quarantine. */
export const ASK_SENDER = 'Ask the sender to correct and resend the message.';

/** A new value, a deletion (null) or no change (undefined). */
export type Update<T> = T | null | undefined;

/** What reading needs besides the segments. Warnings name segment and field, never a value. */
export interface ReadingContext extends TimeRules {
  warn: (warning: string) => void;
  /** Called for each date with the year last. */
  see: (order: SeenOrder) => void;
}

export function textOf(segment: Segment, field: number, component = 1, repetition = 0): Update<string> {
  return readValue(segment.component(field, component, repetition));
}

/**
 * Returns the namespace of a hierarchic designator (HD: namespace & universal ID & type), else its universal ID, else null. An ampersand
 * between blanks is text that wasn't escaped, such as "MED & SURG".
 */
export function designatorOf(segment: Segment, field: number, component = 1, repetition = 0): string | null {
  const whole = textOf(segment, field, component, repetition);
  if (whole?.includes(' & ')) return whole;
  const part = (subcomponent: number) => readValue(segment.subcomponent(field, component, subcomponent, repetition));
  return part(1) ?? part(2) ?? null;
}

/** Returns whether the sender deletes the whole field. */
export function isDeleted(segment: Segment, field: number): boolean {
  return segment.field(field).trim() === '""';
}

/** Returns a time; an unreadable one is undefined, with a warning. */
export function momentOf(segment: Segment, field: number, context: ReadingContext): Update<Moment> {
  if (isDeleted(segment, field)) return null;
  const { moment, problem, seen } = readMoment(segment.component(field), context);
  if (seen !== undefined) context.see(seen);
  if (problem !== null) context.warn(`${segment.name}-${field} ${problem}`);
  return moment ?? undefined;
}

/** Returns a component's text as a value: control characters, except line ends, become blanks. */
export function valueOf(component: string): string {
  return component.replace(/[^\P{Cc}\n]+/gu, ' ').trim();
}

function readValue(component: string): Update<string> {
  const text = valueOf(component);
  if (text === '') return undefined;
  return text === '""' ? null : text;
}
