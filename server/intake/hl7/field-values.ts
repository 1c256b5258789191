/**
 * Fields as facts see them: `undefined` where the sender is silent, `null` where it deletes the value by two double quotes
 * (HL7 v2.5.1, 2.5.3), else trimmed text.
 */
import type { Moment } from './adt-facts.ts';
import type { Segment } from './message.ts';
import { readMoment } from './time.ts';

export type Said<T> = T | null | undefined;

/** What reading a message needs beside its segments. Warnings name segment and field, never a value. */
export interface ReadingContext {
  timeZone: string;
  warn: (warning: string) => void;
}

export function textOf(segment: Segment, field: number, component = 1, repetition = 0): Said<string> {
  return said(segment.component(field, component, repetition));
}

/** The namespace of a hierarchic designator (HD: name & universal id & type), or its universal id. Null where it has neither. */
export function designatorOf(segment: Segment, field: number, component = 1, repetition = 0): string | null {
  const part = (subcomponent: number) => said(segment.subcomponent(field, component, subcomponent, repetition));
  return part(1) ?? part(2) ?? null;
}

/** Whether the whole field is deleted. */
export function isDeleted(segment: Segment, field: number): boolean {
  return segment.field(field).trim() === '""';
}

/** A time that cannot be read counts as silence, with a warning. */
export function momentOf(segment: Segment, field: number, { timeZone, warn }: ReadingContext): Said<Moment> {
  if (isDeleted(segment, field)) return null;
  const { moment, problem } = readMoment(segment.component(field), timeZone);
  if (problem !== null) warn(`${segment.name}-${field} ${problem}`);
  return moment ?? undefined;
}

function said(component: string): Said<string> {
  const text = component.trim();
  if (text === '') return undefined;
  return text === '""' ? null : text;
}
