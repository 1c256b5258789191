/**
 * Times as senders write them: HL7 timestamps `YYYYMMDD[HH[MM[SS[.S…]]]][+/-ZZZZ]` (HL7 v2.5.1, 2.A.22 DTM and 2.A.77 TS), ISO 8601
 * (`2026-03-05T14:20:00-05:00`) and dates with the year last (`03/25/2026 2:20 PM`). docs/decisions/0045.
 */

import type { DateOrder } from '#contract/feed-settings.ts';
import { instantOfLocal, isTwice, localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Moment } from './adt-facts.ts';

/** What a date with the year last shows about its order. EITHER: both its numbers can be a month, and they differ. */
export type SeenOrder = DateOrder | 'EITHER';

/** A moment, or the problem with the value; both are null for an empty field. The problem never quotes the value. */
interface MomentReading {
  moment: Moment | null;
  problem: string | null;
  /** Present for a date with the year last, unless its day and month are the same number. */
  seen?: SeenOrder;
}

/** How times without an offset, and dates without a clear order, are read. */
export interface TimeRules {
  /** IANA zone. */
  timeZone: string;
  /** Null: dates that can be read in two ways are not read. */
  dateOrder: DateOrder | null;
}

const STAMP =
  /^(\d{4})(?:(\d{2})(?:(\d{2})(?:[T ]?(\d{2})(?::?(\d{2})(?::?(\d{2})\d*)?)?)?)?)?(?:\.\d*)?(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/i;
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:$|T|,? +)/i;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:$|T|,? +)/i;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d*)?)?(?: ?([AP])M)?(?: ?(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?))?$/i;
/** Longer texts are no times. */
const LONGEST = 60;
/** Events before this year are mistakes: nobody who is alive was admitted then, and systems write 1900 for a date that they don't know. */
export const EARLIEST_MOMENT = 1920;
const EARLIEST_BIRTH = 1850;
const LATEST = 2199;
const EMPTY: MomentReading = { moment: null, problem: null };
const NOT_A_TIME = "isn't an HL7 timestamp";
const NO_DATE = "isn't a valid date or time";
export const AMBIGUOUS = 'can be month/day or day/month';

/**
 * Reads a time. Without an offset it is local time in the rules' zone; `platform/calendar/time-zone.ts` says what that means during a
 * clock change. A day without a time starts at local midnight, whatever its offset. A year or month alone is a problem. Fractions of a
 * second are dropped. '' and '""' (delete) both read as empty; the caller tells them apart.
 */
export function readMoment(value: string, rules: TimeRules): MomentReading {
  const text = value.trim();
  if (text === '' || text === '""' || /^0+$/.test(text)) return EMPTY;
  const read = text.length > LONGEST ? problem(NOT_A_TIME) : partsOf(text, rules.dateOrder);
  if ('problem' in read) return read;
  const { date, clock, offset, seen } = read;
  const reading = momentOf(date, clock, offset, rules.timeZone);
  return seen === undefined ? reading : { ...reading, seen };
}

/** Returns the date of birth as YYYY-MM-DD; null if empty, incomplete, impossible, a placeholder, or if it can be read in two ways. */
export function readBirthDate(value: string, dateOrder: DateOrder | null = null): string | null {
  const text = value.trim();
  const [, ...compact] = /^(\d{4})(\d{2})(\d{2})/.exec(text) ?? [];
  const date = compact.length > 0 ? (compact.map(Number) as Day) : dateOf(text, dateOrder);
  if (date === null || utcOf(date, [0, 0, 0]) === null) return null;
  return date[0] >= EARLIEST_BIRTH && date[0] <= LATEST ? isoDay(date) : null;
}

type Day = [year: number, month: number, day: number];
type Clock = [hour: number, minute: number, second: number];

interface Parts {
  date: Day;
  /** Null for a day without a time. */
  clock: { at: Clock; hasSeconds: boolean } | null;
  offset: string | undefined;
  seen?: SeenOrder;
}

/** Returns the numbers of a time in any of the forms, or the problem. */
function partsOf(text: string, dateOrder: DateOrder | null): Parts | MomentReading {
  const [, year, month, day, hour, minute, second, offset] = STAMP.exec(text) ?? [];
  if (year !== undefined) {
    if (month === undefined || day === undefined) return problem('has no day');
    const at: Clock = [Number(hour), Number(minute ?? 0), Number(second ?? 0)];
    const clock = hour === undefined ? null : { at, hasSeconds: second !== undefined };
    return { date: [Number(year), Number(month), Number(day)], clock, offset };
  }
  const dated = datedText(text, dateOrder);
  if (dated === null) return problem(NOT_A_TIME);
  const rest = clockOf(text.slice(dated.length));
  if (rest === null) return problem(NOT_A_TIME);
  if (dated.date === null) return { ...problem(AMBIGUOUS), seen: 'EITHER' };
  return { ...rest, date: dated.date, ...(dated.seen && { seen: dated.seen }) };
}

interface DatedText {
  /** Null if it can be read in two ways. */
  date: Day | null;
  seen?: SeenOrder;
  /** In characters, with the separator after it. */
  length: number;
}

/** Reads a date with separators at the beginning of a text. Null if there is none. */
function datedText(text: string, dateOrder: DateOrder | null): DatedText | null {
  const first = YEAR_FIRST.exec(text);
  if (first) return { date: [Number(first[1]), Number(first[3]), Number(first[4])], length: first[0].length };
  const last = YEAR_LAST.exec(text);
  if (!last) return null;
  const [a, b, year] = [Number(last[1]), Number(last[3]), Number(last[4])];
  const { length } = last[0];
  if (a === b) return { date: [year, a, b], length };
  // Only one of the numbers can be a month: the date is certain, whatever the setting says.
  const seen: SeenOrder = b > 12 ? 'MDY' : a > 12 ? 'DMY' : 'EITHER';
  const order = seen === 'EITHER' ? dateOrder : seen;
  if (order === null) return { date: null, seen, length };
  return { date: order === 'MDY' ? [year, a, b] : [year, b, a], seen, length };
}

/** Reads a date with separators and nothing, or a time, after it. */
function dateOf(text: string, dateOrder: DateOrder | null): Day | null {
  const dated = text.length > LONGEST ? null : datedText(text, dateOrder);
  return dated && clockOf(text.slice(dated.length)) ? dated.date : null;
}

/** Reads the time of day after a date, '' for none. Null if it is none, or impossible with its AM or PM. */
function clockOf(text: string): Pick<Parts, 'clock' | 'offset'> | null {
  if (text === '') return { clock: null, offset: undefined };
  const [, hour, minute, second, half, offset] = CLOCK.exec(text) ?? [];
  if (hour === undefined || minute === undefined) return null;
  const at: Clock = [hourOf(Number(hour), half?.toUpperCase()), Number(minute), Number(second ?? 0)];
  return { clock: { at, hasSeconds: second !== undefined }, offset };
}

/** Returns an hour that doesn't exist for one such as 14 PM. */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return 99;
  return (hour % 12) + (half === 'P' ? 12 : 0);
}

function momentOf(date: Day, clock: Parts['clock'], offset: string | undefined, timeZone: string): MomentReading {
  const at = clock?.at ?? [0, 0, 0];
  const local = utcOf(date, at);
  if (local === null) return problem(NO_DATE);
  if (date[0] < EARLIEST_MOMENT || date[0] > LATEST) return problem('is out of range');
  if (clock === null) {
    return found({ instant: isoOf(instantOfLocal(local, timeZone)), localDate: isoDay(date), precision: 'day' });
  }
  const instant = offset === undefined ? instantOfLocal(local, timeZone) : local - offsetOf(offset);
  return found({
    instant: isoOf(instant),
    localDate: localDateOf(instant, timeZone),
    precision: clock.hasSeconds ? 'second' : 'minute',
    ...(at.every((part) => part === 0) && { isMidnight: true as const }),
    ...(offset === undefined && isTwice(instant, timeZone) && { isFirstPass: true as const }),
  });
}

/** Returns null for a day or time that doesn't exist, such as February 31 or 25:00. */
function utcOf([year, month, day]: Day, [hour, minute, second]: Clock): number | null {
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
  if (/^z$/i.test(text)) return 0;
  const [hours, minutes] = [text.slice(1, 3), text.slice(3).replace(':', '')].map(Number) as [number, number];
  const size = hours * 3_600_000 + minutes * 60_000;
  return text.startsWith('-') ? -size : size;
}

function isoDay([year, month, day]: Day): string {
  return [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}

function isoOf(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

function found(moment: Moment): MomentReading {
  return { moment, problem: null };
}

function problem(text: string): MomentReading & { problem: string } {
  return { moment: null, problem: text };
}
