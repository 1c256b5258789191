import { DatabaseBusyError } from './errors.ts';
import type { Database } from './pool.ts';
import { Turns } from './turns.ts';

/** Milliseconds that work may wait for its share. It is as long as a call waits for a connection. */
const PATIENCE = 5000;
const WAITING = 1000;

/**
 * Returns the database with at most `most` of its connections in use at the same time, for one kind of work that must leave the others
 * to the rest. Errors: those of the database, and DatabaseBusyError if the share is used up for too long.
 */
export function shareOf(database: Database, most: number): Database {
  const turns = new Turns({ most, waiting: WAITING, patience: PATIENCE });
  const inTurn = async <T>(fn: () => Promise<T>): Promise<T> => {
    const end = await turns.take('');
    if (end === null) throw new DatabaseBusyError('This work uses all of its connections');
    try {
      return await fn();
    } finally {
      end();
    }
  };
  return {
    ...database,
    query: (...statement: Parameters<Database['query']>) => inTurn(() => database.query(...statement)),
    transaction: (fn, options) => inTurn(() => database.transaction(fn, options)),
  } as Database;
}
