/** What the rule of silence is told, from rows of the database. */
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import { isTimeZone } from '#contract/time-zones.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { FeedHistory } from './silence.ts';

export interface HistoryRow {
  id: string;
  timeZone: string;
  firstAt: string | null;
  lastAt: string | null;
  added: string[];
  removed: string[];
  hours: [at: number, received: number][];
}

/** Returns what a row tells; null if no message has come. */
export function historyOf({ timeZone, firstAt, lastAt, added, removed, hours }: HistoryRow): FeedHistory | null {
  if (firstAt === null || lastAt === null) return null;
  return {
    // Stored settings are not checked again, and may be invalid.
    timeZone: isTimeZone(timeZone) ? timeZone : DEFAULT_FEED_SETTINGS.timeZone,
    hours: new Map(hours),
    firstAt: Date.parse(firstAt),
    lastAt: Date.parse(lastAt),
    holidays: { added, removed },
  };
}

/**
 * Feeds of messages that someone expects: approved, not paused, not historical. Documents come when they are written, so their feeds are
 * left out.
 */
export const IS_WATCHED = sql`f.kind <> 'CCDA' and f.approved_at is not null and f.paused_at is null and not f.is_backfill`;
