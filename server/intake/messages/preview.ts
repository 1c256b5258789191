/**
 * What would this message do? It goes the way of every message, within a transaction that is always rolled back: what is
 * reported is what would happen, and nothing of it has happened (sequences aside).
 */
import { randomInt } from 'node:crypto';
import type { z } from 'zod';
import type { messagePreview } from '#contract/feeds.ts';
import { feedOf, loadFeeds } from '#server/intake/feeds/feed-lookup.ts';
import { splitMessages } from '#server/intake/hl7/batch.ts';
import { headerOf } from '#server/intake/hl7/header.ts';
import { parseMessage } from '#server/intake/hl7/message.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { Process } from './message-queue.ts';
import type { MessageOutcome, PendingMessage } from './queries.ts';

export type MessagePreview = z.output<typeof messagePreview>;

export interface PreviewDeps {
  /** The pipeline role's. */
  pipeline: Database;
  process: Process;
}

/** `feedId` is a feed that the caller may see. Errors: BAD_REQUEST where the text is several messages. */
export async function preview(
  { pipeline, process }: PreviewDeps,
  feedId: string,
  text: string,
  now: Date,
): Promise<MessagePreview> {
  const [single, ...more] = splitMessages(Buffer.from(text)).map((bytes) => bytes.toString('utf8'));
  if (more.length > 0) throw new ApiError('BAD_REQUEST', { message: 'Preview one message at a time.' });
  const parsed = single && parseMessage(single);
  if (!parsed) return refused('MSH: the header segment cannot be read.');
  const { sendingApplication, sendingFacility, messageCode, trigger } = headerOf(parsed);
  const message: PendingMessage = {
    // No message has such an id, and no two previews the same.
    id: String(-randomInt(1, 2 ** 47)),
    receivedAt: now.toISOString(),
    source: 'MLLP',
    // The text came as UTF-8, whatever its MSH-18 says: a byte order mark wins over that.
    raw: Buffer.from(`\ufeff${single}`),
    sendingApplication,
    sendingFacility,
    messageType: [messageCode, trigger].filter(Boolean).join('^'),
    attempts: 0,
    // As one that was counted before: a preview holds no lock on the feed's counts.
    feedId,
  };
  return rehearse(pipeline, async (tx) => {
    if (feedOf(await loadFeeds(tx), message)?.id !== feedId) {
      return refused('MSH-3 and MSH-4 of this message are not those of the feed.');
    }
    // Settings are tried while the feed is paused.
    await tx.query(sql`update feeds set paused_at = null where id = ${feedId} and paused_at is not null`);
    const { rows } = await tx.query<{ id: string }>(sql`select coalesce(max(id), 0) as id from events`);
    const [outcome] = await process(tx, [message]);
    return report(tx, outcome as MessageOutcome, rows[0]?.id ?? '0');
  });
}

const refused = (reason: string): MessagePreview => ({
  outcome: 'quarantine',
  reason,
  facilityName: null,
  matching: null,
  events: [],
  recipients: 0,
});

/** Carries what was seen out of a transaction that must not be committed. */
class Rehearsed<T> extends Error {
  override name = 'Rehearsed';
  readonly seen: T;
  constructor(seen: T) {
    super('rolled back on purpose');
    this.seen = seen;
  }
}

async function rehearse<T>(database: Database, fn: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(
      async (tx) => {
        throw new Rehearsed(await fn(tx));
      },
      { retries: 3 },
    );
  } catch (error) {
    if (error instanceof Rehearsed) return error.seen as T;
    throw error;
  }
}

const OUTCOMES: Partial<Record<MessageOutcome['status'], MessagePreview['outcome']>> = {
  APPLIED: 'facts',
  NOT_ACTED_ON: 'not-acted-on',
};

/** `newestEvent`: the largest id of an event before. Rows that this transaction wrote carry its id in `xmin`. */
async function report(
  tx: Transaction,
  { id, status, reason }: MessageOutcome,
  newestEvent: string,
): Promise<MessagePreview> {
  const events = await tx.query<MessagePreview['events'][number] & { id: string }>(sql`
    select id, code as status,
      case when state = 'CANCELLED' then 'cancelled' when id > ${newestEvent} then 'added' else 'amended' end as change,
      case when event_precision = 'day' then event_day::text
        else to_char(event_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end as "eventDate"
    from events where xmin = pg_current_xact_id()::xid order by event_at, id`);
  const told = await tx.query<{ recipients: number }>(sql`
    select count(distinct group_id)::int as recipients from pings
    where xmin = pg_current_xact_id()::xid and event_id = any (${events.rows.map((event) => event.id)}::bigint[])`);
  const patients = await tx.query<Pick<MessagePreview, 'facilityName' | 'matching'>>(sql`
    select g.name as "facilityName", case
      when exists (select from match_reviews r
        where r.subject = 'SOURCE_PATIENT' and r.subject_id = s.id and r.decided_at is null) then 'review'
      when exists (select from source_patients o where o.person_id = s.person_id and o.id <> s.id)
        or exists (select from roster_patients l
          where l.person_id = s.person_id and (l.group_id, l.member_id) <> (s.group_id, s.record_number)) then 'matched'
      else 'new' end as matching
    from facts f join source_patients s on s.id = f.source_patient_id join groups g on g.id = s.group_id
    where f.message_id = ${id} order by f.ordinal limit 1`);
  const patient = patients.rows[0] ?? { facilityName: null, matching: null };
  return {
    outcome: OUTCOMES[status] ?? 'quarantine',
    reason,
    ...patient,
    events: events.rows.map(({ id: _, ...event }) => event),
    recipients: told.rows[0]?.recipients ?? 0,
  };
}
