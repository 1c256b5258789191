/** The basic schemas that all other schemas are built from. */
import { z } from 'zod';
import { ENTRY_LIMITS } from './entry-limits.ts';

/** The largest bigint. Ids of the same length can be compared as text, and the patterns below reject longer ones. */
const LARGEST_ID = '9223372036854775807';
const fitsBigint = (digits: string): boolean => digits.length < LARGEST_ID.length || digits <= LARGEST_ID;

/** A database id: a bigint, as a string in JSON. */
export const id = z
  .string()
  .regex(/^[1-9]\d{0,18}$/, 'Must be a whole number.')
  .refine(fitsBigint, 'Must be a whole number.');
/** The acting team in the query of a download, for clients that cannot set the header TEAM_HEADER, such as a link. */
export const teamOfDownload = { teamId: id.optional() };
/** ISO 8601 instant with offset, e.g. 2026-11-21T15:42:00Z. */
export const instant = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/,
    'Must be an ISO 8601 date and time with an offset.',
  );
/** An instant that a caller sends: one that exists, with an offset that exists. 2026-02-30 would pass the pattern above. */
export const realInstant = instant.refine(isReal, 'Must be a date and time that exists.');
/** A calendar day, YYYY-MM-DD. */
export const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'Must be a date as YYYY-MM-DD.');
/** A day that exists: 2026-02-30 would pass the pattern above. */
export const realDay = day.refine(isReal, 'Must be a date that exists.');
/** An instant, or a day if the source gave no time of day (manual facilities). */
export const instantOrDay = z.union([instant, day]);
/** Characters that turn the direction of the text around them, so that it reads as something else than it is. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/;
const UNREADABLE = 'Contains an unreadable character.';

/** Text that looks empty but is not, such as a zero-width space alone, is as unreadable as a control character. */
const isReadable = (text: string): boolean =>
  text.isWellFormed() &&
  !/\p{Cc}/u.test(text) &&
  !TURNING.test(text) &&
  (!/\p{Cf}/u.test(text) || /[^\p{Cf}\p{Z}]/u.test(text));

/** Text on one line, as people enter it: without control characters, which neither names nor the database can hold. */
export const plainText = (max: number, tooLong?: string) => z.string().max(max, tooLong).refine(isReadable, UNREADABLE);
/** Text that mails repeat to people who don't know its author: on one line, and nothing that mail programs turn into a link. */
export const mailedText = (text: z.ZodString) =>
  text.refine(isReadable, UNREADABLE).refine((given) => !/:\/\/|www\./i.test(given), "Don't include a web address.");
/** Text on several lines, as people enter it: without control characters except tabs and ends of lines. */
export const longText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => isReadable(text.replace(/[\t\n\r]/g, ' ')), UNREADABLE);
/** A US ZIP code of five or nine digits, or nothing. */
export const zipCode = plainText(ENTRY_LIMITS.zip)
  .trim()
  .refine((text) => text === '' || /^\d{5}(-?\d{4})?$/.test(text), 'Not a ZIP code. Use 5 or 9 digits.');
/** `{rosterPatientId}_{encounterId}`; the second part is 0 for a patient without an encounter. */
export const patientId = z
  .string()
  .regex(/^[1-9]\d{0,18}_(0|[1-9]\d{0,18})$/, 'Must be two numbers joined by _.')
  .refine((text) => text.split('_').every(fitsBigint), 'Must be two numbers joined by _.');

export function isReal(text: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.match(/\d+/g)?.map(Number) ?? [];
  const [, offsetHours = '0', offsetMinutes = '0'] = /[+-](\d\d):(\d\d)$/.exec(text) ?? [];
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isDate = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= lastDay;
  // Without seconds, the third number of the time is the offset's.
  const isTime = hour <= 23 && minute <= 59 && (second <= 59 || !/:\d\d:\d\d/.test(text));
  return isDate && isTime && Number(offsetHours) <= 14 && Number(offsetMinutes) <= 59;
}
