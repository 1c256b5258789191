/** Which feed a message belongs to, and how the messages of that feed are read. */

import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import { type FeedSettings, feedSettings } from '#contract/feed-settings.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

export interface Feed {
  id: string;
  /** Null if the stored settings are invalid: the feed's messages wait in quarantine, those of other feeds don't. */
  settings: FeedSettings | null;
  isBackfill: boolean;
  /** Messages are kept and not processed. */
  isPaused: boolean;
  /** Facility identifier as the feed writes it → group ID; '*' stands for every identifier that isn't listed. */
  facilities: Record<string, string>;
}

/** Whether a feed sends for several facilities. */
export const isShared = ({ facilities }: Pick<Feed, 'facilities'>): boolean =>
  new Set(Object.values(facilities)).size > 1;

/** What a message says about its sender: MSH-3, MSH-4 and how it came. */
interface Sender {
  source: string;
  sendingApplication: string;
  sendingFacility: string;
}

/** SQL: feed `f` accepts message `m` by its source, MSH-3 and MSH-4. A feed that leaves MSH-3 or MSH-4 open accepts any. */
export const ACCEPTS_MESSAGE = sql`f.kind = m.source
  and coalesce(f.sending_application, m.sending_application) = m.sending_application
  and coalesce(f.sending_facility, m.sending_facility) = m.sending_facility`;

/** SQL: the sender of feed `f` as it will be once an operator approves it. */
export const OF_WAITING = {
  sendingApplication: sql`case when f.proposal is null then f.sending_application else f.proposal ->> 'sendingApplication' end`,
  sendingFacility: sql`case when f.proposal is null then f.sending_facility else f.proposal ->> 'sendingFacility' end`,
};

/** SQL: feed `f` would accept message `m` if an operator approved what waits. */
export const WOULD_ACCEPT_MESSAGE = sql`f.ended_at is null and (f.approved_at is null or f.proposal is not null)
  and f.kind = m.source
  and coalesce(${OF_WAITING.sendingApplication}, m.sending_application) = m.sending_application
  and coalesce(${OF_WAITING.sendingFacility}, m.sending_facility) = m.sending_facility`;

/** SQL: the ID of the feed of message `m`, among those with an approved sender. A feed that names MSH-4 comes before one that leaves it open; then the same for MSH-3. */
export const FEED_OF_MESSAGE = sql`
  select f.id from feeds f where f.ended_at is null and f.approved_at is not null and ${ACCEPTS_MESSAGE}
  order by (f.sending_facility is not null) desc, (f.sending_application is not null) desc limit 1`;

/** The sender's feed, 'unapproved' if an operator has not approved a feed for the sender yet, or null if there is none. */
export type FeedOfSender = Feed | 'unapproved' | null;

/** Returns the feed of each message, in the same order. Feeds don't change until the transaction ends. */
export async function feedsOf(tx: Queryable, messages: readonly Sender[]): Promise<FeedOfSender[]> {
  const names = messages.map(nameOf);
  // Hundreds of messages of a batch have one sender, which is looked for once.
  const senders = [...new Map(messages.map((message, index) => [names[index], message])).values()];
  const locked = tx.query('select pg_advisory_xact_lock_shared(7412, 0)');
  const found = tx.query<{ id: string | null; waits: boolean }>(sql`
    select (${FEED_OF_MESSAGE}) as id, exists (select from feeds f where ${WOULD_ACCEPT_MESSAGE}) as waits
    from unnest(${senders.map((m) => m.source)}::text[], ${senders.map((m) => m.sendingApplication)}::text[],
      ${senders.map((m) => m.sendingFacility)}::text[])
      with ordinality as m (source, sending_application, sending_facility, position)
    order by m.position`);
  const [, { rows }] = await Promise.all([locked, found]);
  const feeds = await loadFeeds(tx, new Set(rows.map(({ id }) => id).filter((id) => id !== null)));
  const feedOf = new Map(
    rows.map(({ id, waits }, index) => {
      const feed = id === null ? (waits ? 'unapproved' : null) : (feeds.get(id) ?? null);
      return [nameOf(senders[index] as Sender), feed] as const;
    }),
  );
  return names.map((name) => feedOf.get(name) ?? null);
}

const nameOf = ({ source, sendingApplication, sendingFacility }: Sender): string =>
  [source, sendingApplication, sendingFacility].join('\u0000');

async function loadFeeds(tx: Queryable, ids: ReadonlySet<string>): Promise<Map<string, Feed>> {
  const { rows } = await tx.query<Omit<Feed, 'settings'> & { settings: object }>(sql`
    select f.id, f.settings, f.is_backfill as "isBackfill", f.paused_at is not null as "isPaused",
      coalesce((select jsonb_object_agg(identifier, group_id::text) from feed_facilities where feed_id = f.id), '{}') as facilities
    from feeds f where f.id = any (${[...ids]}::bigint[])`);
  return new Map(
    rows.map((row) => {
      const { data } = feedSettings.safeParse({ ...DEFAULT_FEED_SETTINGS, ...row.settings });
      return [row.id, { ...row, settings: data ?? null }];
    }),
  );
}

/**
 * Waits for the batches that read the feeds as they were; called before a feed is added, changed or ended. Otherwise such a batch could
 * still quarantine a message after the messages of a paused feed have been released.
 */
export async function lockFeeds(tx: Queryable): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(7412, 0)');
}

/** Returns the group of the first identifier that the feed lists, else that of '*'; null if there is neither. */
export function facilityGroup(feed: Feed, identifiers: readonly string[]): string | null {
  const listed = identifiers.find((identifier) => isListed(feed, identifier));
  return feed.facilities[listed ?? '*'] ?? null;
}

/** Whether the feed lists an identifier of a facility. */
export const isListed = ({ facilities }: Pick<Feed, 'facilities'>, identifier: string): boolean =>
  identifier !== '' && Object.hasOwn(facilities, identifier);
