import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** How many of the migrations have been applied. */
export async function countApplied(db: Queryable, names: readonly string[]): Promise<number> {
  const { rowCount } = await db.query(sql`select from migrations where name = any (${names})`);
  return rowCount;
}
