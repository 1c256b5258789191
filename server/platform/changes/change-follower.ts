/**
 * Follows the change log and passes new changes to the listeners in this process or thread. It misses nothing:
 *
 * - `ChangeReader` returns every commit once, whenever it is asked (see `change-log.ts`).
 * - NOTIFY only says when to read. A notification that is lost with its connection is made up for by the read every
 *   READ_EVERY milliseconds, and by the read after reconnecting.
 * - Reads never overlap. If one is requested while another runs, one more follows.
 * - A read that fails leaves the reader's snapshot unchanged, so the next one returns the same changes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from '#server/platform/database/pool.ts';
import { CHANGES_CHANNEL, type Change, ChangeReader, KINDS_OF_PAGES, type Snapshot } from './change-log.ts';

/** Receives new changes; `snapshot` includes every commit read so far. */
export type ChangeListener = (changes: readonly Change[], snapshot: Snapshot) => void;

export interface FollowerOptions {
  kinds?: readonly Change['kind'][];
  /** Milliseconds to wait for more notifications before reading. */
  gather?: number;
  /** Call listeners after every read, even without changes: the snapshot is new. */
  notifiesAlways?: boolean;
}

const READ_EVERY = 2000;
const RECONNECT_AFTER = 500;

export class ChangeFollower {
  readonly #listeners = new Set<ChangeListener>();
  readonly #database: Database;
  readonly #url: string;
  readonly #log: Pick<Logger, 'warn'>;
  #client: pg.Client | null = null;
  #reader: ChangeReader | null = null;
  #reading: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;
  #gathering: NodeJS.Timeout | null = null;
  readonly #options: FollowerOptions;

  /** `url`: the app role's, for the connection that listens to notifications. */
  constructor(database: Database, url: string, log: Pick<Logger, 'warn'>, options: FollowerOptions = {}) {
    this.#database = database;
    this.#url = url;
    this.#log = log;
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#reader = await ChangeReader.start(this.#database, this.#options.kinds ?? KINDS_OF_PAGES);
    await this.#listen();
    this.#timer = setInterval(() => this.#requestRead(), READ_EVERY);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    if (this.#gathering) clearTimeout(this.#gathering);
    await this.#client?.end().catch(() => {});
    await this.#reading;
  }

  /** Calls the listener with all changes from now on. Returns a function that ends the subscription. */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the listeners have received everything that was committed before the call. */
  async catchUp(): Promise<void> {
    await this.#reading;
    this.#requestRead();
    await this.#reading;
  }

  /** The snapshot of the last read. */
  get snapshot(): Snapshot {
    if (!this.#reader) throw new Error('The change log is not followed yet');
    return this.#reader.snapshot;
  }

  async #listen(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, application_name: 'tidings live', keepAlive: true });
    client.on('notification', () => this.#requestReadSoon());
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(`listen ${CHANGES_CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    // Registered only now: a failed attempt to connect emits 'end' too, and the caller handles that.
    client.on('end', () => void this.#relisten());
    this.#client = client;
    if (this.#stopped) await client.end().catch(() => {});
    this.#requestRead();
  }

  async #relisten(): Promise<void> {
    while (!this.#stopped) {
      await sleep(RECONNECT_AFTER);
      try {
        if (!this.#stopped) await this.#listen();
        return;
      } catch (error) {
        this.#log.warn({ err: error }, 'Cannot listen to the change log; trying again');
      }
    }
  }

  #requestReadSoon(): void {
    if (!this.#options.gather) return this.#requestRead();
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      this.#requestRead();
    }, this.#options.gather);
  }

  /** Reads now, or once more after the read that is running. */
  #requestRead(): void {
    if (this.#reading) {
      this.#again = true;
      return;
    }
    this.#reading = this.#read().finally(() => {
      this.#reading = null;
      if (this.#again && !this.#stopped) {
        this.#again = false;
        this.#requestRead();
      }
    });
  }

  async #read(): Promise<void> {
    if (this.#stopped || !this.#reader) return;
    try {
      const changes = await this.#reader.read();
      if (changes.length === 0 && !this.#options.notifiesAlways) return;
      for (const listener of this.#listeners) listener(changes, this.#reader.snapshot);
    } catch (error) {
      if (!this.#stopped) this.#log.warn({ err: error }, 'Cannot read the change log; trying again');
    }
  }
}
