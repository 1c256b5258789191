/** A job notes each minute which feeds are silent. Open lists follow what it notes (`work/list-gaps/`). */
import { HOUR } from '#contract/durations.ts';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { watchFacilities } from './facility-silence.ts';
import { type FeedHistory, silenceOf } from './silence.ts';
import { type HistoryRow, historyOf, IS_WATCHED } from './silence-history.ts';

/** What is kept of a feed's hours, before its last one. */
const KEPT = '13 weeks';
const KEPT_DAYS = '60 days';
/** What is kept of messages a day and of outpatients' codes. */
const KEPT_LONG = '400 days';

/**
 * Returns what is known of the feeds `f` that meet the condition and have had a message. The last message is the last one that isn't a
 * duplicate, also if it waits in the queue: a sender that repeats one message is silent, and a queue that is behind is no silence.
 */
export async function historiesOf(tx: Queryable, condition: Sql): Promise<Map<string, FeedHistory>> {
  const { rows } = await tx.query<HistoryRow>(sql`
    select f.id, coalesce(f.settings ->> 'timeZone', ${DEFAULT_FEED_SETTINGS.timeZone}) as "timeZone",
      (select min(h.hour) from feed_hours h where h.feed_id = f.id) as "firstAt",
      greatest((select max(c.last_at) from feed_counts c where c.feed_id = f.id),
        (select max(m.received_at) from messages m where m.status = 'PENDING' and m.sender = f.id)) as "lastAt",
      o.added_holidays::text[] as added, o.removed_holidays::text[] as removed,
      coalesce((
        select jsonb_agg(jsonb_build_array((extract(epoch from h.hour) * 1000)::bigint, h.received))
        from feed_hours h where h.feed_id = f.id), '[]') as hours
    from feeds f join organizations o on o.id = f.organization_id
    where f.ended_at is null and ${condition}`);
  return new Map(
    rows.flatMap((row): [string, FeedHistory][] => {
      const history = historyOf(row);
      return history ? [[row.id, history]] : [];
    }),
  );
}

/** Notes which feeds are silent, and which facilities of feeds for several, and since when. Returns how many are. Only feeds without a message for an hour are looked at. */
export async function watchSilence(database: Database, now: Date): Promise<number> {
  return database.transaction(async (tx) => {
    const quietSince = new Date(now.getTime() - HOUR);
    const quiet = sql`${IS_WATCHED} and not exists (
      select from feed_counts c where c.feed_id = f.id and c.last_at > ${quietSince}::timestamptz)`;
    const silent = [...(await historiesOf(tx, quiet))].filter(
      ([, history]) => silenceOf(history, now.getTime()).isSilent,
    );
    await tx.query(sql`
      update feeds f set silent_since = s.since
      from feeds g left join unnest(${silent.map(([id]) => id)}::bigint[],
        ${silent.map(([, { lastAt }]) => new Date(lastAt).toISOString())}::timestamptz[]) as s (id, since) on s.id = g.id
      where f.id = g.id and f.silent_since is distinct from s.since`);
    return silent.length + (await watchFacilities(tx, now));
  });
}

/** Deletes counts that nothing compares any more. A daily job. */
export async function forgetFeedHours(database: Queryable, now: Date): Promise<void> {
  await database.query(sql`
    delete from feed_hours h using (select feed_id, max(hour) as last from feed_hours group by feed_id) l
    where h.feed_id = l.feed_id and h.hour < l.last - ${KEPT}::interval`);
  await database.query(sql`
    delete from facility_hours h using (select feed_id, group_id, max(hour) as last from facility_hours group by 1, 2) l
    where (h.feed_id, h.group_id) = (l.feed_id, l.group_id) and h.hour < l.last - ${KEPT}::interval`);
  const before = sql`(${now}::timestamptz - ${KEPT_DAYS}::interval)::date`;
  await database.query(sql`delete from feed_delays where day < ${before}`);
  await database.query(sql`delete from feed_fields where day < ${before}`);
  await database.query(sql`delete from feed_codes where day < ${before}`);
  const longBefore = sql`(${now}::timestamptz - ${KEPT_LONG}::interval)::date`;
  await database.query(sql`
    delete from feed_counts c
    where c.day < ${longBefore} and exists (select from feed_counts later where later.feed_id = c.feed_id and later.day > c.day)`);
  await database.query(sql`delete from outpatient_codes where month < ${longBefore}`);
}
