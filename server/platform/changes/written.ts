/** In which transaction a call changed what lists show; its answer says so, and a search that brings it back sees the change. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Queryable } from '#server/platform/database/pool.ts';

interface Written {
  /** Of the call's last transaction that logged a change; null where none did. */
  xid: string | null;
}

const calls = new AsyncLocalStorage<Written>();

/** Runs a call and answers, beside its result, the transaction that it wrote in. */
export async function withWritten<T>(call: () => Promise<T> | T): Promise<{ result: T; xid: string | null }> {
  const written: Written = { xid: null };
  const result = await calls.run(written, call);
  return { result, xid: written.xid };
}

/** Outside of a call it does nothing. */
export function noteWritten(xid: string | undefined): void {
  const written = calls.getStore();
  if (written && xid !== undefined) written.xid = xid;
}

/** For a change that a trigger logs, or that was made elsewhere and is seen by `tx`: this transaction is later than it. */
export async function noteChange(tx: Queryable): Promise<void> {
  const { rows } = await tx.query<{ xid: string }>('select pg_current_xact_id()::text as xid');
  noteWritten(rows[0]?.xid);
}
