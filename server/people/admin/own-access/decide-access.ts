/**
 * Decides on the access that administrators asked for themselves: another administrator of the group, or an operator. Errors of all:
 * NOT_FOUND if nothing waits that the caller may decide on. Whoever asked gets the decision by mail.
 */
import type { Grant, PendingGrant } from '#contract/admin.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { mailDecision } from '#server/people/accounts/letters/send-letters.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { covers, coversAll, type Scope } from '../admin-scope.ts';
import { type AdminDeps, administer, type Change, publishRightsChanged } from '../administer.ts';
import { giveAccess } from '../directory/group-queries.ts';
import { flagsIn, gained, heldBy, placeOf } from '../held-flags.ts';
import { followAccess } from '../provisioning/provisioning.ts';
import { countGrantable, findUser } from '../users/queries.ts';
import { findAppointers } from './appointments.ts';
import * as queries from './queries.ts';

/** Returns what the administrator may decide on, and their own requests. */
export async function listPending(db: Queryable, scope: Scope, now: Date): Promise<PendingGrant[]> {
  const shown: PendingGrant[] = [];
  const appointers = await findAppointers(db, scope.userId, now);
  for (const row of await queries.findPending(db, scope)) {
    const isDecider = await mayDecide(db, scope, row);
    const canConfirm = isDecider && !appointers.has(row.userId);
    const place = placeOf(row);
    const adds = gained(await heldBy(db, row.userId), await flagsIn(db, [grantOf(row)]), place);
    if (isDecider || row.isOwn) shown.push({ ...row, adds, canConfirm });
  }
  return shown;
}

/** A group that no one manages any more (a reopened one) is decided on by those who manage all others. */
async function mayDecide(db: Queryable, scope: Scope, row: queries.PendingRow): Promise<boolean> {
  if (row.isOwn) return false;
  return covers(scope, row.groupId) || (!row.isManaged && (await coversAll(db, scope)));
}

/**
 * Gives the access. Further errors: NOT_PERMITTED for one's own request, or that of someone on whom the caller depends (`findAppointers`);
 * CHANGED_BY_OTHER if the request or its role is no longer what the administrator saw; BAD_REQUEST if the account is disabled, or the team,
 * group or role has been removed.
 */
export function confirmAccess({ db, publicUrl }: AdminDeps, call: ActorCall, id: string, read: string): Promise<void> {
  return administer(db, call, async (change) => {
    const { tx, scope, now, audit } = change;
    const row = await findRow(change, id);
    if (row.isOwn) {
      throw new ApiError('NOT_PERMITTED', { message: 'Another administrator has to confirm your access.' });
    }
    const { userId } = row;
    await checkVersion(tx, { subject: 'user', id: userId, current: row, read });
    // Not `findTarget`: also what an operator asks for is confirmed by whoever administers the group.
    const user = await findUser(tx, scope, userId, now);
    const grant = grantOf(row);
    if (!user || user.status === 'DISABLED' || (await countGrantable(tx, row.organizationId, [grant])) === 0) {
      throw new ApiError('BAD_REQUEST', {
        message: 'The account is disabled, or the team, group or role was removed. Decline the request.',
      });
    }
    await queries.putGrant(tx, userId, grant);
    await queries.deletePending(tx, id);
    await publishRightsChanged(change, [userId]);
    await audit({ action: 'user.confirm-access', subject: 'user', subjectId: userId, detail: { grants: [grant] } });
    await followAccess(change, row.organizationId, (await giveAccess(tx, grant)) ? undefined : [userId]);
    await mailAsker(change, row, 'confirmed', publicUrl);
  });
}

/** Removes the request: declines another's, or withdraws one's own. */
export function declineAccess({ db, publicUrl }: AdminDeps, call: ActorCall, id: string): Promise<void> {
  return administer(db, call, async (change) => {
    const row = await findRow(change, id);
    await queries.deletePending(change.tx, id);
    const action = row.isOwn ? 'user.withdraw-access' : 'user.decline-access';
    await change.audit({ action, subject: 'user', subjectId: row.userId, detail: { grants: [grantOf(row)] } });
    // An open page of whoever asked shows the request as waiting.
    await publishRightsChanged(change, [row.userId]);
    if (!row.isOwn) await mailAsker(change, row, 'declined', publicUrl);
  });
}

function mailAsker(
  { tx, now }: Change,
  { userId, groupName }: queries.PendingRow,
  decision: 'confirmed' | 'declined',
  publicUrl: string,
): Promise<void> {
  const what = `The access to ${groupName} that you asked for was ${decision}.`;
  return mailDecision(tx, { userId, what, publicUrl }, now);
}

async function findRow({ tx, scope }: Change, id: string): Promise<queries.PendingRow> {
  const row = await queries.findPendingById(tx, scope, id);
  if (row === null || !(row.isOwn || (await mayDecide(tx, scope, row)))) throw new ApiError('NOT_FOUND');
  return row;
}

const grantOf = ({ teamId, groupId, roleId, added, removed }: Grant): Grant => ({
  teamId,
  groupId,
  roleId,
  added,
  removed,
});
