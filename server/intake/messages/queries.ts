import type { MessageStatus } from '#contract/feeds.ts';
import { FEED_OF_MESSAGE } from '#server/intake/feeds/feed-lookup.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { DIGEST_BYTES, type NewMessage, type ReceivedMessage, type StoredMessage } from './received-message.ts';

/**
 * Stores messages in one statement, hence in one transaction, and returns their ids in the same order. They wait: whether one is a resend, which feed it
 * belongs to and what else is known of it is found out by the batch that processes it, so that an acknowledgement waits for no more than the row
 * (docs/decisions/0126).
 */
const INSERT_MESSAGES = `
insert into messages (source, raw, received_at, remote, sending_application, sending_facility, control_id, message_type, digest, lane, sender,
                      entered_by, status, reason)
select source, substring($2::bytea from start + 1 for length), received_at, remote, sending_application, sending_facility, control_id, message_type,
       substring($9::bytea from (ord::int - 1) * ${DIGEST_BYTES} + 1 for ${DIGEST_BYTES}), lane, sender, entered_by, 'PENDING', unreadable
from unnest($1::text[], $13::int[], $14::int[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
            $10::int[], $15::bigint[], $11::bigint[], $12::text[])
  with ordinality as i (source, start, length, received_at, remote, sending_application, sending_facility, control_id, message_type,
            lane, sender, entered_by, unreadable, ord)
order by ord
returning id`;

/** The same for one message, as most come: PostgreSQL prepares thirteen functions to read arrays of one value each, which takes a seventh of the statement. */
const INSERT_MESSAGE = `
insert into messages (source, raw, received_at, remote, sending_application, sending_facility, control_id, message_type, digest, lane, sender,
                      entered_by, status, reason)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'PENDING', $13)
returning id`;

/** `senders`: whose turn each message takes. */
export async function insertMessages(
  database: Queryable,
  messages: readonly NewMessage[],
  senders: readonly string[],
): Promise<StoredMessage[]> {
  const [first] = messages;
  if (first !== undefined && messages.length === 1) return insertMessage(database, first, senders[0]);
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
    senders,
  ]);
  return rows;
}

async function insertMessage(database: Queryable, m: NewMessage, sender?: string): Promise<StoredMessage[]> {
  const { rows } = await database.query<StoredMessage>(INSERT_MESSAGE, [
    m.source,
    m.raw,
    m.receivedAt.toISOString(),
    m.remote,
    m.sendingApplication,
    m.sendingFacility,
    m.controlId,
    m.messageType,
    m.digest,
    m.lane,
    sender,
    m.enteredBy ?? null,
    m.unreadable ?? '',
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
  /** Why it can't be processed at all, or ''. */
  unreadable: string;
}

const BATCH_BYTES = 32 * 1024 * 1024;

/**
 * Settings of a transaction that reads the queue: it may be empty when a statement is planned, and hold a million messages when the plan is used.
 * So it is read in the order of its index: whoever expects few messages finds all of a sender's and sorts them.
 */
export const BY_INDEX = { enable_seqscan: 'off', enable_bitmapscan: 'off' };

/** Lets other statements of the transaction be planned as usual. */
export const planAsUsual = (tx: Queryable) =>
  tx.query('set local enable_seqscan to default; set local enable_bitmapscan to default');

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
 * batch of long messages would fill the memory. Messages are looked up one by one, in whatever number the planner expects them. A plan test checks
 * that no other messages are read.
 */
export const CLAIM = `
with candidates as materialized (
  select id, lane, sum(bytes) over (order by id) - bytes as before
  from (select id, lane, coalesce(octet_length(raw), 0) as bytes from messages
        where status = 'PENDING' and sender = $3::bigint order by id limit $1 * 4) as oldest
), held as materialized (
  select id from candidates where before < $2 and pg_try_advisory_xact_lock(7411, lane) order by id limit $1
)
select m.id, m.sender, m.received_at as "receivedAt", m.source, m.raw, m.sending_application as "sendingApplication",
       m.sending_facility as "sendingFacility", m.feed_id as "feedId", m.reason as unreadable,
       m.alone is not null as "wasStarted", coalesce(m.alone, 0) as "startsAlone"
from held cross join lateral (
  select p.*, (select s.alone from started_messages s where s.message_id = p.id) as alone
  from messages p where p.status = 'PENDING' and p.id = held.id for update of p skip locked) m
order by m.id`;

export async function claimMessages(tx: Queryable, sender: string, limit: number): Promise<ClaimedMessage[]> {
  return (await tx.query<ClaimedMessage>(CLAIM, [limit, BATCH_BYTES, sender])).rows;
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
