/**
 * Follows the change log and hands what is new to those in this process (or thread) who want to know. NOTIFY wakes it; where a
 * notification is lost with its connection, it looks by itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from '#server/platform/database/pool.ts';
import { CHANGES_CHANNEL, type Change, ChangeReader, KINDS_OF_PAGES, type Snapshot } from './change-log.ts';

/** `snapshot`: what all the changes so far add up to. */
export type ChangeListener = (changes: readonly Change[], snapshot: Snapshot) => void;

export interface FollowerOptions {
  kinds?: readonly Change['kind'][];
  /** Milliseconds between a notification and the look, in which more may come. */
  gather?: number;
  /** Also looks in which nothing was found are told. */
  tellsAll?: boolean;
}

const LOOK_EVERY = 2000;
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

  /** `url`: of the app role, for a connection that listens. */
  constructor(database: Database, url: string, log: Pick<Logger, 'warn'>, options: FollowerOptions = {}) {
    this.#database = database;
    this.#url = url;
    this.#log = log;
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#reader = await ChangeReader.start(this.#database, this.#options.kinds ?? KINDS_OF_PAGES);
    await this.#listen();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    if (this.#gathering) clearTimeout(this.#gathering);
    await this.#client?.end().catch(() => {});
    await this.#reading;
  }

  /** Calls the listener with the changes of each commit from now on; answers with what ends that. */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What was committed before the call has been told to all listeners when it returns. */
  async catchUp(): Promise<void> {
    await this.#reading;
    this.#look();
    await this.#reading;
  }

  /** Of the last look. */
  get snapshot(): Snapshot {
    if (!this.#reader) throw new Error('The change log is not followed yet');
    return this.#reader.snapshot;
  }

  async #listen(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, application_name: 'tidings live', keepAlive: true });
    client.on('notification', () => this.#lookSoon());
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(`listen ${CHANGES_CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    // Only now: a connection that was never made ends too, and its failure is the caller's to try again.
    client.on('end', () => void this.#relisten());
    this.#client = client;
    if (this.#stopped) await client.end().catch(() => {});
    this.#look();
  }

  async #relisten(): Promise<void> {
    while (!this.#stopped) {
      await sleep(RECONNECT_AFTER);
      try {
        if (!this.#stopped) await this.#listen();
        return;
      } catch (error) {
        this.#log.warn({ err: error }, 'Live: the database cannot be listened to; it is tried again');
      }
    }
  }

  #lookSoon(): void {
    if (!this.#options.gather) return this.#look();
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      this.#look();
    }, this.#options.gather);
  }

  /** One look at a time; one that is asked for meanwhile follows. */
  #look(): void {
    if (this.#reading) {
      this.#again = true;
      return;
    }
    this.#reading = this.#read().finally(() => {
      this.#reading = null;
      if (this.#again && !this.#stopped) {
        this.#again = false;
        this.#look();
      }
    });
  }

  async #read(): Promise<void> {
    if (this.#stopped || !this.#reader) return;
    try {
      const changes = await this.#reader.read();
      if (changes.length === 0 && !this.#options.tellsAll) return;
      for (const listener of this.#listeners) listener(changes, this.#reader.snapshot);
    } catch (error) {
      if (!this.#stopped) this.#log.warn({ err: error }, 'Live: the change log cannot be read; it is tried again');
    }
  }
}
