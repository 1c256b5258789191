/** HL7 timestamps: `YYYYMMDD[HH[MM[SS[.S…]]]][+/-ZZZZ]` (HL7 v2.5.1, 2.A.22 DTM and 2.A.77 TS). */

import { instantOfLocal, localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Moment } from './adt-facts.ts';

/** A moment, or the problem with the value; both are null for an empty field. The problem never quotes the value. */
interface MomentReading {
  moment: Moment | null;
  problem: string | null;
}

const STAMP =
  /^(\d{4})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})\d*)?)?)?)?)?(?:\.\d*)?(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?$/;
/** Events before this year are mistakes. */
export const EARLIEST_MOMENT = 1900;
const EARLIEST_BIRTH = 1850;
const LATEST = 2199;
const EMPTY: MomentReading = { moment: null, problem: null };

/**
 * Reads a timestamp. Without an offset it is local time in `timeZone`; `platform/calendar/time-zone.ts` says what that means during a clock
 * change. A day without a time starts at local midnight, whatever its offset. A year or month alone is a problem. Fractions of a second are
 * dropped. '' and '""' (delete) both read as empty; the caller tells them apart.
 */
export function readMoment(value: string, timeZone: string): MomentReading {
  const text = value.trim();
  if (text === '' || text === '""' || /^0+$/.test(text)) return EMPTY;
  const [, year, month, day, hour, minute, second, offset] = STAMP.exec(text) ?? [];
  if (year === undefined) return problem("isn't an HL7 timestamp");
  if (month === undefined || day === undefined) return problem('has no day');
  const parts = [year, month, day, hour ?? 0, minute ?? 0, second ?? 0].map(Number) as Clock;
  const local = utcOf(parts);
  if (local === null) return problem("isn't a valid date or time");
  if (parts[0] < EARLIEST_MOMENT || parts[0] > LATEST) return problem('is out of range');
  const precision = hour === undefined ? 'day' : second === undefined ? 'minute' : 'second';
  if (precision === 'day') {
    return found({ instant: isoOf(instantOfLocal(local, timeZone)), localDate: `${year}-${month}-${day}`, precision });
  }
  const instant = offset === undefined ? instantOfLocal(local, timeZone) : local - offsetOf(offset);
  return found({ instant: isoOf(instant), localDate: localDateOf(instant, timeZone), precision });
}

/** Returns the date of birth as YYYY-MM-DD; null if empty, incomplete, impossible or a placeholder. */
export function readBirthDate(value: string): string | null {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})/.exec(value.trim()) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const exists = utcOf([Number(year), Number(month), Number(day), 0, 0, 0]) !== null;
  return exists && Number(year) >= EARLIEST_BIRTH && Number(year) <= LATEST ? `${year}-${month}-${day}` : null;
}

type Clock = [year: number, month: number, day: number, hour: number, minute: number, second: number];

/** Returns null for a day or time that doesn't exist, such as February 31 or 25:00. */
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

function problem(text: string): MomentReading {
  return { moment: null, problem: text };
}
