/**
 * Whether a feed is silent: no message has come for longer than is usual at these hours of the week. Pure. The rule has no standard behind
 * it; docs/decisions/0092 says why it is this one. It compares the hours since the last message with the same hours of earlier weeks:
 *
 * - Only whole hours count, from the first one after the hour of the last message. Longer than four weeks isn't looked at.
 * - The same hours of a week earlier are those with the same weekday and time on the clock at the facility, also over a change of daylight
 *   saving time. If the silence is longer than a week, periods of as many whole weeks are compared.
 * - On a holiday, the hours of the Sunday of that week are compared instead. A week whose hours fall on a holiday isn't compared with
 *   ordinary days.
 * - The feed is silent if messages came in all of the compared periods, `USUAL` or more in each. If there are four periods or more, one of
 *   them, such as one with an outage, may have had fewer.
 *
 * So a night in which nothing usually comes is no silence, nor is a batch that sometimes comes an hour later. A feed with less than two
 * earlier periods is too new to say.
 */
import { DAY, HOUR } from '#contract/durations.ts';
import { addDays, type Holidays, isBusinessDay } from '#server/platform/calendar/business-days.ts';
import { instantOfLocal, localTimeOf } from '#server/platform/calendar/time-zone.ts';

const WEEK_HOURS = 168;
/** Weeks before the last message that are compared. What is kept has to cover the longest silence too. */
const COMPARED_WEEKS = 12;
const MOST_PERIODS = 8;
const LONGEST_WEEKS = 4;
/** By chance, none come where seven weeks of eight brought five or more less than once in a thousand times (Poisson; docs/decisions/0092). */
const USUAL = 5;
const FEWEST_PERIODS = 2;
const PERIODS_FOR_OUTLIER = 4;

/** What is known of a feed. Times are in milliseconds since 1970. */
export interface FeedHistory {
  /** IANA zone of the facility. */
  timeZone: string;
  /** Start of an hour (UTC) → messages that came in it. */
  hours: ReadonlyMap<number, number>;
  /** When the first and the last message came. */
  firstAt: number;
  lastAt: number;
  holidays: Holidays;
}

export interface Silence {
  isSilent: boolean;
  /** Messages in the same hours of earlier periods, sorted. Empty if the feed is too new, or hasn't been quiet for a whole hour. */
  usual: readonly number[];
}

const hourOf = (instant: number): number => Math.floor(instant / HOUR) * HOUR;

/** Returns the whole hours since the last message, at most those of four weeks. */
function quietHours({ lastAt }: FeedHistory, now: number): number[] {
  const first = hourOf(lastAt) + HOUR;
  const many = Math.min(Math.floor((hourOf(now) - first) / HOUR), LONGEST_WEEKS * WEEK_HOURS);
  return Array.from({ length: Math.max(many, 0) }, (_, index) => first + index * HOUR);
}

const isHoliday = (day: string, holidays: Holidays): boolean => {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !isBusinessDay(day, holidays);
};

/** Returns the hour (UTC) with the same clock time `weeks` earlier; null if that day was a holiday and this one isn't. */
function sameHour(hour: number, weeks: number, { timeZone, holidays }: FeedHistory): number | null {
  const local = localTimeOf(hour, timeZone);
  const day = local.slice(0, 10);
  const sunday = (of: string) => addDays(of, -new Date(`${of}T00:00:00Z`).getUTCDay());
  const earlier = addDays(isHoliday(day, holidays) ? sunday(day) : day, -7 * weeks);
  if (isHoliday(earlier, holidays)) return null;
  return hourOf(instantOfLocal(Date.parse(`${earlier}T${local.slice(11)}Z`), timeZone));
}

/** Earlier periods of `step` weeks, to which hours are added one by one. */
class EarlierPeriods {
  readonly #history: FeedHistory;
  readonly #step: number;
  /** Of each period the hours that were added, or null once one of them can't be compared. */
  readonly #hours: (Set<number> | null)[];
  readonly #counts: number[];

  constructor(history: FeedHistory, step: number) {
    this.#history = history;
    this.#step = step;
    const periods = Math.min(MOST_PERIODS, Math.floor(COMPARED_WEEKS / step));
    this.#hours = Array.from({ length: periods }, () => new Set<number>());
    this.#counts = Array.from({ length: periods }, () => 0);
  }

  add(hour: number): void {
    const begin = hourOf(this.#history.firstAt) + HOUR;
    this.#hours.forEach((added, index) => {
      if (added === null) return;
      const same = sameHour(hour, (index + 1) * this.#step, this.#history);
      if (same === null || same < begin) this.#hours[index] = null;
      // An hour that the clock repeats is one hour of another week.
      else if (!added.has(same)) {
        added.add(same);
        this.#counts[index] = (this.#counts[index] ?? 0) + (this.#history.hours.get(same) ?? 0);
      }
    });
  }

  /** The messages of each period that can be compared, sorted. */
  counts(): number[] {
    return this.#counts.filter((_, index) => this.#hours[index] !== null).sort((a, b) => a - b);
  }
}

const isUnusual = (counts: readonly number[]): boolean =>
  counts.length >= FEWEST_PERIODS && (counts[counts.length >= PERIODS_FOR_OUTLIER ? 1 : 0] ?? 0) >= USUAL;

/**
 * Returns whether the feed is silent at `now`, and what usually came in the hours since its last message. A silence that was unusual once
 * stays so until a message comes, also when the hours since can't be compared any more.
 */
export function silenceOf(history: FeedHistory, now: number): Silence {
  const hours = quietHours(history, now);
  let found: number[] | null = null;
  let usual: number[] = [];
  for (let step = 1; (step - 1) * WEEK_HOURS < hours.length; step += 1) {
    const periods = new EarlierPeriods(history, step);
    for (const [index, hour] of hours.slice(0, step * WEEK_HOURS).entries()) {
      periods.add(hour);
      if (found === null && index >= (step - 1) * WEEK_HOURS && isUnusual(periods.counts())) found = periods.counts();
    }
    usual = periods.counts();
  }
  return { isSilent: found !== null, usual: found !== null && usual.length < FEWEST_PERIODS ? found : usual };
}

/**
 * Returns how many messages usually come in the 24 whole hours before `now`: the median of the same hours of earlier weeks, the lower of
 * the two middle values; null if the feed is too new.
 */
export function usualDay(history: FeedHistory, now: number): number | null {
  const end = hourOf(now);
  const periods = new EarlierPeriods(history, 1);
  for (let hour = end - DAY; hour < end; hour += HOUR) periods.add(hour);
  const counts = periods.counts();
  return counts.length >= FEWEST_PERIODS ? (counts[Math.floor((counts.length - 1) / 2)] ?? null) : null;
}
