import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

/**
 * Deletes an export of the user, with its file. One that is in progress ends with it: its attempt is no longer the current one when it adds to
 * the file, and stops. Errors: NOT_FOUND.
 */
export async function deleteExport(
  db: Database,
  { userId, jobId, requestId, now }: { userId: string; jobId: string; requestId: string; now: Date },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await tx.query<{ teamId: string | null; wasRunning: boolean; rows: number }>(sql`
      delete from export_jobs where id = ${jobId} and user_id = ${userId}
      returning team_id as "teamId", in_progress as "wasRunning", rows_written as rows`);
    const [job] = rows;
    if (job === undefined) throw new ApiError('NOT_FOUND');
    const detail = { wasRunning: job.wasRunning, rows: job.rows };
    const entry = { action: 'export.delete', subject: 'export', subjectId: jobId, detail, requestId, now } as const;
    await writeAuditAs(tx, { userId, teamId: job.teamId }, entry);
  });
}
