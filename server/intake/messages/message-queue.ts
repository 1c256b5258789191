/**
 * Hands stored messages on, in order: a batch in one transaction. If it fails, its messages are tried one by one, so that a bad
 * one fails nobody else; after three failures that one goes to quarantine. What is no fault of a message counts against none.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isTransient } from '#server/platform/database/errors.ts';
import type { Database, Transaction } from '#server/platform/database/pool.ts';
import { claimMessages, type MessageOutcome, noteFailure, type PendingMessage, settleMessages } from './queries.ts';

/** Does everything that messages bring about, within the transaction, and says what became of each. */
export type Process = (tx: Transaction, messages: PendingMessage[]) => Promise<MessageOutcome[]>;

export interface QueueOptions {
  database: Database;
  process: Process;
  log: Logger;
  clock: () => Date;
  /** How many transactions run side by side. */
  workers?: number;
}

const BATCH = 100;
const TRIES = 3;
/** Other processes may store messages too: the queue looks by itself this often. In milliseconds. */
const LOOK_EVERY = 500;

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

  /** There is something to do. */
  wake(): void {
    for (const waker of this.#wakers) waker();
  }

  /** Finishes what is being worked on. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await Promise.all(this.#running);
  }

  /** Works until nothing is left, in the caller's time: for seeding and tests. Answers how many messages it settled. */
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
        this.#options.log.error({ err: error }, 'The queue of messages cannot be worked on; it is tried again');
        await sleep(LOOK_EVERY);
      }
      if (done === 0 && !this.#stopped) await this.#rest();
    }
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wakers.delete(done);
        resolve();
      };
      const timer = setTimeout(done, LOOK_EVERY);
      this.#wakers.add(done);
    });
  }

  async #batch(): Promise<number> {
    const { database, log } = this.#options;
    try {
      return await database.transaction((tx) => this.#claimAndProcess(tx, BATCH), { retries: 3 });
    } catch (error) {
      log.warn({ err: error }, 'A batch of messages failed and is tried message by message');
      return this.#oneByOne();
    }
  }

  async #claimAndProcess(tx: Transaction, limit: number): Promise<number> {
    const messages = await claimMessages(tx, limit, TRIES);
    if (messages.length === 0) return 0;
    const outcomes = await this.#options.process(tx, messages);
    await settleMessages(tx, outcomes, this.#options.clock());
    return messages.length;
  }

  async #oneByOne(): Promise<number> {
    const { database, log, clock } = this.#options;
    for (let n = 0; n < BATCH; n += 1) {
      let claimed: PendingMessage | undefined;
      try {
        const done = await database.transaction(
          async (tx) => {
            [claimed] = await claimMessages(tx, 1, TRIES);
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
        const reason =
          'It could not be processed, by a fault of ours; the log of the server has the details under the message id.';
        await noteFailure(database, claimed.id, clock(), reason, TRIES);
      }
    }
    return BATCH;
  }
}
