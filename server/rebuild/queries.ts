import type { PendingMessage } from '#server/intake/messages/queries.ts';
import { databaseError } from '#server/platform/database/errors.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { NewFact } from '#server/record/encounters/dossiers.ts';

/** A run that is under way. */
export interface Run {
  id: string;
  afterMessage: string;
  lastMessage: string;
}

const RUNS_LOCK = 7413;

/**
 * Keeps other processes from rebuilding until the returned function is called or this process ends. Returns null if one of them is at it. Batches lock the
 * run too (`lockRun`), in case this connection is lost.
 */
export async function lockRuns({ pool }: Pick<Database, 'pool'>): Promise<(() => Promise<void>) | null> {
  const client = await pool.connect();
  const end = (isBroken: boolean) => client.release(isBroken);
  try {
    const { rows } = await client.query<{ isFree: boolean }>('select pg_try_advisory_lock($1) as "isFree"', [
      RUNS_LOCK,
    ]);
    if (!rows[0]?.isFree) {
      end(false);
      return null;
    }
  } catch (error) {
    end(true);
    throw databaseError(error);
  }
  return async () => {
    await client.query('select pg_advisory_unlock($1)', [RUNS_LOCK]).then(
      () => end(false),
      () => end(true),
    );
  };
}

/** Returns the run that is under way, or starts one about all messages that are stored now. `isNew`: it was started. */
export async function openRun(db: Queryable, now: Date): Promise<Run & { isNew: boolean }> {
  await db.query(sql`
    insert into rebuild_runs (started_at, last_message) select ${now}, coalesce(max(id), 0) from messages on conflict do nothing`);
  const { rows } = await db.query<Run & { isNew: boolean }>(sql`
    select id, after_message as "afterMessage", last_message as "lastMessage", started_at = ${now} as "isNew"
    from rebuild_runs where finished_at is null`);
  const [run] = rows;
  if (run === undefined) throw new Error('The run that was under way has just ended');
  return run;
}

/** Locks the run until the end of the transaction, and returns where it is. */
export async function lockRun(tx: Queryable, id: string): Promise<string> {
  const { rows } = await tx.query<{ afterMessage: string }>(
    sql`select after_message as "afterMessage" from rebuild_runs where id = ${id} for update`,
  );
  return rows[0]?.afterMessage ?? '0';
}

/** What a batch came to. */
export interface Progress {
  afterMessage: string;
  read: number;
  changed: number;
  unread: number;
}

export async function advance(tx: Queryable, id: string, to: Progress): Promise<void> {
  await tx.query(sql`
    update rebuild_runs set after_message = ${to.afterMessage}, read = read + ${to.read}, changed = changed + ${to.changed},
      unread = unread + ${to.unread} where id = ${id}`);
}

export async function noteFailure(tx: Queryable, id: string, messageId: string, reason: string): Promise<void> {
  await tx.query(sql`
    insert into rebuild_failures (run_id, message_id, reason) values (${id}, ${messageId}, ${reason.slice(0, 500)}) on conflict do nothing`);
}

/**
 * SQL: a message `m` of a feed that gave facts about a visit or a patient. What people entered consists of facts already, and documents are read again by a
 * replay.
 */
const IS_OF_FEED = sql`m.status = 'APPLIED' and m.source not in ('MANUAL', 'LINK', 'CCDA')
  and not exists (select from documents d where d.message_id = m.id)`;

/**
 * Returns the next messages whose text is stored, oldest first, and the last id that was looked at. Keeps their patients' lanes from the workers until
 * the end of the transaction.
 */
export async function nextMessages(
  tx: Queryable,
  { afterMessage, lastMessage }: Omit<Run, 'id'>,
  most: number,
): Promise<{ messages: PendingMessage[]; lookedAt: string }> {
  const { rows: found } = await tx.query<{ id: string; lane: number }>(sql`
    select m.id, m.lane from messages m
    where m.id > ${afterMessage} and m.id <= ${lastMessage} and m.raw is not null and ${IS_OF_FEED} order by m.id limit ${most}`);
  const lanes = [...new Set(found.map(({ lane }) => lane))].sort((a, b) => a - b);
  for (const lane of lanes) await tx.query('select pg_advisory_xact_lock(7411, $1)', [lane]);
  const ids = found.map(({ id }) => id);
  const { rows: messages } = await tx.query<PendingMessage>(sql`
    select m.id, m.received_at as "receivedAt", m.source, m.raw, m.sending_application as "sendingApplication",
      m.sending_facility as "sendingFacility", m.message_type as "messageType", m.feed_id as "feedId"
    from messages m where m.id = any(${ids}::bigint[]) and m.raw is not null and ${IS_OF_FEED} order by m.id for update of m`);
  return { messages, lookedAt: ids.at(-1) ?? lastMessage };
}

/** Returns the facts that messages gave when they were processed, by message id. */
export async function storedFacts(tx: Queryable, messageIds: readonly string[]): Promise<Map<string, NewFact[]>> {
  const { rows } = await tx.query<NewFact>(sql`
    select f.message_id as "messageId", f.received_at as "receivedAt", f.ordinal, s.group_id as "groupId", f.adt, f.manual_code as "manualCode",
      f.is_backfill as "isBackfill", f.shared_feed_id as "sharedFeedId"
    from facts f join source_patients s on s.id = f.source_patient_id
    where f.message_id = any(${messageIds}::bigint[]) order by f.message_id, f.ordinal`);
  return Map.groupBy(rows, ({ messageId }) => messageId);
}

/** Ends the run, and returns what it came to. */
export async function finishRun(tx: Queryable, id: string, now: Date): Promise<Omit<Progress, 'afterMessage'>> {
  const { rows } = await tx.query<Omit<Progress, 'afterMessage'>>(
    sql`update rebuild_runs set finished_at = ${now} where id = ${id} returning read, changed, unread`,
  );
  return rows[0] ?? { read: 0, changed: 0, unread: 0 };
}

export async function failuresOf(db: Queryable, id: string): Promise<{ messageId: string; reason: string }[]> {
  const { rows } = await db.query<{ messageId: string; reason: string }>(
    sql`select message_id as "messageId", reason from rebuild_failures where run_id = ${id} order by message_id`,
  );
  return rows;
}

/** Returns how many messages up to the last one have facts and no text: they keep what was read from them. */
export async function countWithoutText(db: Queryable, { lastMessage }: Run): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    sql`select count(*)::int as count from messages m where m.id <= ${lastMessage} and m.raw is null and ${IS_OF_FEED}`,
  );
  return rows[0]?.count ?? 0;
}

/** Replaces what is said about processed messages. */
export async function writeReasons(tx: Queryable, outcomes: readonly { id: string; reason: string }[]): Promise<void> {
  await tx.query(sql`
    update messages m set reason = o.reason
    from unnest(${outcomes.map(({ id }) => id)}::bigint[], ${outcomes.map(({ reason }) => reason)}::text[]) as o (id, reason)
    where m.id = o.id and m.reason <> o.reason`);
}
