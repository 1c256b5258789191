/** Reads persons from the database into the tables of an access scope. */
import { setImmediate as turn } from 'node:timers/promises';
import { asGroups } from '#server/people/access/door.ts';
import type { Database } from '#server/platform/database/pool.ts';
import type { AccessScope } from './access-scope.ts';
import { factsByPerson } from './rows/group-facts.ts';
import { readFacts } from './rows/queries.ts';
import type { FactDocument } from './rows/row-sources.ts';
import type { RowOptions } from './rows/rows.ts';
import { putPersons, type Tables } from './scope-tables.ts';

export interface ScopeStoreDeps {
  /** Where rows are read. */
  db: Pick<Database, 'transaction'>;
  /** The process's clock, in milliseconds. */
  now: () => number;
  log: (level: 'info' | 'warn' | 'error', fields: Record<string, unknown>, message: string) => void;
}

/** What is filled. `isUpdate`: the tables may hold earlier rows of the same persons. */
export interface Filled {
  scope: AccessScope;
  tables: Tables;
  isUpdate: boolean;
  /** Whether no one wants the tables any more. */
  isOver: () => boolean;
}

/** Persons per chunk. Between two chunks the thread answers other questions, some 30 ms later at most. */
const CHUNK = 1000;
/** Chunks that PostgreSQL reads at the same time. */
const AHEAD = 3;
/** The class of SQLSTATE codes for values that do not fit. */
const DATA_EXCEPTION = '22';

/** Persons that were read together, and how to make their rows. */
interface Chunk {
  ids: readonly string[];
  document: FactDocument;
  options: RowOptions & { isUpdate: boolean };
}

/** Whether PostgreSQL could not convert a value. */
export const isDataException = (error: unknown): boolean =>
  (error as { code?: string }).code?.startsWith(DATA_EXCEPTION) === true;

/** Reads the next chunks ahead while one is written into the tables. */
export async function fillTables(deps: ScopeStoreDeps, filled: Filled, ids: readonly string[]): Promise<void> {
  const underWay: Promise<Chunk[]>[] = [];
  for (let from = 0; (from < ids.length || underWay.length > 0) && !filled.isOver(); ) {
    for (; underWay.length < AHEAD && from < ids.length; from += CHUNK) {
      const chunk = fetchChunks(deps, filled, ids.slice(from, from + CHUNK));
      // The chunk is awaited later, which throws its error.
      chunk.catch(() => {});
      underWay.push(chunk);
    }
    for (const chunk of (await underWay.shift()) ?? []) put(deps, filled.tables, chunk);
    await turn();
  }
  await Promise.all(underWay);
}

/** Reads persons. A load leaves out one whose values PostgreSQL cannot convert, so that the rows of all others are still right. */
async function fetchChunks(deps: ScopeStoreDeps, filled: Filled, ids: readonly string[]): Promise<Chunk[]> {
  try {
    return [await fetchTogether(deps, filled, ids)];
  } catch (error) {
    if (filled.isUpdate || !isDataException(error)) throw error;
    if (ids.length === 1) {
      const { message, code } = error as Error & { code?: string };
      deps.log('error', { personId: ids[0], message, code }, 'Search: a person could not be read');
      return [];
    }
    const half = ids.length >> 1;
    const first = await fetchChunks(deps, filled, ids.slice(0, half));
    return [...first, ...(await fetchChunks(deps, filled, ids.slice(half)))];
  }
}

async function fetchTogether(
  { db, now }: ScopeStoreDeps,
  { scope, tables, isUpdate }: Filled,
  ids: readonly string[],
): Promise<Chunk> {
  const options = {
    scope,
    withEvents: tables.events !== null,
    isUpdate,
    now: now(),
    noteDiagnosis: (code: string, description: string) => void tables.descriptions.set(code, description),
  };
  const document = await asGroups(db, scope, (tx) => readFacts(tx, ids, { all: options.withEvents }), ids);
  return { ids, document, options };
}

function put({ log }: ScopeStoreDeps, tables: Tables, { ids, document, options }: Chunk): void {
  putPersons(tables, factsByPerson(ids, document), options, (personId, message) =>
    log('warn', { personId, message }, 'Search: a row could not be stored as a whole'),
  );
}
