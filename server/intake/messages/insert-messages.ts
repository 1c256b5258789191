/** Stores messages as they come. They wait in the queue until a batch processes them (`message-queue.ts`). */
import type { Queryable } from '#server/platform/database/pool.ts';
import { DIGEST_BYTES, type NewMessage, type StoredMessage } from './received-message.ts';

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
