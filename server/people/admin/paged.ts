/** Pages of the lists that administrators search. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

export interface Page {
  /** From 1. */
  pageNumber: number;
  pageSize: number;
}

export interface PagedNames extends Page {
  /** Part of a name, in any case. */
  query?: string | undefined;
}

/** SQL: `column` contains the text; true for every row without one. */
export const namedLike = (column: Sql, { query }: { query?: string | undefined }): Sql =>
  sql`${column} ilike ${`%${(query ?? '').trim().replace(/[\\%_]/g, '\\$&')}%`}`;

/** SQL: the clauses that limit a sorted query to the page. */
export const pageOf = ({ pageNumber, pageSize }: Page): Sql =>
  sql`limit ${pageSize} offset ${(pageNumber - 1) * pageSize}`;

/** Returns how many rows there are on all pages, as `count` says, and how many pages. */
export async function countPages(db: Queryable, count: Sql, { pageSize }: Page) {
  const { rows } = await db.query<{ total: number }>(count);
  const total = rows[0]?.total ?? 0;
  return { total, numPages: Math.ceil(total / pageSize) };
}
