/**
 * Undoes an applied upload for a day: the list from before it counts again. The undo is an upload itself, without a file, so that only one of
 * a group runs at a time, a killed process only repeats a step, and people are matched and notified as after any upload.
 */
import { ROSTER_UNDO_HOURS } from '#contract/roster-limits.ts';
import type { RosterJob } from '#contract/rosters.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { CELL_COLUMNS, CELL_VALUES, CELLS, count } from './apply.ts';
import { rememberReplaced } from './guesses.ts';
import { enqueueUpload, jobById, setStatus, type Upload } from './job.ts';
import { LISTED_ROW } from './listed-cells.ts';

/** Queues the undo of a job, and returns the job that does it. Errors: ROSTER_NO_UNDO, ROSTER_UPLOAD_RUNNING. */
export async function startUndo(tx: ActorTransaction, job: RosterJob, now: Date): Promise<RosterJob> {
  const { jobId, groupId } = job;
  const { created, updated, removed } = job.statistics;
  const { rows } = await tx.query<{ id: string }>(sql`
    insert into roster_uploads (group_id, status, user_id, username, uploader_name, file_name, relationship, total_rows, created_at, undoes)
    values (${groupId}, 'APPLYING', ${tx.actor.userId}, ${tx.actor.username}, ${tx.actor.displayName}, ${job.lastUploadedFile},
      ${job.relationship}, ${created + updated + removed}, ${now}, ${jobId})
    on conflict do nothing returning id`);
  const [undo] = rows;
  if (undo === undefined) throw new ApiError(job.undoneBy === null ? 'ROSTER_UPLOAD_RUNNING' : 'ROSTER_NO_UNDO');
  // Asked once no other upload of the group can start.
  if (!(await isUndoable(tx, jobId, now))) throw new ApiError('ROSTER_NO_UNDO');
  await setStatus(tx, { id: undo.id, groupId }, 'APPLYING', now);
  await enqueueUpload(tx, undo.id);
  const started = await jobById(tx, undo.id, [groupId]);
  if (started === null) throw new Error('The undo was not stored');
  return started;
}

async function isUndoable(tx: Queryable, jobId: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - ROSTER_UNDO_HOURS * 3_600_000);
  const { rowCount } = await tx.query(sql`
    select from roster_uploads u
    where u.id = ${jobId} and u.applied_at > ${since} and u.undoes is null and u.status in ('DONE', 'FAILED') and not exists (
        select from roster_uploads later
        where later.group_id = u.group_id and later.id > u.id and later.applied_at is not null)`);
  return rowCount > 0;
}

/**
 * Restores the list: who was added leaves, who was removed returns as if never removed, and what it changed has its earlier values,
 * attestation and date from which it opens visits. What it had changed is remembered as replaced, so that an undo does not hide a guess.
 */
export async function applyUndo(tx: Queryable, upload: Upload & { undoes: string }, now: Date): Promise<void> {
  const { id, groupId, undoes } = upload;
  const { rows } = await tx.query<{ listed: number }>(
    sql`select count(*)::int as listed from roster_patients where group_id = ${groupId} and left_at is null`,
  );
  const listed = rows[0]?.listed ?? 0;
  await tx.query(sql`
    insert into roster_upload_rows (upload_id, row_number, member_id, cells, content_hash)
    select ${id}, row_number() over (order by p.sort_last, p.sort_first, p.id), p.member_id, coalesce(b.cells, ${LISTED_ROW}), b.content_hash
    from roster_upload_before b join roster_patients p on p.id = b.listing_id where b.upload_id = ${undoes}`);
  await rememberReplaced(tx, upload, now);
  const removed = await count(
    tx,
    sql`
    update roster_patients p set left_at = ${now}
    where p.group_id = ${groupId} and p.left_at is null and p.upload_id = ${undoes}
      and not exists (select from roster_upload_before b where b.upload_id = ${undoes} and b.listing_id = p.id)`,
  );
  const created = await count(
    tx,
    sql`
    update roster_patients p set left_at = null from roster_upload_before b
    where b.upload_id = ${undoes} and p.id = b.listing_id and b.cells is null`,
  );
  const updated = await count(
    tx,
    sql`
    update roster_patients p set (${CELL_COLUMNS}, content_hash, relationship, upload_id, attested_by, opens_from) = (
        select ${CELL_VALUES}, b.content_hash, b.relationship, b.written_by, b.attested_by, b.opens_from
        from (select b.cells) as r cross join ${CELLS})
    from roster_upload_before b where b.upload_id = ${undoes} and p.id = b.listing_id and b.cells is not null`,
  );
  await tx.query(sql`delete from roster_upload_before where upload_id = ${undoes}`);
  await tx.query(sql`
    update roster_uploads set applied_at = ${now}, listed_before = ${listed}, created_count = ${created}, updated_count = ${updated},
      removed_count = ${removed}, unchanged_count = ${listed - removed - updated}
    where id = ${id}`);
}
