import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseBusyError, DatabaseUnavailableError, databaseError, isConflict } from './errors.ts';
import { type Settings, settingsOfCall } from './settings.ts';
import type { Sql } from './sql.ts';
import { valueParsers } from './values.ts';

export type Row = Record<string, unknown>;
export type Result<R> = { rows: R[]; rowCount: number };

/** Runs statements: a database or a transaction. Values arrive as described in `values.ts`. */
export interface Queryable {
  query<R extends object = Row>(statement: Sql): Promise<Result<R>>;
  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<Result<R>>;
}

/** A transaction. Marked, so that the compiler refuses a database whose statements would each be one of their own. */
export interface Transaction extends Queryable {
  readonly isTransaction: true;
}

export type TransactionOptions = {
  /** Settings for this transaction only, instead of the call's (`settings.ts`); sent with BEGIN in one round trip. */
  settings?: Settings;
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readOnly?: boolean;
  /** How often to run `fn` again after a deadlock or a serialization failure. `fn` must then have no effects besides its statements. */
  retries?: number;
};

export interface Database extends Queryable {
  /** Runs `fn` in a transaction: committed when it returns, rolled back when it throws. */
  transaction<T>(fn: (transaction: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** The underlying pool, for graphile-worker. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export type DatabaseOptions = {
  /** Maximum number of connections. */
  max?: number;
  /** Shown in pg_stat_activity, so that an operator can tell connections apart. */
  applicationName?: string;
  timeouts?: Timeouts;
};

/** In milliseconds; none by default. What takes longer fails with DatabaseBusyError, or with DatabaseUnavailableError if idle. */
export type Timeouts = {
  /** Of a transaction between two statements. PostgreSQL then ends it with its locks. */
  idleInTransaction?: number;
  statement?: number;
  lock?: number;
  /** Until a connection is free. */
  connection?: number;
  /** Until a statement's answer has come. The connection is then given up: the server may be gone without a word. */
  answer?: number;
};

/**
 * Opens a connection pool; the first query connects. Errors: DatabaseUnavailableError if the database cannot be reached (try
 * again later), otherwise PostgreSQL's own without values (`errors.ts`).
 */
export function openDatabase(
  url: string,
  { max = 10, applicationName = 'tidings', timeouts = {} }: DatabaseOptions = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    types: valueParsers,
    // Statements issued together, as with Promise.all, are sent together.
    pipeline: true,
    connectionTimeoutMillis: timeouts.connection ?? 10_000,
    ...(timeouts.idleInTransaction && { idle_in_transaction_session_timeout: timeouts.idleInTransaction }),
    ...(timeouts.statement && { statement_timeout: timeouts.statement }),
    ...(timeouts.lock && { lock_timeout: timeouts.lock }),
    ...(timeouts.answer && { query_timeout: timeouts.answer }),
    keepAlive: true,
  });
  // A connection that breaks between two statements emits 'error', which would end the process without a listener. The pool
  // replaces the connection, and a transaction on it fails at its next statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    pool,
    query: (statement: Sql | string, values?: readonly unknown[]) => runOnce(pool, statement, values),
    transaction: (fn, options = {}) => transact(pool, fn, options),
    close: () => pool.end(),
  };
}

/**
 * Names of prepared statements, by text. Each connection keeps the plans, because planning a join with the partitions of
 * `messages` takes ten times as long as running it (docs/decisions/0006).
 */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = hash('sha256', text, 'base64url').slice(0, 24);
  names.set(text, name);
  return name;
}

async function run<R extends object>(
  target: pg.Pool | pg.PoolClient,
  statement: Sql | string,
  values: readonly unknown[] = [],
): Promise<Result<R>> {
  const { text, values: parameters } = typeof statement === 'string' ? { text: statement, values } : statement;
  const name = parameters.length > 0 ? nameOf(text) : undefined;
  try {
    const { rows, rowCount } = await target.query<R & pg.QueryResultRow>({
      name,
      text,
      values: [...parameters],
    });
    return { rows, rowCount: rowCount ?? 0 };
  } catch (error) {
    throw databaseError(error);
  }
}

/** Runs one statement, under the call's settings if there are any: then BEGIN, statement and COMMIT are sent together. */
async function runOnce<R extends object>(
  pool: pg.Pool,
  statement: Sql | string,
  values?: readonly unknown[],
): Promise<Result<R>> {
  const settings = settingsOfCall();
  if (settings === undefined) return run(pool, statement, values);
  const client = await connect(pool);
  let isBroken = false;
  try {
    const sent = [run(client, begin({ settings })), run<R>(client, statement, values), run(client, 'commit')] as const;
    await Promise.allSettled(sent);
    const [, result] = await Promise.all(sent);
    return result;
  } catch (error) {
    isBroken = error instanceof DatabaseUnavailableError;
    throw error;
  } finally {
    client.release(isBroken);
  }
}

const connect = (pool: pg.Pool): Promise<pg.PoolClient> =>
  pool.connect().catch((error: unknown) => {
    throw databaseError(error);
  });

async function transact<T>(
  pool: pg.Pool,
  fn: (transaction: Transaction) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await transactOnce(pool, fn, options);
    } catch (error) {
      if (!isConflict(error) || attempt >= (options.retries ?? 0)) throw error;
      await sleep(Math.random() * 10 * 2 ** attempt);
    }
  }
}

const IN_FAILED_TRANSACTION = '25P02';

async function transactOnce<T>(
  pool: pg.Pool,
  fn: (transaction: Transaction) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const client = await connect(pool);
  let broken = false;
  let failure: unknown;
  let isOver = false;
  const transaction: Transaction = {
    isTransaction: true,
    // Of statements that are sent together, those after one that failed are refused. Whoever awaits one of them is told why.
    query: async <R extends object>(statement: Sql | string, values?: readonly unknown[]) => {
      // Else whatever goes on after a failure beside it would be written outside of any transaction, or in the next one of this connection.
      if (isOver) throw new Error('A statement came after the end of its transaction');
      try {
        return await run<R>(client, statement, values);
      } catch (error) {
        if (failure !== undefined && (error as { code?: string }).code === IN_FAILED_TRANSACTION) throw failure;
        failure = error;
        throw error;
      }
    },
  };
  // What only reads waits neither for its BEGIN nor for its COMMIT: two round trips of the ten that a page of a list takes (docs/decisions/0130). If it
  // could not begin, what its statements read is not returned.
  const isSent = options.readOnly === true;
  try {
    const begun = run(client, begin(options)).catch((error: unknown) => {
      failure = error;
      throw error;
    });
    if (isSent) begun.catch(() => {});
    else await begun;
    const result = await fn(transaction).finally(() => {
      isOver = true;
    });
    await begun;
    const committed = run(client, 'commit');
    if (isSent) committed.catch(() => {});
    else await committed;
    return result;
  } catch (error) {
    broken = error instanceof DatabaseUnavailableError && !(error instanceof DatabaseBusyError);
    await client.query('rollback').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Returns BEGIN and the settings as one simple query. It cannot have parameters, so this is the only place that escapes values. */
function begin({ settings = settingsOfCall() ?? {}, isolation, readOnly }: TransactionOptions): string {
  const modes = [isolation && `isolation level ${isolation}`, readOnly && 'read only'].filter(Boolean).join(', ');
  const set = Object.entries(settings)
    .map(([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`)
    .join(', ');
  return set === '' ? `begin ${modes}` : `begin ${modes}; select ${set}`;
}
