/**
 * Processes stored messages in order, a batch per transaction. If a batch fails, its messages are processed one by one, so that a bad
 * message doesn't fail the others; after three failures it is quarantined. Transient failures, such as a deadlock, don't count.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isTransient } from '#server/platform/database/errors.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { claimMessages, type MessageOutcome, type PendingMessage, recordFailure, settleMessages } from './queries.ts';

/** Applies messages within the transaction and returns what became of each. */
export type Process = (tx: Transaction, messages: PendingMessage[]) => Promise<MessageOutcome[]>;

interface QueueOptions {
  database: Database;
  process: Process;
  log: Logger;
  clock: () => Date;
  /** How many transactions run in parallel. */
  workers?: number;
}

const BATCH_SIZE = 100;
const MAX_ATTEMPTS = 3;
/** Milliseconds between polls. Other processes store messages too, and can't wake this queue. */
const POLL_INTERVAL = 500;
const FAILED =
  'Processing failed because of an internal error. Find this message ID in the server log, then replay the message once the error is fixed.';

export class MessageQueue {
  readonly #options: QueueOptions;
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
    const { database, log } = this.#options;
    try {
      return await database.transaction((tx) => this.#claimAndProcess(tx, BATCH_SIZE), { retries: 3 });
    } catch (error) {
      log.warn({ err: error }, 'A batch of messages failed; its messages are processed one by one');
      return this.#oneByOne();
    }
  }

  async #claimAndProcess(tx: Transaction, limit: number): Promise<number> {
    const messages = await claimMessages(tx, limit, MAX_ATTEMPTS);
    if (messages.length === 0) return 0;
    const outcomes = await this.#options.process(tx, messages);
    await settleMessages(tx, outcomes, this.#options.clock());
    return messages.length;
  }

  async #oneByOne(): Promise<number> {
    const { database, log, clock } = this.#options;
    for (let n = 0; n < BATCH_SIZE; n += 1) {
      let claimed: PendingMessage | undefined;
      try {
        const done = await database.transaction(
          async (tx) => {
            [claimed] = await claimMessages(tx, 1, MAX_ATTEMPTS);
            if (!claimed) return false;
            await settleMessages(tx, await this.#options.process(tx, [claimed]), clock());
            return true;
          },
          { retries: 5 },
        );
        if (!done) return n;
      } catch (error) {
        if (!claimed || isTransient(error)) throw error;
        log.error(
          { err: error, messageId: claimed.id, attempt: claimed.attempts + 1 },
          'A message could not be processed',
        );
        await recordFailure(database, claimed.id, clock(), FAILED, MAX_ATTEMPTS);
      }
    }
    return BATCH_SIZE;
  }
}
