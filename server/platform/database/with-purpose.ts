import type { Queryable } from './pool.ts';
import type { Purpose } from './settings.ts';
import { sql } from './sql.ts';

/** Adds a purpose to a transaction while `fn` runs in it. */
export async function withPurpose<T>(tx: Queryable, purpose: Purpose, fn: () => Promise<T>): Promise<T> {
  const set = (value: string) => tx.query(sql`select set_config('tidings.purpose', ${value}, true)`);
  await set(purpose);
  const result = await fn();
  await set('');
  return result;
}
