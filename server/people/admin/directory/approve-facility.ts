/**
 * Someone outside the organization checks that a facility exists before its staff enter patients by hand, because an entry opens visits
 * elsewhere (docs/decisions/0030). A program waits with its first roster (`server/work/rosters/approval.ts`).
 */
import type { AdminGroup, GroupFields } from '#contract/admin.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { mailDecision } from '#server/people/accounts/letters/send-letters.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { Scope } from '../admin-scope.ts';
import { type AdminDeps, administer } from '../administer.ts';
import * as queries from './group-queries.ts';

type Listing = Pick<GroupFields, 'type' | 'isAutomated'>;

/** Returns how people come to be listed by the group. An approval covers one way only. */
export const wayOf = ({ type, isAutomated }: Listing): 'ROSTER' | 'FEED' | 'MANUAL' =>
  type === 'PROGRAM' ? 'ROSTER' : isAutomated ? 'FEED' : 'MANUAL';

type Approved = Pick<GroupFields, 'type' | 'isAutomated' | 'name' | 'facilityType'>;

/** Whether a change makes an approval void: another way of listing people, or, for manual entry, a facility that poses as another one. */
export const needsNewApproval = (before: Approved, wanted: Approved): boolean =>
  wayOf(wanted) !== wayOf(before) ||
  (wayOf(wanted) === 'MANUAL' &&
    (wanted.name !== before.name || wanted.type !== before.type || wanted.facilityType !== before.facilityType));

/**
 * Returns who approves a group that is added, or needs a new approval: the operator who does this, and otherwise no one
 * yet (null). A roster has an uploader, so a program always waits for an operator who did not upload it.
 */
export const approverOf = (scope: Scope, group: Listing): string | null =>
  scope.isOperator && wayOf(group) === 'MANUAL' ? scope.userId : null;

/**
 * Lets the staff of a waiting facility enter patients from now on. `read`: the version that the operator saw. Errors: NOT_PERMITTED unless the
 * caller is an operator; NOT_FOUND if the group does not wait; CHANGED_BY_OTHER. Whoever asked gets the decision by mail.
 */
export function approveFacility(
  { db, publicUrl }: AdminDeps,
  call: ActorCall,
  id: string,
  read: string,
): Promise<AdminGroup> {
  return administer(db, call, async ({ tx, scope, now, audit }) => {
    const group = await queries.findGroup(tx, scope, id);
    if (!scope.isOperator) throw new ApiError('NOT_PERMITTED', { message: 'Only operators can approve facilities.' });
    if (!group.waitsForApproval) throw new ApiError('NOT_FOUND');
    await checkVersion(tx, { subject: 'group', id, current: group, read });
    await queries.setApproved(tx, id, scope.userId, now);
    await audit({ action: 'group.approve', subject: 'group', subjectId: id });
    const userId = await queries.askerOf(tx, id);
    const what = `Manual entry at ${group.name} was approved.`;
    if (userId !== null) await mailDecision(tx, { userId, what, publicUrl }, now);
    return queries.findGroup(tx, scope, id);
  });
}
