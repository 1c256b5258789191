/**
 * HL7 time stamps: `YYYYMMDD[HH[MM[SS[.S…]]]][+/-ZZZZ]` (HL7 v2.5.1, 2.A.22 DTM and 2.A.77 TS).
 */

import { instantOfLocal, localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Moment } from './adt-facts.ts';

/** A moment, or why there is none; both null where the field is empty. The problem never quotes the value. */
export interface MomentReading {
  moment: Moment | null;
  problem: string | null;
}

const STAMP =
  /^(\d{4})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})\d*)?)?)?)?)?(?:\.\d*)?(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?$/;
const EARLIEST_MOMENT = 1900;
const EARLIEST_BIRTH = 1850;
const LATEST = 2199;
const NOTHING: MomentReading = { moment: null, problem: null };

/**
 * Reads a time stamp. An offset in it is honoured; without one it is local time of `timeZone`, see `zone.ts` for the hour of
 * a clock change. A day alone has no offset: it is the day at the facility, from local midnight. A year or a month is no moment.
 * Digits after the seconds are dropped. '' and '""' (delete) read as nothing: telling them apart is up to the caller.
 */
export function readMoment(value: string, timeZone: string): MomentReading {
  const text = value.trim();
  if (text === '' || text === '""' || /^0+$/.test(text)) return NOTHING;
  const [, year, month, day, hour, minute, second, offset] = STAMP.exec(text) ?? [];
  if (year === undefined) return refused('is not an HL7 time');
  if (month === undefined || day === undefined) return refused('names no day');
  const parts = [year, month, day, hour ?? 0, minute ?? 0, second ?? 0].map(Number) as Clock;
  const local = utcOf(parts);
  if (local === null) return refused('is no date or time that exists');
  if (parts[0] < EARLIEST_MOMENT || parts[0] > LATEST) return refused('is out of range');
  const precision = hour === undefined ? 'day' : second === undefined ? 'minute' : 'second';
  if (precision === 'day') {
    return found({ instant: isoOf(instantOfLocal(local, timeZone)), localDate: `${year}-${month}-${day}`, precision });
  }
  const instant = offset === undefined ? instantOfLocal(local, timeZone) : local - offsetOf(offset);
  return found({ instant: isoOf(instant), localDate: localDateOf(instant, timeZone), precision });
}

/** The calendar day of birth as YYYY-MM-DD; null where it is empty, a year or month only, impossible or a placeholder. */
export function readBirthDate(value: string): string | null {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})/.exec(value.trim()) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const exists = utcOf([Number(year), Number(month), Number(day), 0, 0, 0]) !== null;
  return exists && Number(year) >= EARLIEST_BIRTH && Number(year) <= LATEST ? `${year}-${month}-${day}` : null;
}

type Clock = [year: number, month: number, day: number, hour: number, minute: number, second: number];

/** Null where there is no such day or time of day: 31 February, 25 o'clock. */
function utcOf([year, month, day, hour, minute, second]: Clock): number | null {
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const same =
    time.getUTCFullYear() === year &&
    time.getUTCMonth() === month - 1 &&
    time.getUTCDate() === day &&
    time.getUTCHours() === hour &&
    time.getUTCMinutes() === minute &&
    time.getUTCSeconds() === second;
  return same ? time.getTime() : null;
}

function offsetOf(text: string): number {
  if (text === 'Z') return 0;
  const size = Number(text.slice(1, 3)) * 3_600_000 + Number(text.slice(-2)) * 60_000;
  return text.startsWith('-') ? -size : size;
}

function isoOf(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

function found(moment: Moment): MomentReading {
  return { moment, problem: null };
}

function refused(problem: string): MomentReading {
  return { moment: null, problem };
}
