/** Converts between local time and UTC with the IANA time zone database in Intl. */
import { DAY, HOUR, MINUTE } from '#contract/durations.ts';

const QUARTER_HOUR = 15 * 60_000;
const MAX_CACHED = 20_000;

interface Zone {
  format: Intl.DateTimeFormat;
  /** Offsets in milliseconds by quarter of an hour: since about 1900, no zone has changed its offset at any other time. */
  offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();

/**
 * Returns the instant (milliseconds since 1970) of a local time, which is passed as if it were UTC. A time skipped in spring has
 * the offset before the change (02:30 becomes 03:30); a time that occurs twice in fall is the first of the two. Throws RangeError
 * for an unknown zone.
 */
export function instantOfLocal(localAsUtc: number, timeZone: string): number {
  const zone = zoneOf(timeZone);
  const before = offsetAt(localAsUtc - DAY, zone);
  const after = offsetAt(localAsUtc + DAY, zone);
  if (before === after || offsetAt(localAsUtc - before, zone) === before) return localAsUtc - before;
  return offsetAt(localAsUtc - after, zone) === after ? localAsUtc - after : localAsUtc - before;
}

/** Returns the local calendar day (YYYY-MM-DD) of an instant. Throws RangeError for an unknown zone. */
export function localDateOf(instant: number, timeZone: string): string {
  return new Date(instant + offsetAt(instant, zoneOf(timeZone))).toISOString().slice(0, 10);
}

/** Returns the local time of an instant, as YYYY-MM-DDThh:mm:ss. Throws RangeError for an unknown zone. */
export const localTimeOf = (instant: number, timeZone: string): string =>
  new Date(instant + offsetAt(instant, zoneOf(timeZone))).toISOString().slice(0, 19);

/** Returns the local calendar day of an instant as days since 1970-01-01, for counting days. Throws RangeError for an unknown zone. */
export const localDayOf = (instant: number, timeZone: string): number =>
  Math.floor((instant + offsetAt(instant, zoneOf(timeZone))) / DAY);

/** Returns the local hour of an instant, 0 to 23. Throws RangeError for an unknown zone. */
export const localHourOf = (instant: number, timeZone: string): number => {
  const local = instant + offsetAt(instant, zoneOf(timeZone));
  return Math.floor((local - Math.floor(local / DAY) * DAY) / HOUR);
};

/** Whether the clock shows this time twice on that day: in the US it goes back from 2 to 1 AM in fall. */
export const isTwice = (instant: number, timeZone: string): boolean =>
  localHourOf(instant, timeZone) === 1 && [-HOUR, HOUR].some((by) => localHourOf(instant + by, timeZone) === 1);

const nameFormats = new Map<string, Intl.DateTimeFormat>();

/** Returns the name of a zone at that time, or now: "ET" (shortGeneric), "EST" (short). */
export function zoneNameAt(
  instant: number | undefined,
  timeZone: string,
  timeZoneName: 'short' | 'shortGeneric',
): string {
  const key = `${timeZoneName} ${timeZone}`;
  const format = nameFormats.get(key) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName });
  nameFormats.set(key, format);
  return format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** Returns the short name of a zone in summer and winter, as pages show it: "ET". */
export const zoneNameOf = (timeZone: string): string => zoneNameAt(undefined, timeZone, 'shortGeneric');

function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  const zone = { format, offsets: new Map<number, number>() };
  zones.set(name, zone);
  return zone;
}

function offsetAt(instant: number, zone: Zone): number {
  const quarter = Math.floor(instant / QUARTER_HOUR);
  const known = zone.offsets.get(quarter);
  if (known !== undefined) return known;
  const name = zone.format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes, seconds] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
  const size = Number(hours ?? 0) * HOUR + Number(minutes ?? 0) * MINUTE + Number(seconds ?? 0) * 1000;
  const offset = sign === '-' ? -size : size;
  if (zone.offsets.size >= MAX_CACHED) zone.offsets.clear();
  zone.offsets.set(quarter, offset);
  return offset;
}
