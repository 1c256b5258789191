/**
 * Reads from a hot standby of the primary, without a reader noticing (docs/decisions/0134):
 *
 * - Each read first waits until the replica has replayed everything that the primary had written by then. So it sees all that it would have
 *   seen at the primary, also after a restart of the replica, which may begin with less than it had shown before.
 * - Whatever fails there is read again at the primary: what was canceled by a conflict with recovery, and what a replica that is down, late
 *   or promoted could not answer. Then it is out of use, and looked at every second.
 * - It is in use once it shows a row that was just written at the primary. A standby of the same cluster that follows another server, or has
 *   more of an old primary's log than its successor had, never shows it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Transaction, TransactionOptions } from '#server/platform/database/pool.ts';
import { forPurpose } from '#server/platform/database/settings.ts';

/** In milliseconds: how late a replica may be. */
const LATEST = 1000;
/** In milliseconds: a replica that doesn't answer a look in this time is out of use. */
const LOOK_WITHIN = 2 * LATEST;
const LOOK_EVERY = 1000;
const POLL_EVERY = 5;
/** In milliseconds, after which the primary's log is flushed for a reader that waits. */
const FLUSH_AFTER = 100;
/** The classes of SQLSTATE codes for values that do not fit, and for transactions that were rolled back, as by a conflict with recovery. */
const ABOUT_THE_READ = /^(22|40)/;

/** A replica that can't be read from now. The message completes "The replica is out of use: …". */
export class ReplicaError extends Error {
  override name = 'ReplicaError';
  /** Whether it holds the data of another server, which waiting doesn't change. */
  readonly isForeign: boolean;

  constructor(reason: string, { isForeign = false } = {}) {
    super(reason);
    this.isForeign = isForeign;
  }
}

/**
 * How far the primary has written its log, and the history that this is part of: a promoted standby begins a new one. Every commit that a
 * statement could have seen was written before, also one that is not flushed (`synchronous_commit = off`).
 */
const POSITION = `pg_current_wal_insert_lsn()::text as lsn, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline`;

interface Position {
  lsn: string;
  timeline: string;
}

export interface Servers {
  /** Both with the app role. */
  primary: Database;
  replica: Database;
  /** The process's clock, in milliseconds. */
  now: () => number;
}

/** Writes a row at the primary and waits until the replica shows it. Returns the primary's timeline. Errors: ReplicaError, DatabaseUnavailableError. */
export async function proveReplica({ primary, replica, now }: Servers): Promise<string> {
  const { isStandby, system } = await stateOf(replica);
  if (system !== (await stateOf(primary)).system)
    throw new ReplicaError('it has the data of another server', { isForeign: true });
  if (!isStandby) throw promoted();
  const proof = randomUUID();
  const { rows } = await forPurpose('changes', () =>
    primary.query<Position & { id: string }>(
      `insert into change_log (kind, change, changed_at) values ('replica', $1, $2) returning id, ${POSITION}`,
      [proof, new Date(now()).toISOString()],
    ),
  );
  const { id, timeline } = rows[0] as Position & { id: string };
  const until = performance.now() + LATEST;
  while (!(await shows(replica, id, proof))) {
    if (performance.now() > until) throw tooLate();
    await sleep(POLL_EVERY);
  }
  return timeline;
}

const promoted = () => new ReplicaError('it accepts writes, so that it is no standby');
const tooLate = () => new ReplicaError(`it does not show within ${LATEST} ms what was committed at the primary`);

async function stateOf(server: Database): Promise<{ isStandby: boolean; system: string }> {
  const { rows } = await server.query<{ isStandby: boolean; system: string }>(
    'select pg_is_in_recovery() as "isStandby", system_identifier::text as system from pg_control_system()',
  );
  return rows[0] as { isStandby: boolean; system: string };
}

const shows = (replica: Database, id: string, proof: string): Promise<boolean> =>
  forPurpose('changes', async () => {
    const { rowCount } = await replica.query('select from change_log where id = $1 and change = $2', [id, proof]);
    return rowCount === 1;
  });

export class ReplicaReads {
  readonly #servers: Servers;
  readonly #report: (reason: string | null) => void;
  /** The primary's timeline when the replica last showed that it follows it; null while it is out of use. */
  #timeline: string | null = null;
  #reason: string | null | undefined;
  /** Ends the reads at the replica when it goes out of use, so that none waits for one that is gone without a word. */
  readonly #ends = new Set<(error: Error) => void>();
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #flushedAt = 0;

  /** `report` is called with the reason when the replica goes out of use, and with null when it is in use. */
  constructor(servers: Servers, report: (reason: string | null) => void) {
    this.#servers = servers;
    this.#report = report;
  }

  /** Resolves after the first look at the replica. */
  async start(): Promise<void> {
    await this.#look();
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#looking;
  }

  /** Runs a transaction that only reads, at the replica if it is in use. `fn` may be run twice, so it must have no effects. */
  async transaction<T>(fn: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const position = this.#timeline === null ? null : await this.#position();
    // It may have gone out of use since then.
    if (position !== null && this.#timeline !== null) {
      try {
        return await this.#atReplica(position, fn, options);
      } catch (error) {
        if (!ABOUT_THE_READ.test((error as { code?: string }).code ?? '')) this.#leave(error as Error);
      }
    }
    return this.#servers.primary.transaction(fn, options);
  }

  async #position(): Promise<Position> {
    const { rows } = await this.#servers.primary.query<Position>(`select ${POSITION}`);
    return rows[0] as Position;
  }

  #atReplica<T>(position: Position, fn: (tx: Transaction) => Promise<T>, options: TransactionOptions): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#ends.add(reject);
    this.#servers.replica
      .transaction(
        async (tx) => {
          await this.#replayed(tx, position);
          return fn(tx);
        },
        { ...options, readOnly: true },
      )
      .then(resolve, reject);
    return promise.finally(() => this.#ends.delete(reject));
  }

  /** Waits until the replica has replayed the log so far. The next statement sees it. */
  async #replayed(tx: Transaction, { lsn, timeline }: Position): Promise<void> {
    if (timeline !== this.#timeline) throw new ReplicaError('another server has become the primary');
    const start = performance.now();
    for (;;) {
      const { rows } = await tx.query<{ isStandby: boolean; hasReplayed: boolean }>(
        'select pg_is_in_recovery() as "isStandby", coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "hasReplayed"',
        [lsn],
      );
      if (!rows[0]?.isStandby) throw promoted();
      if (rows[0].hasReplayed) return;
      const waited = performance.now() - start;
      if (waited > LATEST) throw tooLate();
      if (waited > FLUSH_AFTER) this.#flush();
      await sleep(POLL_EVERY);
    }
  }

  /**
   * Makes the primary send all that it has written. The end of it may be of a transaction that is still open, and is otherwise sent with
   * the next commit.
   */
  #flush(): void {
    if (performance.now() - this.#flushedAt < FLUSH_AFTER) return;
    this.#flushedAt = performance.now();
    this.#servers.primary.query(`select pg_logical_emit_message(true, 'tidings', '')`).catch(() => {});
  }

  #look(): Promise<void> {
    this.#looking ??= (this.#timeline === null ? this.#prove() : this.#check())
      .catch((error: unknown) => this.#leave(error as Error))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #check(): Promise<void> {
    const position = await this.#position().catch(() => null);
    // Without the primary nothing is read at the replica either.
    if (position === null) return;
    const late = new ReplicaError(`it does not answer within ${LOOK_WITHIN} ms`);
    const timer = setTimeout(() => this.#leave(late), LOOK_WITHIN);
    await this.#atReplica(position, async () => {}, { settings: {} }).finally(() => clearTimeout(timer));
  }

  async #prove(): Promise<void> {
    this.#timeline = await proveReplica(this.#servers);
    this.#say(null);
  }

  #leave(error: Error): void {
    this.#timeline = null;
    for (const end of this.#ends) end(error);
    this.#say(error.message);
  }

  #say(reason: string | null): void {
    if (reason !== this.#reason) this.#report(reason);
    this.#reason = reason;
  }
}
