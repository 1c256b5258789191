/**
 * Store, then acknowledge: `receive` resolves once the bytes are committed. Messages that wait at the same time share a transaction,
 * capped by bytes. If the transaction fails, its messages are stored one by one, so that a bad message doesn't fail the others.
 */
import type { Database } from '#server/platform/database/pool.ts';
import { insertMessages } from './queries.ts';
import { type NewMessage, type ReceivedMessage, type StoredMessage, toRow } from './received-message.ts';

interface Waiting {
  message: NewMessage;
  resolve: (stored: StoredMessage) => void;
  reject: (error: unknown) => void;
}

const BYTES_PER_TRANSACTION = 8 * 1024 * 1024;
const MESSAGES_PER_TRANSACTION = 500;
/** While more than this waits, listeners stop reading from senders. */
const BYTES_BEFORE_PAUSE = 64 * 1024 * 1024;

export class MessageStore {
  readonly #database: Database;
  readonly #onStored: () => void;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #writing: Promise<void> | null = null;

  /** `onStored` is called after each commit that stored a message to process. */
  constructor(database: Database, onStored: () => void = () => {}) {
    this.#database = database;
    this.#onStored = onStored;
  }

  /** Whether senders must wait until their messages are stored. */
  get isFull(): boolean {
    return this.#bytes > BYTES_BEFORE_PAUSE;
  }

  /** Resolves once the message is committed. Rejects if it couldn't be stored; it must not be acknowledged then. */
  receive(message: ReceivedMessage): Promise<StoredMessage> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message: toRow(message), resolve, reject });
      this.#bytes += message.raw.length;
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when no message is waiting. */
  async drained(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Messages that arrive in the same turn of the event loop, on any connection, share the first transaction.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#write(this.#takeBatch());
    this.#writing = null;
  }

  #takeBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { message } of this.#waiting) {
      bytes += message.raw.length;
      if (count > 0 && (bytes > BYTES_PER_TRANSACTION || count >= MESSAGES_PER_TRANSACTION)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #write(batch: Waiting[]): Promise<void> {
    try {
      const stored = await insertMessages(
        this.#database,
        batch.map(({ message }) => message),
      );
      batch.forEach(({ resolve }, index) => resolve(stored[index] as StoredMessage));
      if (stored.some(({ status }) => status === 'PENDING')) this.#onStored();
    } catch (error) {
      if (batch.length > 1) {
        for (const waiting of batch) await this.#write([waiting]);
        return;
      }
      batch[0]?.reject(error);
    }
    for (const { message } of batch) this.#bytes -= message.raw.length;
  }
}
