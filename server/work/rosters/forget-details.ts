/** Ends what is kept of uploads for a time only. */
import { HOUR } from '#contract/durations.ts';
import { ROSTER_PROBLEM_DAYS, ROSTER_UNDO_HOURS, ROSTER_WAIT_HOURS } from '#contract/roster-limits.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { enqueueUpload, lockUpload, setStatus } from './job.ts';

const EXPIRED = `No one applied this file within ${ROSTER_WAIT_HOURS} hours of its check. The roster has not changed. Upload the file again if it is still needed.`;

/** Cancels uploads that waited for their team for too long: the list they were compared with is old. Returns how many. Run it often. */
export async function cancelExpired(db: Database, now: Date): Promise<number> {
  const { rows } = await db.query<{ id: string }>(
    sql`select id from roster_uploads where status = 'AWAITING_CONFIRMATION' and waits_until <= ${now} order by id`,
  );
  for (const { id } of rows) {
    await db.transaction(async (tx) => {
      const upload = await lockUpload(tx, id);
      // Someone may have decided meanwhile.
      if (upload?.status !== 'AWAITING_CONFIRMATION') return;
      await setStatus(tx, upload, 'CANCELLED', now, EXPIRED);
      await enqueueUpload(tx, id);
    });
  }
  return rows.length;
}

/** Deletes what an undo would need once it is too late for one, and the rows with errors and warnings of old uploads. A daily job. */
export async function forgetUploadDetails(db: Queryable, now: Date): Promise<void> {
  const tooLate = new Date(now.getTime() - ROSTER_UNDO_HOURS * HOUR);
  await db.query(sql`
    delete from roster_upload_before where upload_id in (select id from roster_uploads where applied_at <= ${tooLate})`);
  const old = new Date(now.getTime() - ROSTER_PROBLEM_DAYS * 24 * HOUR);
  const ofOld = sql`upload_id in (select id from roster_uploads where finished_at <= ${old})`;
  await db.query(sql`delete from roster_upload_rows where ${ofOld}`);
  await db.query(sql`delete from roster_upload_warnings where ${ofOld}`);
}
