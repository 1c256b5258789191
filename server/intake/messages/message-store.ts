/**
 * Store, then acknowledge: `receive` resolves when the bytes are committed, and not before. Messages that wait together
 * share one transaction, capped by bytes; if it fails, its messages are tried one by one, so that a bad one fails nobody else.
 */
import { createHash, hash } from 'node:crypto';
import type { Database } from '#server/platform/database/pool.ts';
import { insertMessages, type NewMessage } from './queries.ts';

/** A message as it came, before it is stored. */
export interface ReceivedMessage {
  source: 'MLLP' | 'FHIR' | 'CCDA' | 'MANUAL';
  raw: Buffer;
  receivedAt: Date;
  /** Address of the sender, for the log of messages. */
  remote: string | null;
  sendingApplication: string;
  sendingFacility: string;
  controlId: string;
  messageType: string;
  /** The patient's identifier as the source writes it; keeps the messages of one patient in line. */
  patientKey: string;
  enteredBy?: string;
  /** Why the message cannot be processed at all; it is then stored in quarantine. */
  unreadable?: string;
}

export interface StoredMessage {
  id: string;
  status: 'PENDING' | 'QUARANTINED' | 'DUPLICATE';
}

interface Waiting {
  message: NewMessage;
  resolve: (stored: StoredMessage) => void;
  reject: (error: unknown) => void;
}

const BYTES_IN_A_TRANSACTION = 8 * 1024 * 1024;
const MESSAGES_IN_A_TRANSACTION = 500;
/** While more than this waits, senders are not read from. */
const BYTES_BEFORE_PAUSE = 64 * 1024 * 1024;

export class MessageStore {
  readonly #database: Database;
  readonly #onStored: () => void;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #writing: Promise<void> | null = null;

  /** `onStored` is called after each commit that holds something to process. */
  constructor(database: Database, onStored: () => void = () => {}) {
    this.#database = database;
    this.#onStored = onStored;
  }

  /** Whether senders must wait until what they sent is stored. */
  get isFull(): boolean {
    return this.#bytes > BYTES_BEFORE_PAUSE;
  }

  /** Resolves once the message is committed. Rejects where it could not be stored: then it must not be acknowledged. */
  receive(message: ReceivedMessage): Promise<StoredMessage> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message: toRow(message), resolve, reject });
      this.#bytes += message.raw.length;
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Everything that comes in the same turn of the event loop, from any connection, goes into the first transaction.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#write(this.#takeBatch());
    this.#writing = null;
  }

  #takeBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { message } of this.#waiting) {
      bytes += message.raw.length;
      if (count > 0 && (bytes > BYTES_IN_A_TRANSACTION || count >= MESSAGES_IN_A_TRANSACTION)) break;
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

function toRow(message: ReceivedMessage): NewMessage {
  return { ...message, digest: digestOf(message), lane: laneOf(message) };
}

/** What makes a resend a duplicate: MSH-3, MSH-4, MSH-10 and the bytes (architecture rule 1). */
function digestOf({ source, sendingApplication, sendingFacility, controlId, raw }: ReceivedMessage): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([source, sendingApplication, sendingFacility, controlId]))
    .update(raw)
    .digest();
}

/** Messages with the same source and patient share a lane, which is processed in order. A signed 32-bit hash. */
function laneOf({ sendingApplication, sendingFacility, patientKey }: ReceivedMessage): number {
  return hash('sha256', JSON.stringify([sendingApplication, sendingFacility, patientKey]), 'buffer').readInt32BE();
}
