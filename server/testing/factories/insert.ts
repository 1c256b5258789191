import type { Queryable } from '#server/platform/database/pool.ts';
import { Sql } from '#server/platform/database/sql.ts';

/** More columns of a row, by their names in the table. */
export type Columns = Record<string, unknown>;

let count = 0;
/** Returns a number that no other row of this test file has. */
export const next = (): number => ++count;

/** Inserts a row, and returns its id. */
export async function insert(db: Queryable, table: string, row: Record<string, unknown>): Promise<string> {
  const columns = Object.keys(row);
  const pieces = [`insert into ${table} (${columns.join(', ')}) values (`, ...columns.slice(1).map(() => ', ')];
  const statement = new Sql([...pieces, ') returning id'], Object.values(row));
  const { rows } = await db.query<{ id: string }>(statement);
  return rows[0]?.id ?? '';
}
