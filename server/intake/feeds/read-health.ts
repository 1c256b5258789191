/** The health of feeds for their administrators: counts only, of which none is about a patient. */
import { HOUR } from '#contract/durations.ts';
import {
  type FeedHealth,
  type FeedHealthSummary,
  type FeedState,
  HEALTH_DAYS,
  MISSING_SHARE,
} from '#contract/feed-health.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { DELAY_STEPS } from './count-health.ts';
import { maySeeFeed } from './feed-scope.ts';
import { type FeedHistory, silenceOf, usualDay } from './silence.ts';
import { historiesOf } from './watch-silence.ts';

const SHOWN_HOURS = 48;
const MOST_CODES = 20;

interface Counts {
  id: string;
  kind: string;
  isPaused: boolean;
  isApproved: boolean;
  isBackfill: boolean;
  /** As the job noted it. */
  silentSince: string | null;
  silentFacilities: FeedHealthSummary['silentFacilities'];
  delays: Record<string, number>;
  fields: FeedHealth['fields'];
  codes: FeedHealth['codes'];
}

async function countsOf(tx: ActorTransaction, ids: readonly string[], now: Date): Promise<Counts[]> {
  const since = new Date(now.getTime() - (HEALTH_DAYS - 1) * 24 * HOUR).toISOString().slice(0, 10);
  const { rows } = await tx.query<Counts>(sql`
    select f.id, f.kind, f.paused_at is not null as "isPaused", f.approved_at is not null as "isApproved",
      f.is_backfill as "isBackfill", f.silent_since as "silentSince",
      coalesce((select jsonb_agg(jsonb_build_object('facilityName', g.name, 'since', n.since) order by n.since, g.name)
        from facility_silences n join groups g on g.id = n.group_id where n.feed_id = f.id), '[]') as "silentFacilities",
      coalesce((select jsonb_object_agg(within, messages) from (
        select within, sum(messages)::int as messages from feed_delays where feed_id = f.id and day >= ${since}::date group by 1) d), '{}') as delays,
      coalesce((select jsonb_agg(c order by c.missing desc, c.field) from (
        select field, sum(messages)::int as messages, sum(missing)::int as missing
        from feed_fields where feed_id = f.id and day >= ${since}::date group by 1) c), '[]') as fields,
      coalesce((select jsonb_agg(c order by c.messages desc, c.code) from (
        select field, code, sum(messages)::int as messages
        from feed_codes where feed_id = f.id and day >= ${since}::date group by 1, 2 order by 3 desc, 2 limit ${MOST_CODES}) c), '[]') as codes
    from feeds f where f.id = any (${ids}::bigint[])`);
  return rows;
}

function stateOf(
  { isPaused, isApproved, silentSince }: Counts,
  history: FeedHistory | undefined,
  now: number,
): FeedState {
  if (!isApproved) return 'WAITING';
  if (isPaused) return 'PAUSED';
  if (!history) return 'UNHEARD';
  if (silentSince !== null) return 'SILENT';
  return usualDay(history, now) === null ? 'NEW' : 'HEARD';
}

/** Returns the step within which half of the messages came; null if there are none. Longer than a day counts as a day. */
function medianDelay(delays: Record<string, number>): number | null {
  const total = Object.values(delays).reduce((sum, count) => sum + count, 0);
  let before = 0;
  for (const step of DELAY_STEPS) {
    before += delays[step] ?? 0;
    if (total > 0 && before * 2 >= total) return step;
  }
  return total > 0 ? (DELAY_STEPS.at(-1) ?? null) : null;
}

function countSince({ hours }: FeedHistory, from: number): number {
  return [...hours].reduce((sum, [hour, messages]) => (hour >= from ? sum + messages : sum), 0);
}

/** A diagnosis is not required (42 CFR 482.24(d)), so it is shown and doesn't count. */
const isProblem = ({ field, messages, missing }: FeedHealth['fields'][number]): boolean =>
  field !== 'DG1-3' && missing > messages * MISSING_SHARE;

function summaryOf(counts: Counts, history: FeedHistory | undefined, now: number): FeedHealthSummary {
  const state = stateOf(counts, history, now);
  return {
    state,
    silentSince: state === 'SILENT' ? counts.silentSince : null,
    silentFacilities:
      state === 'SILENT' || state === 'PAUSED'
        ? []
        : counts.silentFacilities.map(({ facilityName, since }) => ({
            facilityName,
            since: new Date(since).toISOString(),
          })),
    lastDay: history ? countSince(history, Math.floor(now / HOUR) * HOUR - 23 * HOUR) : 0,
    usualDay: history ? usualDay(history, now) : null,
    delayMinutes: medianDelay(counts.delays),
    missingFields: counts.fields.filter(isProblem).length,
    unmappedCodes: counts.codes.length,
  };
}

/** Returns the health of feeds that the actor can see, by ID. */
export async function summariesOf(
  tx: ActorTransaction,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, FeedHealthSummary>> {
  const counts = await countsOf(tx, ids, now);
  const histories = await historiesOf(tx, sql`f.id = any (${ids}::bigint[])`);
  return new Map(counts.map((each) => [each.id, summaryOf(each, histories.get(each.id), now.getTime())]));
}

/** Returns the health of a feed in full. Throws NOT_FOUND if the actor can't see the feed. */
export async function healthOf(tx: ActorTransaction, id: string, now: Date): Promise<FeedHealth> {
  const { rows } = await tx.query<{ id: string }>(
    sql`select f.id from feeds f where f.id = ${id} and f.ended_at is null and ${maySeeFeed(tx)}`,
  );
  const [counts] = rows[0] ? await countsOf(tx, [id], now) : [];
  if (counts === undefined) throw new ApiError('NOT_FOUND');
  const history = (await historiesOf(tx, sql`f.id = ${id}`)).get(id);
  const end = Math.floor(now.getTime() / HOUR) * HOUR;
  return {
    ...summaryOf(counts, history, now.getTime()),
    id,
    usualSinceLast: history ? [...silenceOf(history, now.getTime()).usual] : [],
    delays: [...DELAY_STEPS, 0].flatMap((step) => {
      const messages = counts.delays[step] ?? 0;
      return messages > 0 ? [{ withinMinutes: step || null, messages }] : [];
    }),
    fields: counts.fields,
    codes: counts.codes,
    hours: Array.from({ length: SHOWN_HOURS }, (_, index) => {
      const hour = end - (SHOWN_HOURS - index) * HOUR;
      return { hour: new Date(hour).toISOString(), messages: history?.hours.get(hour) ?? 0 };
    }),
  };
}
