/** When a message about new pings is due. Pure; times are in milliseconds since 1970. */
import { DAY, HOUR } from '#contract/durations.ts';
import { MESSAGES_AN_HOUR, type Timing } from '#contract/notification-words.ts';
import type { QuietHours } from '#contract/notifications.ts';
import { instantOfLocal, localDayOf, localHourOf } from '#server/platform/calendar/time-zone.ts';

/** Pings that arrive this soon after the first one are reported together with it. */
export const GATHER = 60_000;
/** No time zone changes its offset within a quarter of an hour. */
const QUARTER = 15 * 60_000;

export interface Waiting {
  timing: Timing;
  /** The hour of the digest. */
  hour: number;
  timeZone: string;
  quietHours: QuietHours | null;
  /** When the first ping that waits was found. */
  since: number;
  /** When the user was sent messages in the last hour or longer, oldest first. */
  sent: readonly number[];
}

/** Returns when the message is due: after gathering or at the digest's hour, not in quiet hours, and not above the limit an hour. */
export function dueAt({ timing, hour, timeZone, quietHours, since, sent }: Waiting): number {
  const wanted = timing === 'AT_ONCE' ? since + GATHER : nextDigest(since, hour, timeZone);
  const full = sent.at(-MESSAGES_AN_HOUR);
  const allowed = full === undefined ? wanted : Math.max(wanted, full + HOUR);
  return endOfQuiet(allowed, quietHours, timeZone);
}

/** Returns the first time after `after` at which the local clock shows the hour; where a day has no such hour, the end of the gap. */
export function nextDigest(after: number, hour: number, timeZone: string): number {
  const today = localDayOf(after, timeZone);
  for (let day = today - 1; ; day += 1) {
    const at = instantOfLocal(day * DAY + hour * HOUR, timeZone);
    if (at > after) return at;
  }
}

export function isQuiet(at: number, { from, until }: QuietHours, timeZone: string): boolean {
  const hour = localHourOf(at, timeZone);
  return from < until ? hour >= from && hour < until : hour >= from || hour < until;
}

/** Returns `at`, or when the quiet hours that it is in are over. */
export function endOfQuiet(at: number, quietHours: QuietHours | null, timeZone: string): number {
  if (quietHours === null) return at;
  let free = at;
  while (isQuiet(free, quietHours, timeZone)) free = (Math.floor(free / QUARTER) + 1) * QUARTER;
  return free;
}
