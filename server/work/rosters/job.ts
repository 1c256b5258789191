/** A roster upload as a job: its row and its states, which open pages follow. */
import { HOUR } from '#contract/durations.ts';
import type { Relationship } from '#contract/relationships.ts';
import { ROSTER_UNDO_HOURS, ROSTER_WAIT_HOURS } from '#contract/roster-limits.ts';
import type { RosterHistory, RosterJob, RosterJobStatus, RosterWait } from '#contract/rosters.ts';
import { enqueueOperatorMail } from '#server/people/admin/operator-mails.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

/** The task name under which the worker runs `processUpload`. Its payload is `{ uploadId }`. */
export const ROSTER_TASK = 'process-roster';

/** Queues the work on an upload in the caller's transaction. Queuing it twice runs it once. */
export async function enqueueUpload(tx: Queryable, uploadId: string): Promise<void> {
  await tx.query(sql`select enqueue_job(task => ${ROSTER_TASK}::text, payload => ${JSON.stringify({ uploadId })}::json,
    job_key => ${jobKeyOf(uploadId)}::text)`);
}

export const jobKeyOf = (uploadId: string): string => `roster:${uploadId}`;

export interface Upload {
  id: string;
  groupId: string;
  status: RosterJobStatus;
  userId: string | null;
  /** Null for an upload from before uploaders attested one. */
  relationship: Relationship | null;
  appliedAt: string | null;
  /** The last row that has been identified. */
  identifiedRow: number;
  /** People whom it adds, changes or removes. Of a file that was not checked yet, 0. */
  changes: number;
  /** Whether it waits to be confirmed, whatever it changes. */
  isPreviewed: boolean;
  /** When it stops waiting to be confirmed. */
  waitsUntil: string | null;
  /** The upload that this one undoes. */
  undoes: string | null;
}

const findUpload = (uploadId: string): Sql => sql`
  select id, group_id as "groupId", status, user_id as "userId", relationship, applied_at as "appliedAt",
    identified_row as "identifiedRow",
    case when undoes is null then created_count + updated_count + removed_count else total_rows end as changes, is_previewed as "isPreviewed", waits_until as "waitsUntil", undoes
  from roster_uploads where id = ${uploadId}`;

/** Returns the upload, locked until the transaction ends, or null. */
export async function lockUpload(tx: Queryable, uploadId: string): Promise<Upload | null> {
  const { rows } = await tx.query<Upload>(sql`${findUpload(uploadId)} for update`);
  return rows[0] ?? null;
}

const STEP_LOCK = 7_463_212;

/** Returns the upload for its next step, which no other process runs before the transaction ends. While it is checked, it can be canceled. */
export async function lockForStep(tx: Queryable, uploadId: string): Promise<Upload | null> {
  await tx.query(sql`select pg_advisory_xact_lock(${STEP_LOCK}, hashint8(${uploadId}))`);
  const { rows } = await tx.query<Upload>(findUpload(uploadId));
  return rows[0]?.status === 'VALIDATING' ? rows[0] : lockUpload(tx, uploadId);
}

/** Someone canceled the upload while it was checked. */
export class CheckStoppedError extends Error {
  override name = 'CheckStoppedError';
}

/** Throws CheckStoppedError unless the upload is still to be checked. */
export async function stopIfCanceled(tx: Queryable, uploadId: string): Promise<void> {
  const { rows } = await tx.query<Upload>(findUpload(uploadId));
  if (rows[0]?.status !== 'VALIDATING') throw new CheckStoppedError('The upload is not checked any more');
}

/** The same; and from now on, until the transaction ends, it can't be canceled. */
export async function lockChecked(tx: Queryable, uploadId: string): Promise<void> {
  await lockUpload(tx, uploadId);
  await stopIfCanceled(tx, uploadId);
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
    update roster_uploads set status = ${status}, waits_for = null, waits_until = null, file_error = coalesce(${fileError ?? null}, file_error),
      finished_at = ${isOver ? now : null}
    where id = ${upload.id}`);
  await logChanges(tx, [{ kind: 'roster', change: status, groupId: upload.groupId, subjectId: upload.id }], now);
}

/** Stops the upload until someone acts: an operator, who is mailed, or the uploader's team. */
export async function setWaiting(tx: Queryable, upload: Upload, waitsFor: RosterWait, now: Date): Promise<void> {
  await setStatus(tx, upload, 'AWAITING_CONFIRMATION', now);
  const until = waitsFor === 'OPERATOR' ? null : new Date(now.getTime() + ROSTER_WAIT_HOURS * HOUR);
  await tx.query(
    sql`update roster_uploads set waits_for = ${waitsFor}, waits_until = ${until} where id = ${upload.id}`,
  );
  if (waitsFor === 'OPERATOR') await enqueueOperatorMail(tx, 'roster');
}

/** Condition on `roster_uploads`: nothing but time prevents an undo. */
const canBeUndone = sql`(applied_at is not null and status in ('DONE', 'FAILED') and undoes is null
  and not exists (select from roster_uploads o where o.undoes = roster_uploads.id and o.status in ('APPLYING', 'DONE'))
  and not exists (
    select from roster_uploads o
    where o.group_id = roster_uploads.group_id and o.id > roster_uploads.id and o.applied_at is not null))`;

/** Columns of `roster_uploads` in the form of the API. */
export const JOB_COLUMNS = sql`
  id as "jobId", group_id as "groupId", status, username as "rosterUploader", coalesce(uploader_name, username) as "uploaderName", created_at as "lastUploadedDate",
    file_name as "lastUploadedFile", relationship, waits_for as "waitsFor", file_error as "fileError", ignored_columns as "ignoredColumns",
    total_rows as "totalRows", error_rows as "totalErrorRows", unplaced_rows as "unplacedRows",
    (select jsonb_build_object('created', done * created_count, 'updated', done * updated_count, 'removed', done * removed_count,
        'unchanged', done * unchanged_count)
      from (select case when status = 'FAILED' and applied_at is null then 0 else 1 end as done) as outcome) as statistics,
    errors_by_column as "errorsByColumn", warnings_by_column as "warningsByColumn", cleared_by_column as "clearedByColumn", has_day_first as "hasDayFirst", encoding, garbled_cells as "garbledCells",
    listed_before as "listedBefore", matched_rows as "matchedRows", decided_by as "decidedBy", coalesce(decided_by_name, decided_by) as "decidedByName", decided_at as "decidedAt",
    waits_until as "waitsUntil", applied_at as "appliedAt", finished_at as "finishedAt", undoes,
    (select o.id from roster_uploads o where o.undoes = roster_uploads.id and o.status in ('APPLYING', 'DONE')) as "undoneBy",
    case when ${canBeUndone} then applied_at + make_interval(hours => ${ROSTER_UNDO_HOURS}) end as "undoUntil"`;

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

/** Returns a page of a group's uploads, newest first. */
export async function jobsOfGroup(
  tx: Queryable,
  groupId: string,
  { pageNumber, pageSize }: { pageNumber: number; pageSize: number },
): Promise<RosterHistory> {
  const ofGroup = sql`group_id = ${groupId} and status <> 'RECEIVING'`;
  const { rows } = await tx.query<{ total: number }>(
    sql`select count(*)::int as total from roster_uploads where ${ofGroup}`,
  );
  const { rows: uploads } = await tx.query<RosterJob>(sql`
    select ${JOB_COLUMNS} from roster_uploads where ${ofGroup}
    order by roster_uploads.id desc limit ${pageSize} offset ${(pageNumber - 1) * pageSize}`);
  return { total: rows[0]?.total ?? 0, uploads };
}

/** Returns uploads that a process left unfinished when it died. The worker queues them when it starts. */
export async function unfinishedUploads(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    sql`select id from roster_uploads where status in ('RECEIVED', 'VALIDATING', 'APPLYING') order by id`,
  );
  return rows.map(({ id }) => id);
}
