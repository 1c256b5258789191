/** How long a stay is, for the rows that show it and for the order of rows, so that lists are sorted by what is shown. */
import { DAY, MINUTE } from '#contract/durations.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { localDayOf } from '#server/platform/calendar/time-zone.ts';
import type { VisitState } from '#server/record/fold/visit-state.ts';

const TWO_DAYS = 48 * 60;

export interface StayLength {
  /** Midnights at the facility, in the ED and under observation too, without those on leave. */
  days: number;
  /** Midnights on leave. */
  leaveDays: number;
  /** Whole minutes, without leaves. */
  minutes: number;
  /** Whether it is shown in days: from two days on, and if a time of day is unknown. */
  isInDays: boolean;
  /** The arrival in milliseconds, later by the time on leave: the minutes of an open stay count from it. */
  since: number;
}

type Stay = Pick<VisitState, 'status' | 'arrivedAt' | 'admittedAt' | 'dischargedAt' | 'leaves'>;

/**
 * Whether the visit is no stay and has no length: one of an outpatient, whose account may cover appointments of months and be closed days after the last
 * one. `settings`: those of its arrivals in the ED, admissions and transfers.
 */
export const isOutpatientAccount = (
  setting: VisitState['setting'],
  settings: readonly VisitState['setting'][],
): boolean => setting === 'OUTPATIENT' && settings.length === 0;

/**
 * `until`: now or the death, in milliseconds. Stays that were open then are measured up to it, also those with a discharge after the death. Returns null for a planned visit, and if its beginning or end is unknown.
 */
export function stayLength(
  { status, arrivedAt, admittedAt, dischargedAt, leaves = [] }: Stay,
  timeZone: string,
  until: number,
): StayLength | null {
  const isOver = status === 'FINISHED' || status === 'CANCELLED';
  if (!admittedAt || (isOver && !dischargedAt) || status === 'PLANNED') return null;
  const begun = arrivedAt ?? admittedAt;
  const isOpen = !dischargedAt || (atOf(begun) <= until && until < atOf(dischargedAt));
  const end = {
    at: isOpen ? until : atOf(dischargedAt),
    day: isOpen ? localDayOf(until, timeZone) : dayOf(dischargedAt),
  };
  const since = atOf(begun) + away(leaves, atOf, atOf(begun), end.at);
  const leaveDays = away(leaves, dayOf, dayOf(begun), end.day);
  const minutes = Math.max(0, Math.floor((end.at - since) / MINUTE));
  const times = [begun, dischargedAt, ...leaves.flatMap(({ from, to }) => [from, to])];
  return {
    days: Math.max(0, end.day - dayOf(begun) - leaveDays),
    leaveDays,
    minutes,
    isInDays: minutes >= TWO_DAYS || times.some((time) => time?.precision === 'day'),
    since,
  };
}

/** Returns the days of `stayLength` until now (milliseconds), or until the death that its sender stands by. */
export function nightsOfStay(
  state: Stay & Pick<VisitState, 'deathDenied' | 'deceasedAt'>,
  timeZone: string,
  now: number,
): number | null {
  const diedAt = state.deathDenied ? null : state.deceasedAt;
  return stayLength(state, timeZone, Math.min(now, diedAt ? atOf(diedAt) : now))?.days ?? null;
}

const atOf = ({ instant }: Moment): number => Date.parse(instant);
const dayOf = ({ localDate }: Moment): number => Date.parse(localDate) / DAY;

/** Returns how much of the stay was on leave, in the unit of `measure`. */
function away(
  leaves: NonNullable<Stay['leaves']>,
  measure: (time: Moment) => number,
  start: number,
  end: number,
): number {
  let total = 0;
  let after = start;
  for (const { from, to } of leaves) {
    const left = Math.max(after, measure(from));
    const back = Math.min(end, to ? measure(to) : end);
    if (back <= left) continue;
    total += back - left;
    after = back;
  }
  return total;
}
