/**
 * Read your own writes: a call's answer carries the id of the transaction that it wrote in. The client sends the id along with its
 * next search, which waits for a limited time until the search thread has read that transaction from the change log.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Queryable } from '#server/platform/database/pool.ts';

interface Written {
  /** The call's last transaction that logged a change; null if there is none. */
  xid: string | null;
}

const calls = new AsyncLocalStorage<Written>();

/** Runs a call, and returns its result and the transaction it wrote in. */
export async function withWritten<T>(call: () => Promise<T> | T): Promise<{ result: T; xid: string | null }> {
  const written: Written = { xid: null };
  const result = await calls.run(written, call);
  return { result, xid: written.xid };
}

/** Notes the transaction that the current call wrote in. Does nothing outside of a call. */
export function noteWritten(xid: string | undefined): void {
  const written = calls.getStore();
  if (written && xid !== undefined) written.xid = xid;
}

/**
 * Notes the transaction `tx`, for a change that a trigger logs, or that another transaction made and `tx` sees: whoever has read
 * `tx` has read that change too.
 */
export async function noteChange(tx: Queryable): Promise<void> {
  const { rows } = await tx.query<{ xid: string }>('select pg_current_xact_id()::text as xid');
  noteWritten(rows[0]?.xid);
}
