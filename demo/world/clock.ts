/**
 * Local time in the region's two zones, by the US daylight saving rule since 2007 (second Sunday of March to first Sunday of November,
 * at 2 a.m.). It does not use Intl, which is slow and which the product itself relies on. Instants are milliseconds since 1970.
 */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export type Zone = 'America/New_York' | 'America/Chicago';
const STANDARD_OFFSET: Record<Zone, number> = { 'America/New_York': -5 * HOUR, 'America/Chicago': -6 * HOUR };

function sundayOf(year: number, month: number, which: number): number {
  const firstWeekday = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return Date.UTC(year, month, 1 + ((7 - firstWeekday) % 7) + 7 * (which - 1));
}

const daylightSavingByYear = new Map<number, { start: number; end: number }>();
/** Returns the start and the end of daylight saving in the year, in the zone's standard time as if that were UTC. */
function daylightSavingOf(year: number): { start: number; end: number } {
  let period = daylightSavingByYear.get(year);
  if (!period) {
    period = { start: sundayOf(year, 2, 2) + 2 * HOUR, end: sundayOf(year, 10, 1) + HOUR };
    daylightSavingByYear.set(year, period);
  }
  return period;
}

/** Returns the zone's offset from UTC at the instant, in milliseconds (negative in America). */
function zoneOffset(instant: number, zone: Zone): number {
  const standard = instant + STANDARD_OFFSET[zone];
  const period = daylightSavingOf(new Date(standard).getUTCFullYear());
  const isDaylightSaving = standard >= period.start && standard < period.end;
  return STANDARD_OFFSET[zone] + (isDaylightSaving ? HOUR : 0);
}

/** True in the two hours of fall whose local times are the same, unless the sender adds an offset. */
export function isAmbiguous(instant: number, zone: Zone): boolean {
  const standard = instant + STANDARD_OFFSET[zone];
  const { end } = daylightSavingOf(new Date(standard).getUTCFullYear());
  return standard >= end - HOUR && standard < end + HOUR;
}

const two = (value: number) => String(value).padStart(2, '0');

/** Returns an HL7 v2 TS: YYYYMMDDHHMM, optionally with seconds and the offset. */
export function hl7Time(instant: number, zone: Zone, form: { seconds: boolean; offset: boolean }): string {
  const offset = zoneOffset(instant, zone);
  const local = new Date(instant + offset);
  const date = `${local.getUTCFullYear()}${two(local.getUTCMonth() + 1)}${two(local.getUTCDate())}`;
  const time = two(local.getUTCHours()) + two(local.getUTCMinutes()) + (form.seconds ? two(local.getUTCSeconds()) : '');
  return date + time + (form.offset ? `-${two(-offset / HOUR)}00` : '');
}

/** Returns the calendar day at the facility, YYYY-MM-DD. */
export function localDate(instant: number, zone: Zone): string {
  return new Date(instant + zoneOffset(instant, zone)).toISOString().slice(0, 10);
}

/** Returns the instant to the minute, ISO 8601 in UTC ('2026-03-04T15:42:00Z'): the form of event times in the truth. */
export function toMinute(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 16)}:00Z`;
}
