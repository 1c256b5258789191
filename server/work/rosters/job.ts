/** An upload as a job: its row, its states, who is told of them. */
import type { RosterJob, RosterJobStatus } from '#contract/rosters.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

/** The name under which the worker runs `processUpload`; its payload is `{ uploadId }`. */
export const ROSTER_TASK = 'process-roster';

/** Enqueues the work on an upload in the caller's transaction; asked for twice, it runs once. */
export async function enqueueUpload(tx: Queryable, uploadId: string): Promise<void> {
  await tx.query(sql`select enqueue_job(task => ${ROSTER_TASK}::text, payload => ${JSON.stringify({ uploadId })}::json,
    job_key => ${`roster:${uploadId}`}::text)`);
}

export interface Upload {
  id: string;
  groupId: string;
  status: RosterJobStatus;
  userId: string | null;
  appliedAt: string | null;
  /** Of the file. */
  totalRows: number;
}

/** The upload, locked until the transaction ends; null where there is none. */
export async function lockUpload(tx: Queryable, uploadId: string): Promise<Upload | null> {
  const { rows } = await tx.query<Upload>(sql`
    select id, group_id as "groupId", status, user_id as "userId", applied_at as "appliedAt", total_rows as "totalRows"
    from roster_uploads where id = ${uploadId} for update`);
  return rows[0] ?? null;
}

/** Brings an upload to a state and tells the pages that show it. */
export async function setStatus(
  tx: Queryable,
  upload: Upload,
  status: RosterJobStatus,
  now: Date,
  fileError?: string,
): Promise<void> {
  const isOver = status === 'DONE' || status === 'FAILED' || status === 'CANCELLED';
  await tx.query(sql`
    update roster_uploads set status = ${status}, file_error = coalesce(${fileError ?? null}, file_error),
      finished_at = ${isOver ? now : null}
    where id = ${upload.id}`);
  await logChanges(tx, [{ kind: 'roster', change: status, groupId: upload.groupId, subjectId: upload.id }], now);
}

const JOB = sql`
  select id as "jobId", group_id as "groupId", status, username as "rosterUploader", created_at as "lastUploadedDate",
    file_name as "lastUploadedFile", file_error as "fileError", ignored_columns as "ignoredColumns",
    total_rows as "totalRows", error_rows as "totalErrorRows", unplaced_rows as "unplacedRows",
    jsonb_build_object('created', created_count, 'updated', updated_count, 'removed', removed_count,
      'unchanged', unchanged_count) as statistics,
    errors_by_column as "errorsByColumn"
  from roster_uploads`;

async function findJob(tx: Queryable, condition: Sql): Promise<RosterJob | null> {
  const { rows } = await tx.query<RosterJob>(sql`${JOB} where ${condition} order by id desc limit 1`);
  return rows[0] ?? null;
}

/** One upload as the API answers it; null where there is none in these groups. */
export const jobById = (tx: Queryable, jobId: string, groupIds: readonly string[]): Promise<RosterJob | null> =>
  findJob(tx, sql`id = ${jobId} and group_id = any (${groupIds}::bigint[])`);

/** The newest upload of a group. */
export const latestJob = (tx: Queryable, groupId: string): Promise<RosterJob | null> =>
  findJob(tx, sql`group_id = ${groupId}`);

/** Uploads that a process left behind when it died; the worker enqueues them when it starts. */
export async function unfinishedUploads(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    sql`select id from roster_uploads where status in ('RECEIVED', 'VALIDATING', 'APPLYING') order by id`,
  );
  return rows.map(({ id }) => id);
}
