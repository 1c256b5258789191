/**
 * Follows the change log and hands what is new to the open streams of this process. NOTIFY wakes it; where a notification is
 * lost with its connection, it looks by itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { CHANGES_CHANNEL, type Change, ChangeReader } from '#server/database/change-log.ts';
import type { Database } from '#server/database/pool.ts';

export type ChangeListener = (changes: readonly Change[]) => void;

const LOOK_EVERY = 2000;
const RECONNECT_AFTER = 500;

export class LiveHub {
  readonly #listeners = new Set<ChangeListener>();
  readonly #database: Database;
  readonly #url: string;
  readonly #log: Logger;
  #client: pg.Client | null = null;
  #reader: ChangeReader | null = null;
  #reading: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;

  /** `url`: of the app role, for a connection that listens. */
  constructor(database: Database, url: string, log: Logger) {
    this.#database = database;
    this.#url = url;
    this.#log = log;
  }

  async start(): Promise<void> {
    this.#reader = await ChangeReader.start(this.#database);
    await this.#listen();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#client?.end().catch(() => {});
    await this.#reading;
  }

  /** Calls the listener with the changes of each commit from now on; answers with what ends that. */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #listen(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, application_name: 'tidings live', keepAlive: true });
    client.on('notification', () => this.#look());
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
      if (changes.length > 0) for (const listener of this.#listeners) listener(changes);
    } catch (error) {
      if (!this.#stopped) this.#log.warn({ err: error }, 'Live: the change log cannot be read; it is tried again');
    }
  }
}
