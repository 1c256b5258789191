import { counted } from '#contract/counted.ts';
import { HOUR } from '#contract/durations.ts';

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

/** In milliseconds. A traveler's computer changes its zone while the page is open, and to ask for it takes longer than to format a time. */
const ZONE_KEPT = 60_000;
let ownZone = { name: '', until: Number.NEGATIVE_INFINITY };
const browserZone = (): string => {
  if (Date.now() >= ownZone.until)
    ownZone = { name: Intl.DateTimeFormat().resolvedOptions().timeZone, until: Date.now() + ZONE_KEPT };
  return ownZone.name;
};

let chosenZone: string | null = null;
/** Sets the IANA zone for times that belong to no facility; null: the zone of the browser. */
export const setReaderZone = (zone: string | null): void => {
  try {
    chosenZone = zone ? Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone : null;
  } catch {
    chosenZone = null; // This browser doesn't know the zone.
  }
};
/** Returns the zone of times that belong to no facility. */
export const readingZone = (): string => chosenZone ?? browserZone();

let isOnPaper = false;
/** Sets whether times are for a sheet of paper: without those that pass, and with the date and zone of each, because it is unknown when and where that is read. */
export const setOnPaper = (on: boolean): void => {
  isOnPaper = on;
};

const KINDS = {
  parts: { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hour12: true },
  long: { dateStyle: 'long' },
  zone: { timeZoneName: 'shortGeneric', hour: 'numeric' },
  exactZone: { timeZoneName: 'short', hour: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();
/** Returns the format of a kind for a zone. To make one takes many times as long as to use it, and a page shows hundreds of times. */
const formatOf = (kind: keyof typeof KINDS, timeZone: string): Intl.DateTimeFormat => {
  const key = `${kind} ${timeZone}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { ...KINDS[kind], timeZone });
  formats.set(key, format);
  return format;
};

/** More than a page shows; a page that stays open for days must not keep all that it ever showed. */
const MOST_KEPT = 2000;
const kept = new Map<string, Record<string, string>>();
/** Returns the parts of an instant. They are kept, because each row asks for the same ones several times, and again whenever it is rendered. */
const parts = (
  instant: Date,
  timeZone: string,
  kind: Exclude<keyof typeof KINDS, 'long'> = 'parts',
): Record<string, string> => {
  const key = `${kind} ${instant.getTime()} ${timeZone}`;
  const known = kept.get(key);
  if (known) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const found = Object.fromEntries(
    formatOf(kind, timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  kept.set(key, found);
  return found;
};

/** Whether a value is a day without a time, as manual facilities enter it. */
const isDay = (value: string): boolean => DAY.test(value);

/** Returns MM/DD/YYYY for a day, or for an instant in `timeZone`. */
export const formatDate = (value: string, timeZone = readingZone()): string => {
  const day = DAY.exec(value);
  if (day) return `${day[2]}/${day[3]}/${day[1]}`;
  const at = parts(new Date(value), timeZone);
  return `${at.month}/${at.day}/${at.year}`;
};

/** Returns "November 2, 1956", the long form, in which day and month can't be confused. */
export const longDate = (value: string, timeZone = readingZone()): string =>
  formatOf('long', isDay(value) ? 'UTC' : timeZone).format(new Date(value));

/** Returns the short name of a zone at that time: "ET". */
export const zoneName = (instant: Date, timeZone: string): string =>
  parts(instant, timeZone, 'zone').timeZoneName ?? timeZone;

/** Whether the clock shows this time twice on that day: in the US it goes back from 2 to 1 AM in fall. */
const isTwice = (instant: Date, timeZone: string): boolean => {
  const hourAfter = (by: number) => parts(new Date(instant.getTime() + by), timeZone).hour;
  return hourAfter(0) === '01' && [-HOUR, HOUR].some((by) => hourAfter(by) === '01');
};

const sameClock = (instant: Date, one: string, other: string): boolean => {
  const [a, b] = [parts(instant, one), parts(instant, other)];
  return a.day === b.day && a.hour === b.hour && a.minute === b.minute && a.dayPeriod === b.dayPeriod;
};

/**
 * Returns "hh:mm AM" in `timeZone`, with the name of the zone if the user's clock shows another time, or always: `readerZone` null. In the hour that comes
 * twice in fall, "01:15 AM EST": without that, a discharge may be earlier than its arrival.
 */
export const formatTime = (
  value: string,
  timeZone = readingZone(),
  readerZone: string | null = browserZone(),
): string => {
  const instant = new Date(value);
  const at = parts(instant, timeZone);
  const time = `${at.hour}:${at.minute} ${at.dayPeriod}`;
  if (isTwice(instant, timeZone)) return `${time} ${parts(instant, timeZone, 'exactZone').timeZoneName}`;
  return !isOnPaper && readerZone !== null && sameClock(instant, timeZone, readerZone)
    ? time
    : `${time} ${zoneName(instant, timeZone)}`;
};

/** Returns date and time, or just the date if there is no time. */
export const formatDateTime = (
  value: string,
  timeZone = readingZone(),
  readerZone: string | null = browserZone(),
): string =>
  isDay(value) ? formatDate(value) : `${formatDate(value, timeZone)} ${formatTime(value, timeZone, readerZone)}`;

/** Returns "18 min ago" or "3 hr ago"; null after a day, for a time in the future, and on paper. */
export const ago = (value: string, now: Date): string | null => {
  if (isOnPaper || isDay(value)) return null;
  const minutes = Math.floor((now.getTime() - new Date(value).getTime()) / 60_000);
  if (minutes < 0 || minutes >= 24 * 60) return null;
  if (minutes < 1) return 'just now';
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} hr ago`;
};

type TimeParts = readonly [at: string, since: string | null];

/** Returns the time of an event at its facility, and for how long that has been where it was today: ["10:42 AM", "18 min ago"]. */
export const eventTimes = (value: string, timeZone: string, now: Date, readerZone = browserZone()): TimeParts => {
  if (isDay(value)) return [formatDate(value), null];
  const time = formatTime(value, timeZone, readerZone);
  const date = formatDate(value, timeZone);
  if (isOnPaper || date !== formatDate(now.toISOString(), timeZone)) return [`${date} · ${time}`, null];
  return [time, ago(value, now)];
};

/** Returns both in one text: "10:42 AM · 18 min ago" today, "11/20/2026 · 05:02 PM" before. */
export const eventTime = (...of: Parameters<typeof eventTimes>): string =>
  eventTimes(...of)
    .filter(Boolean)
    .join(' · ');

/** Returns a duration in whole units: "6 hours", "2 days". */
export const formatMinutes = (minutes: number): string => {
  const [count, unit] =
    minutes < 60
      ? [minutes, 'minute']
      : minutes < 48 * 60
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1440), 'day'];
  return counted(count, unit);
};
