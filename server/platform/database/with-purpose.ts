import type { Queryable } from './pool.ts';
import type { Purpose } from './settings.ts';
import { sql } from './sql.ts';

/** Adds a purpose to a transaction while `fn` runs in it. */
export async function withPurpose<T>(tx: Queryable, purpose: Purpose, fn: () => Promise<T>): Promise<T> {
  const set = (value: string) => tx.query(sql`select set_config('tidings.purpose', ${value}, true)`);
  const { rows } = await tx.query<{ before: string | null }>(
    sql`select current_setting('tidings.purpose', true) as before`,
  );
  await set(purpose);
  const result = await fn();
  await set(rows[0]?.before ?? '');
  return result;
}
