/** In milliseconds, as instants are compared. A day here has 24 hours: for days of the calendar, which may have 23 or 25, see `server/platform/calendar`. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
