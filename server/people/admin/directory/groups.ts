/** Groups of an organization: its facilities and programs. Errors of all: NOT_FOUND, NOT_PERMITTED, LAST_ADMINISTRATOR, NAME_TAKEN. */
import type { AdminGroup, EndedGroup, GroupFields } from '#contract/admin.ts';
import { isTimeZone } from '#contract/time-zones.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { createGroup } from '#server/people/accounts/provisioning.ts';
import { changedValues } from '#server/people/audit/changed-values.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import { noteChange } from '#server/platform/changes/written.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { checkCovers, checkCoversAll, coversAll, type Scope } from '../admin-scope.ts';
import { type AdminDeps, administer, type Change, publishRightsChanged, rejectDuplicate } from '../administer.ts';
import { enqueueOperatorMail } from '../operator-mails.ts';
import { askAccess } from '../own-access/ask-access.ts';
import { followAccess } from '../provisioning/provisioning.ts';
import { hasOtherLetters, shapeOf } from './alike-names.ts';
import { approverOf, needsNewApproval, wayOf } from './approve-facility.ts';
import * as queries from './group-queries.ts';
import { counted, refuseIfNeeded } from './still-needed.ts';
import { organizationOfTeam } from './team-queries.ts';

/**
 * Adds a group to the administrator's selected team. The administrator manages it from the start; another administrator has to confirm
 * the rest of the access that they hold on the team.
 */
export function addGroup(deps: AdminDeps, call: ActorCall, group: GroupFields): Promise<AdminGroup> {
  checkGroupFields(group);
  return administer(deps.db, call, async (change) => {
    const { tx, scope, now, audit } = change;
    const { userId, teamId } = call.actor;
    const organizationId = await organizationOfTeam(tx, teamId);
    await refuseForeignName(tx, scope, organizationId, group.name);
    const id = await rejectDuplicate('NAME_TAKEN', createGroup(tx, { ...group, organizationId }, now));
    await approveOrAsk(change, id, group);
    const grant = await queries.adoptGroup(tx, id, userId, teamId);
    change.addedGroups.add(id);
    await queries.grantManagement(tx, userId, grant);
    await publishRightsChanged(change, [userId]);
    await askAccess(deps, change, [grant]);
    await audit({ action: 'group.add', subject: 'group', subjectId: id, detail: { teamId } });
    await followAccess(change, organizationId);
    return queries.findGroup(tx, scope, id);
  });
}

/**
 * Changes a group. One that lists people in another way from now on waits for an operator again, and so does a facility for manual entry with
 * another name or type, because the operator approved the one that it was. Only an operator may lift its 42 CFR Part 2 mark (NOT_PERMITTED),
 * because that opens its visits without the patients' consent. Also throws CHANGED_BY_OTHER if `version` is given and out of date.
 */
export function changeGroup(
  { db }: AdminDeps,
  call: ActorCall,
  id: string,
  { version, ...wanted }: GroupFields & { version?: string | undefined },
): Promise<AdminGroup> {
  checkGroupFields(wanted);
  return administer(db, call, async (change) => {
    const { tx, scope, now, audit } = change;
    const before = await queries.findGroup(tx, scope, id);
    await checkVersion(tx, { subject: 'group', id, current: before, read: version });
    checkCovers(scope, [id]);
    if (wanted.type === 'PROGRAM' && before.type !== 'PROGRAM' && (await queries.reportsStays(tx, id))) {
      throw badField('type', 'This group has reported stays, or a feed uses it.');
    }
    if (wanted.name !== before.name) {
      await refuseForeignName(tx, scope, await queries.organizationOfGroup(tx, id), wanted.name);
    }
    const isLifted = before.isPart2Facility && !wanted.isPart2Facility;
    if (isLifted && !scope.isOperator) throw new ApiError('NOT_PERMITTED', { message: LIFTING_PART2 });
    const opened = isLifted ? await queries.recordPart2Lifted(tx, id, { userId: scope.userId, now }) : null;
    await rejectDuplicate('NAME_TAKEN', queries.updateGroup(tx, id, wanted));
    if (needsNewApproval(before, wanted)) await approveOrAsk(change, id, wanted);
    const changes = changedValues(before, wanted, Object.keys(wanted) as (keyof GroupFields)[]);
    // A trigger logs the change for the lists.
    await noteChange(tx);
    await audit({
      action: 'group.change',
      subject: 'group',
      subjectId: id,
      detail: { changes, ...(opened && { opened }) },
    });
    return queries.findGroup(tx, scope, id);
  });
}

const OTHER_LETTERS = 'Use only the letters A–Z (accents are fine) and digits 0–9 in a name.';
const LIFTING_PART2 =
  'Only Tidings support can remove the 42 CFR Part 2 mark, because it opens the visits there without consent. No changes were made.';

/**
 * Throws NAME_TAKEN if a facility of another organization has a name that reads like this one, and BAD_REQUEST for letters that only look like
 * those of such a name, unless an operator gives it: other teams would trust the wrong facility.
 */
async function refuseForeignName(tx: Queryable, scope: Scope, organizationId: string, name: string): Promise<void> {
  if (scope.isOperator) return;
  if (hasOtherLetters(name)) throw badField('name', OTHER_LETTERS);
  const shape = shapeOf(name);
  if (!(await queries.namesElsewhere(tx, organizationId)).some((other) => shapeOf(other) === shape)) return;
  const message = "Another organization's facility has this name. Add your organization or town to the name.";
  throw new ApiError('NAME_TAKEN', { message, fields: { name: message } });
}

/** Approves a group that an operator adds or changes; mails operators that a facility of anyone else waits, and records who gets their decision. */
async function approveOrAsk({ tx, scope, now }: Change, id: string, group: GroupFields): Promise<void> {
  const approver = approverOf(scope, group);
  await queries.setApproved(tx, id, approver, now);
  if (approver !== null || wayOf(group) !== 'MANUAL') return;
  await queries.setAskedBy(tx, id, scope.userId);
  await enqueueOperatorMail(tx, 'facility');
}

function checkGroupFields({ type, facilityType, timeZone }: GroupFields): void {
  const fields: Record<string, string> = {};
  if (!isTimeZone(timeZone)) fields['timeZone'] = 'Choose a time zone from the list.';
  if (type === 'PROGRAM' && facilityType !== null) fields['facilityType'] = 'A program has no facility type.';
  if (type !== 'PROGRAM' && facilityType === null) fields['facilityType'] = 'Choose a facility type.';
  if (Object.keys(fields).length > 0) throw new ApiError('BAD_REQUEST', { fields });
}

/**
 * Closes a group that nothing uses any more; its row stays (docs/decisions/0021), and its name can be used again. The administrator's
 * own access to it goes too; other people's has to be removed first. Throws STILL_NEEDED with what still uses it.
 */
export function closeGroup({ db }: AdminDeps, call: ActorCall, id: string): Promise<void> {
  return administer(db, call, async (change) => {
    const { tx, scope, now, audit } = change;
    await queries.findGroup(tx, scope, id);
    checkCovers(scope, [id]);
    if (scope.groupIds.has(id) && scope.groupIds.size === 1) {
      throw new ApiError('NOT_PERMITTED', {
        message: "This is the only group you manage, so you can't remove it.",
      });
    }
    refuseIfNeeded('group', reasonsToKeep(await queries.usesOfGroup(tx, id, scope.userId)));
    const teamIds = await queries.closeGroup(tx, id, { userId: scope.userId, now });
    scope.groupIds.delete(id);
    await publishRightsChanged(change, [scope.userId]);
    for (const teamId of teamIds)
      await audit({ action: 'team.change', subject: 'team', subjectId: teamId, detail: { added: [], removed: [id] } });
    await audit({ action: 'group.end', subject: 'group', subjectId: id, detail: { teamIds } });
  });
}

const reasonsToKeep = (uses: queries.GroupUses): (string | null)[] => [
  counted(uses.listed, 'patient is on its roster', 'patients are on its roster'),
  counted(uses.openPings, 'ping is open', 'pings are open'),
  counted(uses.openStays, 'stay is open', 'stays are open'),
  counted(uses.feeds, 'feed uses it', 'feeds use it'),
  counted(uses.uploads, 'roster upload is running', 'roster uploads are running'),
  counted(uses.people, 'other person has access to it', 'other people have access to it'),
  ...uses.teams.map((name) => `it is the only group of the team ${name}`),
];

/**
 * Returns the organization's closed groups to administrators who may reopen them. Reopening a group makes its past stays and pings
 * readable again, so it is only for those who manage every group of the organization.
 */
export async function listClosedGroups(db: Queryable, scope: Scope): Promise<EndedGroup[]> {
  return (await coversAll(db, scope)) ? queries.findClosedGroups(db, scope.organizationId) : [];
}

/**
 * Reopens a group as it was, on the administrator's selected team. Its past would be readable to whoever manages it, so another
 * administrator has to confirm the administrator's access.
 */
export function reopenGroup(deps: AdminDeps, call: ActorCall, id: string): Promise<AdminGroup> {
  return administer(deps.db, call, async (change) => {
    const { tx, scope, audit } = change;
    const { userId, teamId } = call.actor;
    const closed = await queries.findClosedGroups(tx, scope.organizationId);
    if (!closed.some((group) => group.id === id)) throw new ApiError('NOT_FOUND');
    await checkCoversAll(
      tx,
      scope,
      'Only an administrator who manages every group of the organization can reopen a group.',
    );
    const name = closed.find((group) => group.id === id)?.name ?? '';
    await refuseForeignName(tx, scope, scope.organizationId, name);
    const message = 'Another group now has this name. Rename that group first.';
    await rejectDuplicate('NAME_TAKEN', queries.reopenGroup(tx, id), { message });
    await askAccess(deps, change, [await queries.adoptGroup(tx, id, userId, teamId)]);
    await queries.withholdAccess(tx, { teamId, groupId: id });
    await audit({ action: 'group.reopen', subject: 'group', subjectId: id, detail: { teamId } });
    return queries.findGroup(tx, scope, id);
  });
}
