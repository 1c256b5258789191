import type { MessageStatus } from '#contract/feeds.ts';
import { FEED_OF_MESSAGE } from '#server/intake/feeds/feed-lookup.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { NewMessage, ReceivedMessage, StoredMessage } from './received-message.ts';

/**
 * Stores messages in one statement, hence in one transaction, and returns them in the same order. The feed of each sender is looked up
 * for the turns in the queue; which feed a message belongs to is decided when it is processed. A message whose digest is known becomes a
 * DUPLICATE without its bytes; as it is never processed, it gets its feed here. Digests are inserted in sorted order, so that two writers
 * can't deadlock on them.
 */
const INSERT_MESSAGES = `
with incoming as (
  select nextval('messages_id_seq') as id, source, substring($2::bytea from start + 1 for length) as raw, received_at, remote,
         sending_application, sending_facility, control_id, message_type,
         substring($9::bytea from (ord::int - 1) * 32 + 1 for 32) as digest, lane, entered_by, unreadable, ord
  from unnest($1::text[], $13::int[], $14::int[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
              $10::int[], $11::bigint[], $12::text[])
    with ordinality as i (source, start, length, received_at, remote, sending_application, sending_facility, control_id, message_type,
              lane, entered_by, unreadable, ord)
), fresh as (
  insert into message_digests (digest, message_id, received_at)
  select distinct on (digest) digest, id, received_at from incoming order by digest, ord
  on conflict do nothing
  returning message_id
), senders as (
  select m.*, (${FEED_OF_MESSAGE.text}) as feed_id
  from (select distinct source, sending_application, sending_facility from incoming) m
), stored as (
  insert into messages (id, source, raw, received_at, remote, sending_application, sending_facility, control_id, message_type,
                        digest, lane, sender, entered_by, feed_id, status, reason)
  overriding system value
  select m.id, source, case when fresh.message_id is not null then raw end, received_at, remote, sending_application, sending_facility,
         control_id, message_type, digest, lane, case when source in ('MANUAL', 'LINK') then -1 else coalesce(s.feed_id, 0) end, entered_by,
         case when fresh.message_id is null then s.feed_id end,
         case when fresh.message_id is null then 'DUPLICATE' when unreadable <> '' then 'QUARANTINED' else 'PENDING' end,
         case when fresh.message_id is null then case source when 'CCDA' then 'Duplicate of a document received earlier (same bytes).' else 'Duplicate of a message received earlier (same MSH-3, MSH-4, MSH-10 and bytes).' end
              else unreadable end
  from incoming m join senders s using (source, sending_application, sending_facility)
    left join fresh on fresh.message_id = m.id
  returning id, status
)
select s.id, s.status from stored s join incoming i using (id) order by i.ord`;

export async function insertMessages(database: Queryable, messages: NewMessage[]): Promise<StoredMessage[]> {
  const column = <T>(of: (message: NewMessage) => T): T[] => messages.map(of);
  let end = 0;
  const starts = messages.map(({ raw }) => (end += raw.length) - raw.length);
  const { rows } = await database.query<StoredMessage>(INSERT_MESSAGES, [
    column((m) => m.source),
    Buffer.concat(column((m) => m.raw)),
    column((m) => m.receivedAt.toISOString()),
    column((m) => m.remote),
    column((m) => m.sendingApplication),
    column((m) => m.sendingFacility),
    column((m) => m.controlId),
    column((m) => m.messageType),
    Buffer.concat(column((m) => m.digest)),
    column((m) => m.lane),
    column((m) => m.enteredBy ?? null),
    column((m) => m.unreadable ?? ''),
    starts,
    column((m) => m.raw.length),
  ]);
  return rows;
}

/** A message in the queue. */
export interface PendingMessage {
  id: string;
  receivedAt: string;
  source: ReceivedMessage['source'];
  raw: Buffer;
  sendingApplication: string;
  sendingFacility: string;
  messageType: string;
  /** The feed it was assigned to when it was processed before; null if it wasn't. */
  feedId: string | null;
}

/** A message that this transaction may process. */
export interface ClaimedMessage extends PendingMessage {
  /** Whose turn it takes: the column `sender`. */
  sender: string;
  /** Whether its processing was started before and did not end. */
  wasStarted: boolean;
  /** How often it was started by itself. */
  startsAlone: number;
}

const BATCH_BYTES = 32 * 1024 * 1024;

/** Skips from sender to sender in the index, however many messages of each are waiting. */
export const WAITING_SENDERS = `
with recursive waiting as (
  select (select m.sender from messages m where m.status = 'PENDING' order by m.sender limit 1) as sender
  union all
  select (select m.sender from messages m where m.status = 'PENDING' and m.sender > w.sender order by m.sender limit 1)
  from waiting w where w.sender is not null
)
select sender::text from waiting where sender is not null order by sender <= $1::bigint, sender`;

/** Returns the senders that have pending messages in the order of their turns, which is a circle: the one after `last` first. */
export async function sendersInTurn(tx: Queryable, last: string): Promise<string[]> {
  const { rows } = await tx.query<{ sender: string }>(WAITING_SENDERS, [last]);
  return rows.map(({ sender }) => sender);
}

/** Returns the sender of a message that was started and did not end, or '0'. */
export async function senderOfStarted(tx: Queryable): Promise<string> {
  const { rows } = await tx.query<{ sender: string }>(sql`
    select m.sender from started_messages s join messages m on m.id = s.message_id
    where m.status = 'PENDING' order by s.alone desc, m.id limit 1`);
  return rows[0]?.sender ?? '0';
}

/**
 * Claims the oldest pending messages of a sender, in order. A lane's lock is held until the transaction ends, so that two workers never process one
 * patient's messages at the same time or out of order; `for update` lets a worker that waited for a lane see what the other one did.
 * The candidates are limited before locks are tried, otherwise a long queue would fill the lock table, and by their bytes, otherwise a
 * batch of long messages would fill the memory. A plan test checks that processed messages aren't read.
 */
export const CLAIM = `
with candidates as materialized (
  select id, received_at, lane, sum(bytes) over (order by id) - bytes as before
  from (select id, received_at, lane, coalesce(octet_length(raw), 0) as bytes from messages
        where status = 'PENDING' and sender = $3::bigint order by id limit $1 * 4) as oldest
)
select m.id, m.sender, m.received_at as "receivedAt", m.source, m.raw, m.sending_application as "sendingApplication",
       m.sending_facility as "sendingFacility", m.message_type as "messageType", m.feed_id as "feedId",
       s.message_id is not null as "wasStarted", coalesce(s.alone, 0) as "startsAlone"
from candidates c join messages m using (id, received_at) left join started_messages s on s.message_id = m.id
where m.status = 'PENDING' and m.sender = $3::bigint and c.before < $2 and pg_try_advisory_xact_lock(7411, c.lane)
order by m.id limit $1 for update of m skip locked`;

export async function claimMessages(tx: Queryable, sender: string, limit: number): Promise<ClaimedMessage[]> {
  return (await tx.query<ClaimedMessage>(CLAIM, [limit, BATCH_BYTES, sender])).rows;
}

/** What became of a message. */
export interface MessageOutcome {
  id: string;
  receivedAt: string;
  status: MessageStatus;
  reason: string;
  feedId: string | null;
}

const SETTLE = `
update messages m set status = o.status, reason = o.reason, feed_id = o.feed_id, processed_at = $1, attempts = attempts + 1
from unnest($2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::bigint[]) as o (id, received_at, status, reason, feed_id)
where m.id = o.id and m.received_at = o.received_at`;

export async function settleMessages(tx: Queryable, outcomes: MessageOutcome[], now: Date): Promise<void> {
  await tx.query(SETTLE, [
    now.toISOString(),
    outcomes.map((o) => o.id),
    outcomes.map((o) => o.receivedAt),
    outcomes.map((o) => o.status),
    outcomes.map((o) => o.reason),
    outcomes.map((o) => o.feedId),
  ]);
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
      where id = ${id} and status = 'PENDING' returning id)
    delete from started_messages using quarantined where message_id = quarantined.id`);
}
