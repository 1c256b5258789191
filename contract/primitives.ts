/** The small schemas that every domain's schema is made of. */
import { z } from 'zod';

/** Numbers of the same length compare as text; a longer one than this does not pass the patterns below. */
const LARGEST_ID = '9223372036854775807';
const fitsBigint = (digits: string): boolean => digits.length < LARGEST_ID.length || digits <= LARGEST_ID;

/** A database identity: a bigint, written as a string in JSON. */
export const id = z
  .string()
  .regex(/^[1-9]\d{0,18}$/, 'an id is a whole number')
  .refine(fitsBigint, 'an id is a whole number');
/** ISO 8601 instant with offset, e.g. 2026-11-21T15:42:00Z. */
export const instant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/, 'an instant is ISO 8601');
/** A calendar day, YYYY-MM-DD. */
export const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'a day is YYYY-MM-DD');
/** An instant, or a day where the source gave no time of day (manual facilities). */
export const instantOrDay = z.union([instant, day]);
/** `{rosterPatientId}_{encounterId}`; the encounter part is 0 while there is none. */
export const patientId = z
  .string()
  .regex(/^[1-9]\d{0,18}_(0|[1-9]\d{0,18})$/, 'a patient id is two numbers joined by _')
  .refine((text) => text.split('_').every(fitsBigint), 'a patient id is two numbers joined by _');
