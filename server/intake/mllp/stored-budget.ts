/**
 * How much addresses without a feed may have stored on a day (UTC): their messages are kept until an operator looks at them, so without a limit
 * anyone who reaches the listener could fill the disk. Counts are kept in the database, so that a restart doesn't forget them and processes
 * share them, to the minute.
 */
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

const MIB = 1024 * 1024;

/** Bytes of a day. A hospital whose feed is still being set up sends some 5 MiB a day. */
export interface BudgetLimits {
  ofAddress: number;
  ofAll: number;
}

const BUDGET: Readonly<BudgetLimits> = { ofAddress: 64 * MIB, ofAll: 256 * MIB };
/** What a stored message occupies besides its bytes, roughly. */
const BYTES_PER_MESSAGE = 1024;
/** Addresses whose refusals are recorded at a time. */
const MOST_REFUSED = 10_000;
const WEEK = 7 * 24 * 60 * 60 * 1000;

interface Counted {
  stored: number;
  refused: number;
  refusedAt: Date | null;
}

/** 'refused-first': the first refusal of the address on this day. */
export type BudgetAnswer = 'taken' | 'refused' | 'refused-first';

export class StoredBudget {
  readonly #database: Queryable;
  readonly #clock: Clock;
  readonly #limits: BudgetLimits;
  #day = '';
  readonly #stored = new Map<string, number>();
  #storedByAll = 0;
  readonly #refused = new Set<string>();
  /** What the database doesn't have yet, of the day. */
  #unwritten = new Map<string, Counted>();

  /** `database`: connections of the pipeline role. */
  constructor(database: Queryable, clock: Clock, limits: BudgetLimits = BUDGET) {
    this.#database = database;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Counts a frame of an address, and answers whether it may be stored. */
  take(address: string, bytes: number): BudgetAnswer {
    const now = this.#clock();
    this.#begin(dayOf(now));
    const size = bytes + BYTES_PER_MESSAGE;
    const stored = (this.#stored.get(address) ?? 0) + size;
    if (stored <= this.#limits.ofAddress && this.#storedByAll + size <= this.#limits.ofAll) {
      this.#stored.set(address, stored);
      this.#storedByAll += size;
      this.#count(address, { stored: size });
      return 'taken';
    }
    const isFirst = !this.#refused.has(address) && this.#refused.size < MOST_REFUSED;
    if (isFirst) this.#refused.add(address);
    if (this.#refused.has(address)) this.#count(address, { refused: 1, refusedAt: now });
    return isFirst ? 'refused-first' : 'refused';
  }

  /** Writes what was counted, and reads what all processes counted. */
  async refresh(): Promise<void> {
    const now = this.#clock();
    this.#begin(dayOf(now));
    const day = this.#day;
    const written = this.#unwritten;
    this.#unwritten = new Map();
    try {
      await this.#write(day, written);
    } catch (error) {
      for (const [address, counted] of written) this.#count(address, counted);
      throw error;
    }
    await this.#database.query(
      sql`delete from unknown_sender_days where day < ${dayOf(new Date(now.getTime() - WEEK))}::date`,
    );
    const { rows } = await this.#database.query<{ address: string; stored: number }>(sql`
      select address, stored_bytes::float8 as stored from unknown_sender_days where day = ${day}::date`);
    if (day === this.#day) this.#set(rows);
  }

  #begin(day: string): void {
    if (day === this.#day) return;
    this.#day = day;
    this.#refused.clear();
    this.#unwritten = new Map();
    this.#set([]);
  }

  #set(rows: readonly { address: string; stored: number }[]): void {
    this.#stored.clear();
    for (const { address, stored } of rows) this.#stored.set(address, stored);
    for (const [address, { stored }] of this.#unwritten)
      this.#stored.set(address, (this.#stored.get(address) ?? 0) + stored);
    this.#storedByAll = [...this.#stored.values()].reduce((sum, stored) => sum + stored, 0);
  }

  #count(address: string, { stored = 0, refused = 0, refusedAt = null }: Partial<Counted>): void {
    const before = this.#unwritten.get(address) ?? { stored: 0, refused: 0, refusedAt: null };
    this.#unwritten.set(address, {
      stored: before.stored + stored,
      refused: before.refused + refused,
      refusedAt: refusedAt ?? before.refusedAt,
    });
  }

  async #write(day: string, counted: ReadonlyMap<string, Counted>): Promise<void> {
    if (counted.size === 0) return;
    const all = [...counted].sort(([a], [b]) => (a < b ? -1 : 1));
    await this.#database.query(sql`
      insert into unknown_sender_days as d (day, address, stored_bytes, refused, refused_at)
      select ${day}::date, * from unnest(${all.map(([address]) => address)}::text[], ${all.map(([, { stored }]) => stored)}::bigint[],
        ${all.map(([, { refused }]) => refused)}::int[], ${all.map(([, { refusedAt }]) => refusedAt)}::timestamptz[])
      on conflict (day, address) do update set stored_bytes = d.stored_bytes + excluded.stored_bytes,
        refused = d.refused + excluded.refused, refused_at = greatest(d.refused_at, excluded.refused_at)`);
  }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
