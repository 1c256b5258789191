import type { Queryable } from './pool.ts';
import { sql } from './sql.ts';

/**
 * Runs statements without nested loops in their plans. Where PostgreSQL expects a few rows, as in a table that was just filled and not analyzed yet, it
 * would compare each row with each, which takes hours for a large table. `tx`: a transaction.
 */
export async function withoutNestedLoops<T>(tx: Queryable, statements: () => Promise<T>): Promise<T> {
  await tx.query(sql`select set_config('enable_nestloop', 'off', true)`);
  const result = await statements();
  await tx.query(sql`select set_config('enable_nestloop', 'on', true)`);
  return result;
}
