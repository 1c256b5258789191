/** What people decide about a waiting upload. The job (`process.ts`) does the rest. */
import type { RosterJob } from '#contract/rosters.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { approveRosters, groupsToAct } from './approval.ts';
import { enqueueUpload, jobById, lockUpload, setStatus } from './job.ts';

/** Returns the job, or throws NOT_FOUND if it is of none of these groups. */
export async function findJob(tx: ActorTransaction, jobId: string, groupIds = tx.groupIds): Promise<RosterJob> {
  const job = await jobById(tx, jobId, groupIds);
  if (job === null) throw new ApiError('NOT_FOUND');
  return job;
}

/**
 * Confirms or cancels a waiting upload; an operator, also a group's first roster. One that is not checked yet can be canceled, too. Returns the
 * job, and whether its group was approved by this.
 * Errors: NOT_FOUND, ROSTER_NOT_WAITING, ROSTER_NEEDS_OPERATOR.
 */
export async function decideUpload(
  tx: ActorTransaction,
  jobId: string,
  status: 'APPLYING' | 'CANCELLED',
  now: Date,
): Promise<{ job: RosterJob; isApproval: boolean }> {
  const groupIds = await groupsToAct(tx);
  const { groupId, waitsFor } = await findJob(tx, jobId, groupIds);
  const isOwn = tx.actor.groupsWith('canUploadRoster').includes(groupId);
  // Beyond their own groups, operators act on first rosters only.
  if (!isOwn && waitsFor !== 'OPERATOR') throw new ApiError('NOT_FOUND');
  const upload = await lockUpload(tx, jobId);
  const isExpired = upload?.waitsUntil != null && Date.parse(upload.waitsUntil) <= now.getTime();
  const isUnchecked = upload?.status === 'RECEIVED' || upload?.status === 'VALIDATING';
  const isWaiting = upload?.status === 'AWAITING_CONFIRMATION' && !isExpired;
  if (!upload || !(isWaiting || (isUnchecked && status === 'CANCELLED'))) throw new ApiError('ROSTER_NOT_WAITING');
  const isApproval = waitsFor === 'OPERATOR' && status === 'APPLYING';
  if (isApproval) await approveRosters(tx, tx.actor, upload, now);
  await setStatus(tx, upload, status, now);
  // The team is told who of it decided, and not which operator did.
  if (isOwn) await noteDecision(tx, jobId, now);
  await enqueueUpload(tx, jobId);
  return { job: await findJob(tx, jobId, groupIds), isApproval };
}

async function noteDecision(tx: ActorTransaction, jobId: string, now: Date): Promise<void> {
  await tx.query(sql`
    update roster_uploads set decided_by = ${tx.actor.username}, decided_by_name = ${tx.actor.displayName}, decided_at = ${now} where id = ${jobId}`);
}
