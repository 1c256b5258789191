/** The codes that outpatients of feeds had since the beginning of last month, for administrators. */
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import { feedSettings } from '#contract/feed-settings.ts';
import type { OutpatientCode } from '#contract/feeds.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { sql } from '#server/platform/database/sql.ts';
import { monthOf } from './count-outpatient-codes.ts';
import { type CodeCounts, suggestedBy } from './suggest-observation.ts';

/** Returns the codes of each feed, most frequent first. The caller has checked that the actor can see the feeds. */
export async function outpatientCodesOf(
  tx: ActorTransaction,
  feedIds: readonly string[],
  now: Date,
): Promise<Map<string, OutpatientCode[]>> {
  const { rows } = await tx.query<CodeCounts & { feedId: string; settings: object }>(sql`
    select f.id as "feedId", f.settings, o.field, o.code, sum(o.arrivals)::int as arrivals, sum(o.discharges)::int as discharges,
      sum(o.long_stays)::int as "longStays"
    from outpatient_codes o join feeds f on f.id = o.feed_id
    where o.feed_id = any (${feedIds}::bigint[]) and o.month >= ${monthOf(now, 1)}::date
    group by f.id, o.field, o.code order by greatest(sum(o.arrivals), sum(o.discharges)) desc, o.field, o.code`);
  const byFeed = new Map<string, OutpatientCode[]>();
  for (const { feedId, settings, ...counts } of rows) {
    const { data } = feedSettings.safeParse({ ...DEFAULT_FEED_SETTINGS, ...settings });
    const codes = byFeed.get(feedId) ?? [];
    codes.push({ ...counts, suggestedBy: data ? suggestedBy(counts, data) : null });
    byFeed.set(feedId, codes);
  }
  return byFeed;
}
