import type { Moment } from '#server/intake/hl7/adt-facts.ts';

const TWO_DAYS = 48 * 60;

/** Returns whether the duration of a stay is shown in days: from two days on, and if a time of day is unknown. Lists are sorted by what is shown. */
export const isShownInDays = (minutes: number, admittedAt: Moment, dischargedAt: Moment | null): boolean =>
  minutes >= TWO_DAYS || admittedAt.precision === 'day' || dischargedAt?.precision === 'day';
