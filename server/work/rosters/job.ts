/** A roster upload as a job: its row and its states, which open pages follow. */
import type { Relationship } from '#contract/relationships.ts';
import type { RosterJob, RosterJobStatus, RosterWait } from '#contract/rosters.ts';
import { enqueueOperatorMail } from '#server/people/admin/operator-mails.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

/** The task name under which the worker runs `processUpload`. Its payload is `{ uploadId }`. */
export const ROSTER_TASK = 'process-roster';

/** Queues the work on an upload in the caller's transaction. Queuing it twice runs it once. */
export async function enqueueUpload(tx: Queryable, uploadId: string): Promise<void> {
  await tx.query(sql`select enqueue_job(task => ${ROSTER_TASK}::text, payload => ${JSON.stringify({ uploadId })}::json,
    job_key => ${`roster:${uploadId}`}::text)`);
}

export interface Upload {
  id: string;
  groupId: string;
  status: RosterJobStatus;
  userId: string | null;
  /** Null for an upload from before uploaders attested one. */
  relationship: Relationship | null;
  appliedAt: string | null;
  /** Rows in the file. */
  totalRows: number;
}

/** Returns the upload, locked until the transaction ends, or null. */
export async function lockUpload(tx: Queryable, uploadId: string): Promise<Upload | null> {
  const { rows } = await tx.query<Upload>(sql`
    select id, group_id as "groupId", status, user_id as "userId", relationship, applied_at as "appliedAt", total_rows as "totalRows"
    from roster_uploads where id = ${uploadId} for update`);
  return rows[0] ?? null;
}

/** Sets the state of an upload and notifies the pages that show it. */
export async function setStatus(
  tx: Queryable,
  upload: Pick<Upload, 'id' | 'groupId'>,
  status: RosterJobStatus,
  now: Date,
  fileError?: string,
): Promise<void> {
  const isOver = status === 'DONE' || status === 'FAILED' || status === 'CANCELLED';
  await tx.query(sql`
    update roster_uploads set status = ${status}, waits_for = null, file_error = coalesce(${fileError ?? null}, file_error),
      finished_at = ${isOver ? now : null}
    where id = ${upload.id}`);
  await logChanges(tx, [{ kind: 'roster', change: status, groupId: upload.groupId, subjectId: upload.id }], now);
}

/** Stops the upload until someone acts: an operator, who is mailed, or the uploader's team. */
export async function setWaiting(tx: Queryable, upload: Upload, waitsFor: RosterWait, now: Date): Promise<void> {
  await setStatus(tx, upload, 'AWAITING_CONFIRMATION', now);
  await tx.query(sql`update roster_uploads set waits_for = ${waitsFor} where id = ${upload.id}`);
  if (waitsFor === 'OPERATOR') await enqueueOperatorMail(tx, 'roster');
}

/** Columns of `roster_uploads` in the form of the API. */
export const JOB_COLUMNS = sql`
  id as "jobId", group_id as "groupId", status, username as "rosterUploader", created_at as "lastUploadedDate",
    file_name as "lastUploadedFile", relationship, waits_for as "waitsFor", file_error as "fileError", ignored_columns as "ignoredColumns",
    total_rows as "totalRows", error_rows as "totalErrorRows", unplaced_rows as "unplacedRows",
    (select jsonb_build_object('created', done * created_count, 'updated', done * updated_count, 'removed', done * removed_count,
        'unchanged', done * unchanged_count)
      from (select case when status in ('FAILED', 'CANCELLED') then 0 else 1 end as done) as outcome) as statistics,
    errors_by_column as "errorsByColumn", warnings_by_column as "warningsByColumn", has_day_first as "hasDayFirst"`;

async function findJob(tx: Queryable, condition: Sql): Promise<RosterJob | null> {
  const { rows } = await tx.query<RosterJob>(
    sql`select ${JOB_COLUMNS} from roster_uploads where ${condition} and status <> 'RECEIVING' order by id desc limit 1`,
  );
  return rows[0] ?? null;
}

/** Returns an upload in the form of the API, or null if these groups have none with this id. */
export const jobById = (tx: Queryable, jobId: string, groupIds: readonly string[]): Promise<RosterJob | null> =>
  findJob(tx, sql`id = ${jobId} and group_id = any (${groupIds}::bigint[])`);

/** Returns the newest upload of a group, or null. */
export const latestJob = (tx: Queryable, groupId: string): Promise<RosterJob | null> =>
  findJob(tx, sql`group_id = ${groupId}`);

/** Returns uploads that a process left unfinished when it died. The worker queues them when it starts. */
export async function unfinishedUploads(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    sql`select id from roster_uploads where status in ('RECEIVED', 'VALIDATING', 'APPLYING') order by id`,
  );
  return rows.map(({ id }) => id);
}
