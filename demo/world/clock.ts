/**
 * Local time of the two zones of the region, by the rule that the United States have had since 2007 (second Sunday of March to
 * first Sunday of November, at 2 a.m.). Written here and not asked of Intl, which is slow and which the product itself uses.
 * Instants are milliseconds since 1970.
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

const summers = new Map<number, { start: number; end: number }>();
/** Start and end of daylight saving as if UTC were the zone's standard time. */
function summerOf(year: number): { start: number; end: number } {
  let summer = summers.get(year);
  if (!summer) {
    summer = { start: sundayOf(year, 2, 2) + 2 * HOUR, end: sundayOf(year, 10, 1) + HOUR };
    summers.set(year, summer);
  }
  return summer;
}

/** Milliseconds that the zone is ahead of UTC at the instant (negative in America). */
export function zoneOffset(instant: number, zone: Zone): number {
  const standard = instant + STANDARD_OFFSET[zone];
  const summer = summerOf(new Date(standard).getUTCFullYear());
  const isSummer = standard >= summer.start && standard < summer.end;
  return STANDARD_OFFSET[zone] + (isSummer ? HOUR : 0);
}

/** True in the two hours of autumn whose local times a sender without offsets cannot tell apart. */
export function isAmbiguous(instant: number, zone: Zone): boolean {
  const standard = instant + STANDARD_OFFSET[zone];
  const { end } = summerOf(new Date(standard).getUTCFullYear());
  return standard >= end - HOUR && standard < end + HOUR;
}

const two = (value: number) => String(value).padStart(2, '0');

/** HL7 v2 TS: YYYYMMDDHHMM, with seconds and the offset where asked for. */
export function hl7Time(instant: number, zone: Zone, form: { seconds: boolean; offset: boolean }): string {
  const offset = zoneOffset(instant, zone);
  const local = new Date(instant + offset);
  const date = `${local.getUTCFullYear()}${two(local.getUTCMonth() + 1)}${two(local.getUTCDate())}`;
  const time = two(local.getUTCHours()) + two(local.getUTCMinutes()) + (form.seconds ? two(local.getUTCSeconds()) : '');
  return date + time + (form.offset ? `-${two(-offset / HOUR)}00` : '');
}

/** The calendar day at the facility, YYYY-MM-DD. */
export function localDate(instant: number, zone: Zone): string {
  return new Date(instant + zoneOffset(instant, zone)).toISOString().slice(0, 10);
}

/** The instant to the minute, ISO 8601 in UTC ('2026-03-04T15:42:00Z'): how the truth names the time of an event. */
export function toMinute(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 16)}:00Z`;
}
