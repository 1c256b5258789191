import { DAY } from '#contract/durations.ts';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { FeedHealthSummary } from '#contract/feed-health.ts';
import type { Feed, OutpatientCodes, RefusedSender, UnknownSender } from '#contract/feeds.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { monthOf } from './count-outpatient-codes.ts';
import { OF_WAITING, WOULD_ACCEPT_MESSAGE } from './feed-lookup.ts';
import { isWhollyManaged, maySeeFeed } from './feed-scope.ts';
import { outpatientCodesOf } from './outpatient-codes.ts';
import { FEED_VERSION, IS_FREE_MESSAGE, LISTED } from './queries.ts';
import { summariesOf } from './read-health.ts';

/** SQL: a feed's entries, with the names of the groups. */
const named = (facilities: Sql): Sql => sql`coalesce((
  select jsonb_agg(jsonb_build_object('identifier', e ->> 'identifier', 'groupId', g.id::text, 'groupName', g.name)
    order by e ->> 'identifier')
  from jsonb_array_elements(${facilities}) e join groups g on g.id = (e ->> 'groupId')::bigint), '[]')`;

/** SQL: what waits for an operator's approval in feed `f`; null if nothing does. Only operators learn how many messages wait. */
const waiting = ({ actor }: ActorTransaction): Sql => sql`
  case when f.approved_at is null or f.proposal is not null then jsonb_build_object(
    'sendingApplication', ${OF_WAITING.sendingApplication}, 'sendingFacility', ${OF_WAITING.sendingFacility},
    'facilities', ${named(sql`coalesce(f.proposal -> 'facilities', listed.facilities)`)},
    'messages', ${actor.isOperator ? WAITING_MESSAGES : sql`null::int`}, 'version', ${FEED_VERSION}) end`;

const WAITING_MESSAGES = sql`(
  select count(*)::int from messages m where m.status = 'QUARANTINED' and ${IS_FREE_MESSAGE} and ${WOULD_ACCEPT_MESSAGE})`;

/** SQL: the time zone of feed `f`. */
const ZONE = sql`coalesce(f.settings ->> 'timeZone', ${DEFAULT_FEED_SETTINGS.timeZone})`;

/** Returns the feeds that the actor can see, with their health. `receivedToday` counts the day in the feed's time zone, duplicates included. */
export async function listFeeds(tx: ActorTransaction, now: Date): Promise<Feed[]> {
  const { rows } = await tx.query<Omit<Feed, 'suggestedCodes' | 'health'>>(sql`
    select f.id, f.name, f.kind, o.name as "organizationName", f.sending_application as "sendingApplication",
      f.sending_facility as "sendingFacility", ${ZONE} as "timeZone",
      jsonb_build_object('MDY', 0, 'DMY', 0, 'EITHER', 0) || d.seen as "seenDates",
      d.seen ? 'EITHER' and f.settings ->> 'dateOrder' is null as "hasUnreadDates",
      f.paused_at as "pausedAt", greatest(c.last_at, h.duplicate_at) as "lastMessageAt",
      (today.received + h.duplicates)::int as "receivedToday", h.quarantined,
      ${named(sql`listed.facilities`)} as facilities, f.approved_at as "approvedAt", ${waiting(tx)} as waiting
    from feeds f
      join organizations o on o.id = f.organization_id
      cross join lateral (${LISTED}) listed
      cross join lateral (select date_trunc('day', ${now}::timestamptz, ${ZONE}) as since) day
      cross join lateral (select max(last_at) as last_at from feed_counts where feed_id = f.id) c
      cross join lateral (
        select coalesce(sum(received), 0) as received from feed_hours where feed_id = f.id and hour >= day.since) today
      cross join lateral (
        select coalesce(jsonb_object_agg(seen, messages), '{}') as seen from feed_date_orders where feed_id = f.id) d
      cross join lateral feed_health(f.id, day.since) h
    where f.ended_at is null and ${maySeeFeed(tx)} order by f.name, f.id`);
  const ids = rows.map(({ id }) => id);
  const codes = await outpatientCodesOf(tx, ids, now);
  const health = await summariesOf(tx, ids, now);
  return rows.map((feed) => ({
    ...feed,
    health: health.get(feed.id) as FeedHealthSummary,
    suggestedCodes: (codes.get(feed.id) ?? []).filter(({ suggestedBy }) => suggestedBy !== null),
  }));
}

/** Returns the codes that outpatients of a feed had, with counts. Throws NOT_FOUND if the actor can't see the feed. */
export async function listOutpatientCodes(tx: ActorTransaction, id: string, now: Date): Promise<OutpatientCodes> {
  await checkFeed(tx, id);
  const byFeed = await outpatientCodesOf(tx, [id], now);
  return { since: monthOf(now, 1), codes: byFeed.get(id) ?? [] };
}

/** Returns the senders that match no feed, most recent first. Empty unless the actor is an operator, who alone sees their messages. */
export async function listUnknownSenders({ query, actor }: ActorTransaction): Promise<UnknownSender[]> {
  if (!actor.isOperator) return [];
  const { rows } = await query<UnknownSender>(sql`
    select sending_application as "sendingApplication", sending_facility as "sendingFacility", count(*)::int as messages,
      max(received_at) as "lastMessageAt"
    from messages where feed_id is null and status = 'QUARANTINED' and source = 'MLLP'
      and (sending_application <> '' or sending_facility <> '')
    group by 1, 2 order by 4 desc limit 100`);
  return rows;
}

/** Returns the addresses without a feed whose messages were refused in the last 48 hours, most recent first. Empty unless the actor is an operator. */
export async function listRefusedSenders({ query }: ActorTransaction, now: Date): Promise<RefusedSender[]> {
  const { rows } = await query<RefusedSender>(sql`
    select address, sum(refused)::int as refused, max(refused_at) as "lastRefusedAt" from unknown_sender_days
    where refused_at > ${new Date(now.getTime() - 2 * DAY)} group by address order by 3 desc limit 20`);
  return rows;
}

/** Throws NOT_FOUND if the actor can't see the feed. */
export async function checkFeed(tx: ActorTransaction, id: string): Promise<void> {
  const { rowCount } = await tx.query(
    sql`select from feeds f where f.id = ${id} and f.ended_at is null and ${maySeeFeed(tx)}`,
  );
  if (rowCount === 0) throw new ApiError('NOT_FOUND');
}

/** Throws NOT_FOUND as `checkFeed` does, and NOT_PERMITTED if the feed lists a facility that the actor doesn't manage. */
export async function checkWholeFeed(tx: ActorTransaction, id: string): Promise<void> {
  await checkFeed(tx, id);
  const { rowCount } = await tx.query(sql`select from feeds f where f.id = ${id} and ${isWhollyManaged(tx)}`);
  if (rowCount === 0) throw new ApiError('NOT_PERMITTED');
}
