/**
 * A program's first roster waits for an operator: until someone outside the organization has checked that the program exists and looks
 * after people, its lists open nothing (docs/decisions/0030).
 */
import type { RosterJob, WaitingRoster } from '#contract/rosters.ts';
import type { Actor } from '#server/people/access/actor.ts';
import type { ActorTransaction } from '#server/people/access/door.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { JOB_COLUMNS, type Upload } from './job.ts';

export async function isRosterApproved(db: Queryable, groupId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`select from groups where id = ${groupId} and approved_at is not null`);
  return rowCount > 0;
}

/** Opens the uploads of all programs to an operator's transaction, and returns the groups whose uploads the actor may act on. */
export async function groupsToAct(tx: ActorTransaction): Promise<readonly string[]> {
  const { actor } = tx;
  if (!actor.isOperator) return actor.groupsWith('canUploadRoster');
  const { rows } = await tx.query<{ id: string }>(sql`select id from groups where type = 'PROGRAM'`);
  const groupIds = rows.map(({ id }) => id);
  await tx.query(sql`
    select set_config('tidings.group_ids', ${`{${groupIds.join(',')}}`}, true), set_config('tidings.administers', 'everything', true)`);
  return groupIds;
}

/** Returns the first rosters that wait for an operator, oldest first. No one else sees any. */
export async function waitingRosters(tx: ActorTransaction): Promise<WaitingRoster[]> {
  if (!tx.actor.isOperator) return [];
  await groupsToAct(tx);
  const { rows } = await tx.query<RosterJob & Omit<WaitingRoster, 'job'>>(sql`
    select job.*, g.name as "groupName", o.name as "organizationName"
    from (
        select ${JOB_COLUMNS}, user_id is not distinct from ${tx.actor.userId}::bigint as "isOwnUpload" from roster_uploads
        where status = 'AWAITING_CONFIRMATION' and waits_for = 'OPERATOR') as job
      join groups g on g.id = job."groupId" join organizations o on o.id = g.organization_id
    order by job."jobId"`);
  return rows.map(({ groupName, organizationName, isOwnUpload, ...job }) => ({
    job,
    groupName,
    organizationName,
    isOwnUpload,
  }));
}

/** Approves the rosters of an upload's group from now on. Throws ROSTER_NEEDS_OPERATOR unless the actor is an operator who did not upload it. */
export async function approveRosters(tx: Queryable, actor: Actor, upload: Upload, now: Date): Promise<void> {
  if (!actor.isOperator) throw new ApiError('ROSTER_NEEDS_OPERATOR');
  if (upload.userId === actor.userId) {
    throw new ApiError('ROSTER_NEEDS_OPERATOR', {
      message: 'You uploaded this file, so another operator has to approve it. Your file is kept.',
    });
  }
  const { rowCount } = await tx.query(sql`
    update groups set approved_at = coalesce(approved_at, ${now}),
      approved_by = coalesce(approved_by, ${actor.userId})
    where id = ${upload.groupId}`);
  if (rowCount === 0) throw new Error('The group of the roster could not be approved');
}
