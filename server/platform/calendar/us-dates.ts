/** Dates in words that people read: MM/DD/YYYY and MM/DD/YYYY hh:mm AM, as the specification has them, never shorter. */
import { isTwice, localTimeOf, zoneNameAt } from './time-zone.ts';

/** Returns MM/DD/YYYY for a day (YYYY-MM-DD). */
export const usDay = (day: string): string => `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}`;

/** Returns hh:mm AM for an instant (milliseconds since 1970) in the time zone. */
export function usTime(at: number, timeZone: string): string {
  const local = localTimeOf(at, timeZone);
  const hour = Number(local.slice(11, 13));
  return `${String(hour % 12 || 12).padStart(2, '0')}:${local.slice(14, 16)} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** Returns the short name of a time zone at that time: "ET", or "EST" in the hour that comes twice in fall. */
export const usZone = (at: number, timeZone: string): string =>
  zoneNameAt(at, timeZone, isTwice(at, timeZone) ? 'short' : 'shortGeneric');

/** Returns MM/DD/YYYY for a day (YYYY-MM-DD), and MM/DD/YYYY hh:mm AM for an instant (ISO 8601), in the time zone, with its name in the hour that comes twice in fall; '' for null. */
export function usDate(value: string | null | undefined, timeZone: string): string {
  if (!value) return '';
  if (value.length === 10) return usDay(value);
  const at = Date.parse(value);
  const time = `${usDay(localTimeOf(at, timeZone))} ${usTime(at, timeZone)}`;
  return isTwice(at, timeZone) ? `${time} ${usZone(at, timeZone)}` : time;
}
