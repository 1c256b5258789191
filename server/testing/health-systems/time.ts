/** The system's time: minutes since November 2, 2026, 00:00 in New York. Clocks don't change until the last message. */
const START = Date.UTC(2026, 10, 2);
const NEW_YORK = 5 * 60;

export const HOUR = 60;
export const DAY = 24 * HOUR;

/** All that happens is over by then, local midnight of November 20. */
export const END = 18 * DAY;

const iso = (at: number): string => new Date(START + at * 60_000).toISOString();

/** Returns local time as HL7 writes it, YYYYMMDDHHMM. */
export const hl7Time = (at: number): string => iso(at).slice(0, 16).replace(/\D/g, '');

/** Returns the instant in UTC, YYYY-MM-DDTHH:MM. */
export const utcMinute = (at: number): string => iso(at + NEW_YORK).slice(0, 16);
