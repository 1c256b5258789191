import type { Queryable } from '#server/platform/database/pool.ts';
import type { Sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

/** Returns the first row; throws NOT_FOUND if there is none. */
export async function oneRow<R extends object>(db: Queryable, statement: Sql): Promise<R> {
  const { rows } = await db.query<R>(statement);
  if (rows[0] === undefined) throw new ApiError('NOT_FOUND');
  return rows[0];
}
