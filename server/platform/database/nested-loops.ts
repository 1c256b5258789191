import type { Queryable } from './pool.ts';
import { sql } from './sql.ts';

/**
 * Runs statements that PostgreSQL may not plan with nested loops: for a table that was just filled and not counted yet it believes in a few rows, and would
 * compare each with each, which takes hours for a large one. `tx`: a transaction.
 */
export async function withoutNestedLoops<T>(tx: Queryable, statements: () => Promise<T>): Promise<T> {
  await tx.query(sql`select set_config('enable_nestloop', 'off', true)`);
  const result = await statements();
  await tx.query(sql`select set_config('enable_nestloop', 'on', true)`);
  return result;
}
