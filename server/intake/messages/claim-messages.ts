/** Which messages a transaction processes: whose turn it is, and the claim of what that sender has waiting. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { PendingMessage } from './queries.ts';

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
 * Claims the oldest pending messages of a sender, in order:
 *
 * - `oldest` are limited before locks are tried, otherwise a long queue would fill the lock table.
 * - `candidates` are limited by their bytes, otherwise a batch of long messages would fill the memory.
 * - `held` are those whose lane's lock is free. It is held until the transaction ends, so that two workers never process one patient's
 *   messages at the same time or out of order.
 * - They are looked up again: `for update` lets a worker that waited for a lane see what the other one did. They are looked up one by one, in
 *   whatever number the planner expects them. A plan test checks that no other messages are read.
 */
export const CLAIM = `
with candidates as materialized (
  select id, lane, sum(bytes) over (order by id) - bytes as before
  from (
    select id, lane, coalesce(octet_length(raw), 0) as bytes from messages
    where status = 'PENDING' and sender = $3::bigint order by id limit $1 * 4) oldest
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
