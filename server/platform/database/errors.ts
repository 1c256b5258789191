import pg from 'pg';

/** The database cannot be reached, or the connection broke. The caller may try again. */
export class DatabaseUnavailableError extends Error {
  override name = 'DatabaseUnavailableError';
  readonly retryable = true;
}

/** Nothing is wrong but the time it takes: no connection is free, or a lock or statement took too long. The caller may try again. */
export class DatabaseBusyError extends DatabaseUnavailableError {
  override name = 'DatabaseBusyError';
}

/** Connection exceptions (class 08), shutdown and crash (57P01 to 57P03), an idle transaction (25P03), too many connections (53300): PostgreSQL, appendix A. */
const UNAVAILABLE = /^(08...|57P0[123]|25P03|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)$/;
const BROKEN = /^(Connection terminated|Client has encountered a connection error)/;
/** A statement (57014) or a lock (55P03) that took too long. */
const TOO_LONG = /^(57014|55P03)$/;
/** What the pool says when no connection was free, or no answer came, in time. */
const NONE_FREE = /^(timeout exceeded when trying to connect|Query read timeout)/;

/**
 * Returns the error to throw for an error of the driver: DatabaseUnavailableError, or PostgreSQL's own with its SQLSTATE
 * (`code`), constraint and table, but without anything that repeats values, which may be a patient's.
 */
export function databaseError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code = '' } = error as { code?: string };
  if (TOO_LONG.test(code) || NONE_FREE.test(error.message)) {
    return new DatabaseBusyError(`The database is busy (${code || 'no connection is free, or it does not answer'})`, {
      cause: error,
    });
  }
  if (UNAVAILABLE.test(code) || BROKEN.test(error.message)) {
    return new DatabaseUnavailableError(`The database is not available (${code || 'connection lost'})`, {
      cause: error,
    });
  }
  if (error instanceof pg.DatabaseError) {
    // Class 22 (data exception) quotes the input: invalid input syntax for type date: "…".
    if (code.startsWith('22')) error.message = withoutQuotes(error.message);
    error.detail = undefined;
    error.where = undefined;
    error.internalQuery = undefined;
  }
  return error;
}

/** Removes what a message quotes: from ': "' to its end, else from the first quotation mark to the last. */
function withoutQuotes(message: string): string {
  const [start, end] = [message.indexOf('"'), message.lastIndexOf('"')];
  if (start < 0) return message;
  return message.slice(start - 2, start) === ': '
    ? message.slice(0, start - 2)
    : message.slice(0, start) + message.slice(end + 1);
}

/** Whether the error is a serialization failure or a deadlock: PostgreSQL rolled the transaction back, and it may be run again. */
export function isConflict(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '40001' || code === '40P01';
}

/** Whether the same statements may succeed later, because nothing is wrong with them. */
export const isTransient = (error: unknown): boolean => error instanceof DatabaseUnavailableError || isConflict(error);
