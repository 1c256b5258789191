import type { ExportJob } from '#contract/exports.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

const RECENT = 20;

/** Returns the user's most recent exports, newest first. */
export async function findRecentJobs(db: Queryable, userId: string): Promise<ExportJob[]> {
  const { rows } = await db.query<ExportJob>(sql`
    select id, name, modified_at as "modifiedAt", in_progress as "inProgress", failed
    from export_jobs where user_id = ${userId} order by id desc limit ${RECENT}`);
  return rows;
}
