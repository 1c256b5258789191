/**
 * Store, then acknowledge: `receive` resolves once the bytes are committed. Messages that wait at the same time share a transaction,
 * capped by bytes, and senders take turns in it, so that one sender's flood doesn't delay another's acknowledgement. If the transaction
 * fails, its messages are stored one by one, so that a bad message doesn't fail the others.
 */
import type { Database } from '#server/platform/database/pool.ts';
import { type Metrics, stopwatch } from '#server/platform/metrics/metrics.ts';
import { insertMessages } from './insert-messages.ts';
import { isResend } from './queries.ts';
import { type NewMessage, type ReceivedMessage, type StoredMessage, toRow } from './received-message.ts';
import { SenderTurns } from './sender-turns.ts';

interface Waiting {
  sender: string;
  message: NewMessage;
  resolve: (stored: StoredMessage) => void;
  reject: (error: unknown) => void;
}

const MIB = 1024 * 1024;
const BYTES_PER_TRANSACTION = 8 * MIB;
const MESSAGES_PER_TRANSACTION = 500;
/** While more than this of a sender waits, the listener stops reading from that sender. */
const BYTES_OF_SENDER = 16 * MIB;
/** While more than this waits, the listener stops reading from all. */
const BYTES_OF_ALL = 128 * MIB;
/** What a waiting message occupies besides its bytes, roughly: without it, tiny messages would hardly count. */
const BYTES_PER_MESSAGE = 1024;

type StoreMetrics = Pick<Metrics, 'stored' | 'notStored'>;

export class MessageStore {
  readonly #database: Database;
  readonly #turns: SenderTurns;
  readonly #onStored: () => void;
  readonly #metrics: StoreMetrics | undefined;
  /** By sender, in the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** Bytes that are waiting or being stored, by sender. */
  readonly #bytes = new Map<string, number>();
  #allBytes = 0;
  #writing: Promise<void> | null = null;
  /** Messages in the last transaction. */
  #lastBatch = 0;

  /** `onStored` is called after each commit. */
  constructor(database: Database, onStored: () => void = () => {}, metrics?: StoreMetrics) {
    this.#database = database;
    this.#turns = new SenderTurns(database);
    this.#onStored = onStored;
    this.#metrics = metrics;
  }

  /** Whether this sender must wait until messages are stored. */
  isFull(sender = ''): boolean {
    return (this.#bytes.get(sender) ?? 0) > BYTES_OF_SENDER || this.#allBytes > BYTES_OF_ALL;
  }

  /**
   * Resolves once the message is committed. Rejects if it couldn't be stored; it must not be acknowledged then. `sender`: whose turn the
   * message takes, such as a network address; messages of one sender are stored in order.
   */
  receive(message: ReceivedMessage, sender = ''): Promise<StoredMessage> {
    const took = stopwatch();
    return new Promise<StoredMessage>((resolve, reject) => {
      const waiting = { sender, message: toRow(message), resolve, reject };
      const queue = this.#waiting.get(sender);
      if (queue) queue.push(waiting);
      else this.#waiting.set(sender, [waiting]);
      this.#count(waiting, 1);
      this.#writing ??= this.#writeAll();
    }).then(
      (stored) => {
        this.#metrics?.stored.observe(took());
        return stored;
      },
      (error: unknown) => {
        this.#metrics?.notStored.inc();
        throw error;
      },
    );
  }

  /** Whether the same bytes were received from the sender of a message before it. The queue finds out by itself. */
  isResend({ id }: StoredMessage): Promise<boolean> {
    return isResend(this.#database, id);
  }

  /** Resolves when no message is waiting. */
  async drained(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  #count({ sender, message }: Waiting, sign: 1 | -1): void {
    const change = sign * (message.raw.length + BYTES_PER_MESSAGE);
    const bytes = (this.#bytes.get(sender) ?? 0) + change;
    if (bytes > 0) this.#bytes.set(sender, bytes);
    else this.#bytes.delete(sender);
    this.#allBytes += change;
  }

  async #writeAll(): Promise<void> {
    // Messages that arrive in the same turn of the event loop, on any connection, share the first transaction. One that was alone last time isn't kept waiting.
    if (this.#lastBatch > 1) await new Promise(setImmediate);
    while (this.#waiting.size > 0) await this.#write(this.#takeBatch());
    this.#writing = null;
  }

  /** Takes one message of each sender in turn. */
  #takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    let bytes = 0;
    // A sender with more messages goes to the end of the map, where this loop meets it again.
    for (const [sender, queue] of this.#waiting) {
      const [next] = queue;
      bytes += next?.message.raw.length ?? 0;
      if (batch.length > 0 && (bytes > BYTES_PER_TRANSACTION || batch.length >= MESSAGES_PER_TRANSACTION)) break;
      batch.push(...queue.splice(0, 1));
      this.#waiting.delete(sender);
      if (queue.length > 0) this.#waiting.set(sender, queue);
    }
    return batch;
  }

  async #write(batch: Waiting[]): Promise<void> {
    this.#lastBatch = batch.length;
    try {
      const messages = batch.map(({ message }) => message);
      const stored = await insertMessages(this.#database, messages, await this.#turns.of(messages));
      batch.forEach(({ resolve }, index) => resolve(stored[index] as StoredMessage));
      this.#onStored();
    } catch (error) {
      if (batch.length > 1) {
        for (const waiting of batch) await this.#write([waiting]);
        return;
      }
      batch[0]?.reject(error);
    }
    for (const waiting of batch) this.#count(waiting, -1);
  }
}
