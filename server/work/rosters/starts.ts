/**
 * Counts how often a step of an upload was started without an end. A start is committed before the step runs, so that it outlives the
 * thread and the process.
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** After so many starts without an end, an upload fails. */
export const MAX_STARTS = 3;

/** Returns how often the upload's current step was started without an end. */
export async function unfinishedStarts(db: Queryable, uploadId: string): Promise<number> {
  const { rows } = await db.query<{ starts: number }>(
    sql`select starts from started_uploads where upload_id = ${uploadId}`,
  );
  return rows[0]?.starts ?? 0;
}

/** Records a start, and returns how many there were before it. `db`: not the step's own transaction. */
export async function recordStart(db: Queryable, uploadId: string): Promise<number> {
  const { rows } = await db.query<{ starts: number }>(sql`
    insert into started_uploads as s (upload_id, starts) values (${uploadId}, 1)
    on conflict (upload_id) do update set starts = s.starts + 1 returning starts`);
  return (rows[0]?.starts ?? 1) - 1;
}

/** Takes back a start that says nothing about the upload. */
export async function revokeStart(db: Queryable, uploadId: string): Promise<void> {
  await db.query(sql`update started_uploads set starts = greatest(starts - 1, 0) where upload_id = ${uploadId}`);
}

/** Records that the step has ended, in its own transaction. */
export async function recordEnd(tx: Queryable, uploadId: string): Promise<void> {
  await tx.query(sql`delete from started_uploads where upload_id = ${uploadId}`);
}
