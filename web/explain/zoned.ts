import { formatDateTime } from '../ui/format/date.ts';

/** Returns a date and time always with its zone, "11/20/2026 10:41 AM ET", as a record needs it; a day without a time stays a day. */
export const zoned = (value: string, timeZone: string): string => formatDateTime(value, timeZone, null);
