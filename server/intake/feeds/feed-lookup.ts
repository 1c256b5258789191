/** The feeds and how each writes, as the pipeline needs them. */

import { DEFAULT_FEED_SETTINGS, type FeedSettings, feedSettingsSchema } from '#server/intake/hl7/feed-settings.ts';
import type { Queryable } from '#server/platform/database/pool.ts';

export interface Feed {
  id: string;
  kind: 'MLLP' | 'FHIR' | 'CCDA';
  sendingApplication: string | null;
  sendingFacility: string | null;
  /** Null where the feed's row cannot be read: its messages wait in quarantine, those of other feeds do not. */
  settings: FeedSettings | null;
  isBackfill: boolean;
  /** Its messages are kept, not processed. */
  isPaused: boolean;
  /** Identifier as the feed writes it → group id; '*' is every other one. */
  facilities: Record<string, string>;
}

const FEEDS = `
select f.id, f.kind, f.sending_application as "sendingApplication", f.sending_facility as "sendingFacility", f.settings,
       f.is_backfill as "isBackfill", f.paused_at is not null as "isPaused",
       coalesce((select jsonb_object_agg(identifier, group_id::text) from feed_facilities where feed_id = f.id), '{}') as facilities
from feeds f where f.ended_at is null`;

/** The feeds as they are until the transaction ends: who changes one waits (`lockFeeds`). A row holds only what differs from the defaults. */
export async function loadFeeds(tx: Queryable): Promise<Feed[]> {
  await tx.query('select pg_advisory_xact_lock_shared(7412, 0)');
  const { rows } = await tx.query<Omit<Feed, 'settings'> & { settings: object }>(FEEDS);
  return rows.map((row) => {
    const { data } = feedSettingsSchema.safeParse({ ...DEFAULT_FEED_SETTINGS, ...row.settings });
    return { ...row, settings: data ?? null };
  });
}

/**
 * Before a feed is added, changed or ended: waits for the batches that read feeds as they were. Otherwise one of them might keep a message
 * back after what was kept has been taken up.
 */
export async function lockFeeds(tx: Queryable): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(7412, 0)');
}

/** The feed whose MSH-3 and MSH-4 a message carries; one that names both wins over one that names either, and that over any. */
export function feedOf(
  feeds: readonly Feed[],
  {
    source,
    sendingApplication,
    sendingFacility,
  }: { source: string; sendingApplication: string; sendingFacility: string },
): Feed | null {
  const fits = feeds.filter(
    (feed) =>
      feed.kind === source &&
      (feed.sendingApplication ?? sendingApplication) === sendingApplication &&
      (feed.sendingFacility ?? sendingFacility) === sendingFacility,
  );
  const closeness = (feed: Feed) =>
    (feed.sendingFacility === null ? 0 : 2) + (feed.sendingApplication === null ? 0 : 1);
  return fits.sort((a, b) => closeness(b) - closeness(a))[0] ?? null;
}

/** The facility that one of these identifiers names, the first that the feed knows; null where it knows none. */
export function facilityOf(feed: Feed, identifiers: readonly string[]): string | null {
  const known = identifiers.find((identifier) => identifier !== '' && Object.hasOwn(feed.facilities, identifier));
  return feed.facilities[known ?? '*'] ?? null;
}
