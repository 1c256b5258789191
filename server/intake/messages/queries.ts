/** What becomes of waiting messages: starts, resends, outcomes. */
import type { MessageStatus } from '#contract/feeds.ts';
import { FEED_OF_MESSAGE } from '#server/intake/feeds/feed-lookup.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { ReceivedMessage } from './received-message.ts';

/** A message in the queue. */
export interface PendingMessage {
  id: string;
  receivedAt: string;
  source: ReceivedMessage['source'];
  raw: Buffer;
  sendingApplication: string;
  sendingFacility: string;
  /** The feed it was assigned to when it was processed before; null if it wasn't. */
  feedId: string | null;
}

/** What became of a message. */
export interface MessageOutcome {
  id: string;
  status: MessageStatus;
  reason: string;
  feedId: string | null;
}

/** Moves messages from the queue to their month. The text of a duplicate isn't kept. */
const SETTLE = `
update messages m set status = o.status, reason = o.reason, feed_id = o.feed_id, processed_at = $1, attempts = attempts + 1,
  raw = case when o.status <> 'DUPLICATE' then m.raw end
from unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[]) as o (id, status, reason, feed_id)
where m.status = 'PENDING' and m.id = any($2::bigint[]) and m.id = o.id`;

/** Nothing but the end of the batch follows in the transaction. */
export async function settleMessages(tx: Queryable, outcomes: MessageOutcome[], now: Date): Promise<void> {
  const values = [
    now.toISOString(),
    outcomes.map((o) => o.id),
    outcomes.map((o) => o.status),
    outcomes.map((o) => o.reason),
    outcomes.map((o) => o.feedId),
  ];
  // A nested loop would compare each message with each outcome.
  await Promise.all([
    tx.query('set local enable_seqscan = off; set local enable_nestloop = off'),
    tx.query(SETTLE, values),
  ]);
}

/**
 * SQL: digest `d` is that of another message that equals `m`. Digests of before 0176 are only the hash, with which today's end; the last of them are
 * forgotten 400 days after it.
 */
const IS_OF_EARLIER = sql`d.digest in (m.digest, substring(m.digest from octet_length(m.digest) - 31)) and d.message_id <> m.id`;

/**
 * Remembers the digests of claimed messages, and returns those whose digest another message had before, with the feed of their sender. Equal messages are
 * in the same lane, so that no other worker is at one of them. Digests are inserted in sorted order, so that two workers can't deadlock on them.
 */
const RECOGNIZE = `
with claimed as (
  select id, digest, received_at, source, sending_application, sending_facility,
    first_value(id) over (partition by digest order by id) as first_id
  from messages where status = 'PENDING' and id = any($1::bigint[])
), remembered as (
  insert into message_digests (digest, message_id, received_at)
  select digest, id, received_at from claimed where id = first_id order by digest
  on conflict do nothing
)
select m.id, (${FEED_OF_MESSAGE.text}) as "feedId" from claimed m
where m.id <> first_id or exists (select from message_digests d where ${IS_OF_EARLIER.text})`;

export async function recognize(tx: Queryable, ids: readonly string[]): Promise<Map<string, string | null>> {
  const { rows } = await tx.query<{ id: string; feedId: string | null }>(RECOGNIZE, [ids]);
  return new Map(rows.map(({ id, feedId }) => [id, feedId]));
}

/** Whether the same bytes were received from the sender of a message before it. */
export async function isResend(database: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await database.query(sql`
    select from messages m where m.id = ${id} and (
      exists (select from message_digests d where ${IS_OF_EARLIER})
      or exists (select from messages w where w.status = 'PENDING' and w.sender = m.sender and w.id < m.id and w.digest = m.digest))`);
  return rowCount > 0;
}

/** Records that the processing of messages starts. Committed before they are processed, so that it outlives the thread and the process. */
export async function recordStart(database: Queryable, ids: readonly string[], isAlone: boolean): Promise<void> {
  await database.query(sql`
    insert into started_messages as s (message_id, alone) select unnest(${ids}::bigint[]), ${isAlone ? 1 : 0}::int
    on conflict (message_id) do update set alone = s.alone + excluded.alone`);
}

/** Takes back a start that says nothing about the messages. */
export async function revokeStart(database: Queryable, ids: readonly string[], isAlone: boolean): Promise<void> {
  await database.query(
    isAlone
      ? sql`update started_messages set alone = greatest(alone - 1, 0) where message_id = any (${ids}::bigint[])`
      : sql`delete from started_messages where message_id = any (${ids}::bigint[])`,
  );
}

/** Records that the processing of messages ended, in the transaction that ends it. */
export async function recordEnd(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query(sql`delete from started_messages where message_id = any (${ids}::bigint[])`);
}

/** Quarantines a message that can't be processed. Leaves it alone if it has been processed since. */
export async function quarantine(
  database: Queryable,
  id: string,
  { reason, attempts, now }: { reason: string; attempts: number; now: Date },
): Promise<void> {
  await database.query(sql`
    with quarantined as (
      update messages set status = 'QUARANTINED', reason = ${reason}, attempts = ${attempts}, processed_at = ${now}
      where id = ${id} and status = 'PENDING' returning id, digest, received_at),
    known as (
      insert into message_digests (digest, message_id, received_at) select digest, id, received_at from quarantined
      on conflict do nothing)
    delete from started_messages using quarantined where message_id = quarantined.id`);
}
