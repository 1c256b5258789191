/**
 * Processes stored messages, a batch per transaction. Senders take turns, and a batch is one sender's oldest messages, so that no sender
 * waits for what another one has waiting, and none fails or is delayed by another's bad message. What is started is recorded first, in a transaction of its own. If a
 * batch fails, or the thread or process ends during it, its messages are processed one by one: a bad message doesn't fail the others,
 * and after three starts it is quarantined. Transient failures, such as a deadlock, don't count.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isTransient } from '#server/platform/database/errors.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { stopwatch } from '#server/platform/metrics/metrics.ts';
import { Turns } from '#server/platform/threads/turns.ts';
import {
  BY_INDEX,
  type ClaimedMessage,
  claimMessages,
  planAsUsual,
  senderOfStarted,
  sendersInTurn,
} from './claim-messages.ts';
import {
  type MessageOutcome,
  type PendingMessage,
  quarantine,
  recognize,
  recordEnd,
  recordStart,
  revokeStart,
  settleMessages,
} from './queries.ts';

/** Applies messages within the transaction and returns what became of each. */
export type Process = (tx: Transaction, messages: PendingMessage[]) => Promise<MessageOutcome[]>;

export interface QueueOptions {
  database: Database;
  process: Process;
  log: Logger;
  clock: () => Date;
  /** How many transactions run in parallel. */
  workers?: number;
  /** Called with the ID of a message that is processed while nothing else is, and with null after it. */
  onAlone?: (messageId: string | null) => void;
  /** Called when a batch was processed, just before its transaction commits. */
  onBatch?: (batch: Batch) => void;
}

/** What became of messages that were processed together. */
export interface Batch {
  /** How many had which outcome. */
  outcomes: Partial<Record<MessageOutcome['status'], number>>;
  seconds: number;
}

/** A backlog is worked off in large batches: the statements of a batch take almost as long for one message as for many. */
const BATCH_SIZE = 500;
/** Less would be mostly the work for the batch itself, unless messages take longer than SLOW milliseconds each. */
const LEAST_BATCH_SIZE = 10;
const SLOW = 100;
/** A sender's first batch, before it is known how long its messages take. */
const FIRST_BATCH_SIZE = 20;
/** Milliseconds that a batch should take, because other senders' messages may wait for it. */
const BATCH_TIME = 400;
const MAX_ATTEMPTS = 3;
/** After how many messages it is looked which tables have doubled. */
const STATISTICS_EVERY = 1000;
/** Milliseconds between polls. Other processes store messages too, and can't wake this queue. */
const POLL_INTERVAL = 500;
const FAILED =
  'Processing failed because of an internal error. Find this message ID in the server log, then replay the message once the error is fixed.';
const NEVER_ENDED = `Processing started ${MAX_ATTEMPTS} times and never ended, because the server stopped each time. Find this message ID in the server log, then replay the message once the cause is fixed.`;

const SAME_MESSAGE = 'Duplicate of a message received earlier (same MSH-3, MSH-4, MSH-10 and bytes).';
const SAME_POSTED: Partial<Record<ClaimedMessage['source'], string>> = {
  CCDA: 'Duplicate of a document received earlier (same bytes).',
  FHIR: 'Duplicate of a message received earlier (same bytes).',
};

export class MessageQueue {
  readonly #options: QueueOptions;
  readonly #turns = new Turns();
  /** The sender that had the last turn. */
  #last: string | null = null;
  /** How many of a sender's messages took BATCH_TIME the last time. */
  readonly #sizes = new Map<string, number>();
  #sinceStatistics = 0;
  #wakers = new Set<() => void>();
  #running: Promise<void>[] = [];
  #stopped = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  start(): void {
    for (let n = 0; n < (this.#options.workers ?? 2); n += 1) this.#running.push(this.#work());
  }

  /** Makes idle workers look for messages now. */
  wake(): void {
    for (const waker of this.#wakers) waker();
  }

  /** Stops after the batches in progress. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await Promise.all(this.#running);
  }

  /** Processes messages until none is left and returns how many there were. For seeding and tests. */
  async drain(): Promise<number> {
    let settled = 0;
    for (;;) {
      const done = await this.#batch();
      if (done === 0) return settled;
      settled += done;
    }
  }

  async #work(): Promise<void> {
    while (!this.#stopped) {
      let done = 0;
      try {
        done = await this.#batch();
      } catch (error) {
        this.#options.log.error({ err: error }, 'The message queue failed and will be retried');
        await sleep(POLL_INTERVAL);
      }
      if (done === 0 && !this.#stopped) await this.#waitForWork();
    }
  }

  #waitForWork(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wakers.delete(done);
        resolve();
      };
      const timer = setTimeout(done, POLL_INTERVAL);
      this.#wakers.add(done);
    });
  }

  async #batch(): Promise<number> {
    const done = (await this.#turns.share(() => this.#together())) ?? (await this.#turns.alone(() => this.#oneByOne()));
    this.#sinceStatistics += done;
    if (this.#sinceStatistics >= STATISTICS_EVERY) {
      this.#sinceStatistics = 0;
      await this.#options.database.query(sql`select analyze_grown_tables()`);
    }
    return done;
  }

  /** Claims messages of the first sender in turn that has some which no other worker holds. */
  async #claim(tx: Transaction, most: number): Promise<ClaimedMessage[]> {
    // If a message ended the thread before this one, its sender has had its turn.
    this.#last ??= await senderOfStarted(tx);
    for (const sender of await sendersInTurn(tx, this.#last)) {
      const limit = Math.min(most, this.#sizes.get(sender) ?? FIRST_BATCH_SIZE);
      const claimed = await claimMessages(tx, sender, limit);
      if (claimed.length > 0) return claimed;
    }
    return [];
  }

  /** Processes a batch and returns its size; null if the next messages have to be processed one by one. */
  async #together(): Promise<number | null> {
    const { database, log } = this.#options;
    try {
      return await database.transaction((tx) => this.#processBatch(tx), { retries: 3, settings: BY_INDEX });
    } catch (error) {
      log.warn({ err: error }, 'A batch of messages failed; its messages are processed one by one');
      return null;
    }
  }

  async #processBatch(tx: Transaction): Promise<number | null> {
    const claimed = await this.#claim(tx, BATCH_SIZE);
    const started = claimed.findIndex(({ wasStarted }) => wasStarted);
    if (started === 0) return null;
    // Later messages wait for one that was started before, because they may be about the same patient.
    const batch = started < 0 ? claimed : claimed.slice(0, started);
    if (batch.length > 0) await this.#process(tx, batch, false);
    return batch.length;
  }

  /**
   * Processes messages one by one for as long as the next in turn was started before, and at least one. Returns how many. A sender's turn
   * is one message here, so that the batches of other senders run in between.
   */
  async #oneByOne(): Promise<number> {
    for (let n = 0; n < BATCH_SIZE && !this.#stopped; n += 1) {
      const isDone = await this.#processOne(n > 0);
      if (!isDone) return n;
    }
    return BATCH_SIZE;
  }

  /** Returns false if there was nothing to do. */
  async #processOne(onlyIfStarted: boolean): Promise<boolean> {
    const { database, log, clock } = this.#options;
    let claimed: ClaimedMessage | undefined;
    try {
      return await database.transaction(
        async (tx) => {
          [claimed] = await this.#claim(tx, 1);
          if (!claimed || (onlyIfStarted && !claimed.wasStarted)) return false;
          if (claimed.startsAlone >= MAX_ATTEMPTS) {
            log.error({ messageId: claimed.id }, 'The processing of a message was started too often without an end');
            await quarantine(tx, claimed.id, { reason: NEVER_ENDED, attempts: claimed.startsAlone, now: clock() });
          } else await this.#process(tx, [claimed], true);
          return true;
        },
        { retries: 5, settings: BY_INDEX },
      );
    } catch (error) {
      if (!claimed || isTransient(error)) throw error;
      const attempts = claimed.startsAlone + 1;
      log.error({ err: error, messageId: claimed.id, attempt: attempts }, 'A message could not be processed');
      if (attempts >= MAX_ATTEMPTS) await quarantine(database, claimed.id, { reason: FAILED, attempts, now: clock() });
      return true;
    }
  }

  async #process(tx: Transaction, messages: ClaimedMessage[], isAlone: boolean): Promise<void> {
    const { database, process, clock, onAlone, onBatch } = this.#options;
    this.#last = messages[0]?.sender ?? this.#last;
    const ids = messages.map(({ id }) => id);
    await recordStart(database, ids, isAlone);
    if (isAlone) onAlone?.(ids[0] ?? null);
    const took = stopwatch();
    try {
      const [resends] = await Promise.all([recognize(tx, ids), planAsUsual(tx)]);
      const outcomes = messages.flatMap((message) => outcomeOf(message, resends));
      const toProcess = messages.filter(({ id, unreadable }) => !resends.has(id) && unreadable === '');
      const startedAt = clock();
      if (toProcess.length > 0) outcomes.push(...(await process(tx, toProcess)));
      this.#measure(messages, clock().getTime() - startedAt.getTime());
      await Promise.all([settleMessages(tx, outcomes, clock()), recordEnd(tx, ids)]);
      onBatch?.({ outcomes: countsOf(outcomes), seconds: took() });
    } catch (error) {
      if (isTransient(error)) await revokeStart(database, ids, isAlone).catch(() => {});
      throw error;
    } finally {
      if (isAlone) onAlone?.(null);
    }
  }

  /** Lets the sender's next batches be as long as they may be if its messages go on to take so many milliseconds. */
  #measure(messages: readonly ClaimedMessage[], took: number): void {
    const [first] = messages;
    const size = Math.floor((messages.length * BATCH_TIME) / took);
    const least = took > messages.length * SLOW ? 1 : LEAST_BATCH_SIZE;
    if (first) this.#sizes.set(first.sender, Math.max(least, Math.min(BATCH_SIZE, size)));
  }
}

/** Returns what becomes of a message that isn't processed: one that came before, or that can't be read. */
function outcomeOf(
  { id, source, unreadable }: ClaimedMessage,
  resends: ReadonlyMap<string, string | null>,
): MessageOutcome[] {
  const feedId = resends.get(id);
  if (feedId !== undefined) return [{ id, status: 'DUPLICATE', reason: SAME_POSTED[source] ?? SAME_MESSAGE, feedId }];
  return unreadable === '' ? [] : [{ id, status: 'QUARANTINED', reason: unreadable, feedId: null }];
}

const countsOf = (outcomes: readonly MessageOutcome[]): Batch['outcomes'] => {
  const counts: Batch['outcomes'] = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
