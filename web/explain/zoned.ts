import { formatDateTime, zoneName } from '../ui/format/date.ts';

/** Returns a date and time always with its zone, "11/20/2026 10:41 AM ET", as a record needs it; a day without a time stays a day. */
export const zoned = (value: string, timeZone: string): string =>
  value.length === 10
    ? formatDateTime(value)
    : `${formatDateTime(value, timeZone, timeZone)} ${zoneName(new Date(value), timeZone)}`;
