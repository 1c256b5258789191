import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseUnavailableError, databaseError, isConflict } from './errors.ts';
import type { Sql } from './sql.ts';
import { valueParsers } from './values.ts';

export type Row = Record<string, unknown>;
export type Result<R> = { rows: R[]; rowCount: number };

/** Something that runs statements: a database, or a transaction on it. Values arrive as `values.ts` says. */
export interface Queryable {
  query<R extends object = Row>(statement: Sql): Promise<Result<R>>;
  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<Result<R>>;
}

/** A transaction; `client` is its connection, for what is more than a statement (COPY, cursors). */
export interface Transaction extends Queryable {
  readonly client: pg.PoolClient;
}

export type TransactionOptions = {
  /** Settings for this transaction alone, such as who acts; sent with BEGIN in one round trip. */
  settings?: Record<string, string>;
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readOnly?: boolean;
  /** How often to run `fn` again after a deadlock or a serialization failure; it must then do nothing but statements. */
  retries?: number;
};

export interface Database extends Queryable {
  /** Runs `fn` in a transaction: committed when it returns, rolled back when it throws. */
  transaction<T>(fn: (transaction: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** The pool underneath, for libraries that want one (graphile-worker) and for LISTEN. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export type DatabaseOptions = {
  /** The most connections at a time. */
  max?: number;
  /** Shown in pg_stat_activity, so that an operator sees who holds what. */
  applicationName?: string;
};

/**
 * Opens a pool of connections; the first query connects. Errors: DatabaseUnavailableError where the database cannot
 * be reached (ask again later), else PostgreSQL's own without values (`errors.ts`).
 */
export function openDatabase(url: string, { max = 10, applicationName = 'tidings' }: DatabaseOptions = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    types: valueParsers,
    // Statements that are asked for together, as by Promise.all, travel together.
    pipeline: true,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A connection that breaks between two statements is no one's query, and without listeners it would end the process;
  // the pool drops it and opens another, and a transaction on it fails at its next statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    pool,
    query: (statement: Sql | string, values?: readonly unknown[]) => run(pool, statement, values),
    transaction: (fn, options = {}) => transact(pool, fn, options),
    close: () => pool.end(),
  };
}

/**
 * Names by which a connection knows statements whose plans it keeps: planning one that joins the partitions of `messages` takes ten
 * times as long as running it.
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

async function transactOnce<T>(
  pool: pg.Pool,
  fn: (transaction: Transaction) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw databaseError(error);
  });
  let broken = false;
  const transaction: Transaction = {
    client,
    query: (statement: Sql | string, values?: readonly unknown[]) => run(client, statement, values),
  };
  try {
    await run(client, begin(options));
    const result = await fn(transaction);
    await run(client, 'commit');
    return result;
  } catch (error) {
    broken = error instanceof DatabaseUnavailableError;
    await client.query('rollback').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** BEGIN and the settings as one simple query, which takes no parameters; hence the escaping, here and nowhere else. */
function begin({ settings = {}, isolation, readOnly }: TransactionOptions): string {
  const modes = [isolation && `isolation level ${isolation}`, readOnly && 'read only'].filter(Boolean).join(', ');
  const set = Object.entries(settings)
    .map(([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`)
    .join(', ');
  return set === '' ? `begin ${modes}` : `begin ${modes}; select ${set}`;
}
