/** Facilities of a feed for several, each watched by the rule of `silence.ts`: one of them may stop while others send. */
import { HOUR } from '#contract/durations.ts';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { ReceivedFirst } from './count-health.ts';
import { isShared } from './feed-lookup.ts';
import { silenceOf } from './silence.ts';
import { type HistoryRow, historyOf, IS_WATCHED } from './silence-history.ts';

/** Counts messages that were applied for the first time, for each facility that they are about. */
export async function countFacilities(tx: Queryable, facts: readonly ReceivedFirst[]): Promise<void> {
  // A message may have several facts about a facility.
  const told = new Map(
    facts
      .filter(({ feed }) => isShared(feed) && !feed.isBackfill)
      .map((fact) => [`${fact.messageId} ${fact.groupId}`, fact]),
  );
  if (told.size === 0) return;
  const of = [...told.values()];
  await tx.query(sql`
    insert into facility_hours as h (feed_id, group_id, hour, received, last_at)
    select feed_id, group_id, date_trunc('hour', received_at, 'UTC'), count(*), max(received_at)
    from unnest(${of.map(({ feed }) => feed.id)}::bigint[], ${of.map(({ groupId }) => groupId)}::bigint[],
      ${of.map(({ receivedAt }) => receivedAt)}::timestamptz[]) as t (feed_id, group_id, received_at)
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (feed_id, group_id, hour) do update set received = h.received + excluded.received,
      last_at = greatest(h.last_at, excluded.last_at)`);
}

interface FacilityRow extends HistoryRow {
  groupId: string;
}

/**
 * Notes which facilities are silent, and since when, and returns how many are. Left out are feeds that are silent as a whole, and those with messages in our
 * queue: what they are about isn't known yet, so their facilities stay as they were noted.
 */
export async function watchFacilities(tx: Queryable, now: Date): Promise<number> {
  const quietSince = new Date(now.getTime() - HOUR);
  const { rows } = await tx.query<FacilityRow>(sql`
    select f.id, l.group_id as "groupId", coalesce(f.settings ->> 'timeZone', ${DEFAULT_FEED_SETTINGS.timeZone}) as "timeZone",
      min(h.hour) as "firstAt", max(h.last_at) as "lastAt", o.added_holidays::text[] as added, o.removed_holidays::text[] as removed,
      jsonb_agg(jsonb_build_array((extract(epoch from h.hour) * 1000)::bigint, h.received)) as hours
    from feeds f join organizations o on o.id = f.organization_id
      join (select distinct feed_id, group_id from feed_facilities) l on l.feed_id = f.id
      join facility_hours h on h.feed_id = f.id and h.group_id = l.group_id
    where f.ended_at is null and ${IS_WATCHED} and f.silent_since is null
      and not exists (select from messages m where m.status = 'PENDING' and m.sender = f.id)
      and not exists (select from facility_hours n where n.feed_id = f.id and n.group_id = l.group_id
        and n.hour >= date_trunc('hour', ${quietSince}::timestamptz, 'UTC') and n.last_at >= ${quietSince})
    group by f.id, l.group_id, o.id`);
  const silent = rows.flatMap((row) => {
    const history = historyOf(row);
    return history && silenceOf(history, now.getTime()).isSilent ? [{ ...row, since: row.lastAt }] : [];
  });
  const noted = sql`unnest(${silent.map(({ id }) => id)}::bigint[], ${silent.map(({ groupId }) => groupId)}::bigint[],
    ${silent.map(({ since }) => since)}::timestamptz[]) as s (feed_id, group_id, since)`;
  const over = await tx.query<{ feedId: string; groupId: string }>(sql`
    select n.feed_id as "feedId", n.group_id as "groupId" from facility_silences n
    where not exists (select from ${noted} where (s.feed_id, s.group_id) = (n.feed_id, n.group_id))
      and not exists (select from messages m where m.status = 'PENDING' and m.sender = n.feed_id)`);
  // A statement that changes nothing would tell open pages, too.
  if (over.rows.length > 0)
    await tx.query(sql`
      delete from facility_silences n using unnest(${over.rows.map(({ feedId }) => feedId)}::bigint[],
        ${over.rows.map(({ groupId }) => groupId)}::bigint[]) as o (feed_id, group_id)
      where (n.feed_id, n.group_id) = (o.feed_id, o.group_id)`);
  const begun = await tx.query<{ feedId: string; groupId: string; since: string }>(sql`
    select s.feed_id as "feedId", s.group_id as "groupId", s.since from ${noted}
    where not exists (select from facility_silences n where (s.feed_id, s.group_id) = (n.feed_id, n.group_id))`);
  if (begun.rows.length > 0)
    await tx.query(sql`
      insert into facility_silences (feed_id, group_id, since)
      select * from unnest(${begun.rows.map(({ feedId }) => feedId)}::bigint[], ${begun.rows.map(({ groupId }) => groupId)}::bigint[],
        ${begun.rows.map(({ since }) => since)}::timestamptz[])`);
  return silent.length;
}
