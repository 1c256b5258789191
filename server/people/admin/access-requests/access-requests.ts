/** Requests to join a group: made without an account, decided by the group's administrators. */
import type { AccessRequest, AdminUser, Grant } from '#contract/admin.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { createUser } from '#server/people/accounts/provisioning.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { withPurpose } from '#server/platform/database/with-purpose.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { mailAccessGranted, mailInvitation } from '../admin-mails.ts';
import { checkCovers, covers, type Scope } from '../admin-scope.ts';
import { type AdminDeps, administer, type Change, publishRightsChanged } from '../administer.ts';
import { followAccess } from '../provisioning/provisioning.ts';
import { checkGrants } from '../users/grants.ts';
import { replaceGrants } from '../users/queries.ts';
import { findTarget } from '../users/users.ts';
import * as queries from './queries.ts';
import { lockRequests, mailDeclined, mailFullQueue, mailPendingRequests } from './request-mails.ts';

const NO_ROOM =
  'Too many requests to join this group are waiting, so yours was not sent. Its administrators have to decide on those first. Ask one of them to invite you.';
const TOO_MANY_FROM_HERE =
  'Too many requests to join this group came from your network, so yours was not sent. Ask an administrator of the group to invite you, or try again once they have decided.';

/**
 * Records the request and mails the group's administrators. The outcome looks the same whether or not there is such an account or such a
 * request, so that it reveals nothing about who has an account. Errors: NOT_FOUND for a group that cannot be joined (which groups can be joined is
 * public); TOO_MANY_REQUESTS if there is no room in the queue, of which the administrators are told once a day.
 */
export async function requestAccess(
  { db, publicUrl }: AdminDeps,
  registration: queries.Registration,
  now: Date,
): Promise<void> {
  const reached = await db.transaction(async (tx) => {
    const group = await queries.findJoinableGroup(tx, registration.groupId);
    if (group === null) throw new ApiError('NOT_FOUND');
    await lockRequests(tx, group.id);
    const limit = await queries.limitReached(tx, registration);
    if (limit !== null) {
      if (limit !== 'ofAddress') await mailFullQueue(tx, { group, publicUrl }, now);
      return limit;
    }
    if (await queries.insertRequest(tx, registration, now))
      await mailPendingRequests(tx, { group, administrator: null, occasion: 'request', publicUrl }, now);
    return null;
  });
  if (reached !== null)
    throw new ApiError('TOO_MANY_REQUESTS', { message: reached === 'ofAddress' ? TOO_MANY_FROM_HERE : NO_ROOM });
}

/** Mails one administrator of the group about a pending request. Does nothing, without an error, if either of the two does not exist. */
export async function remindAdministrator(
  { db, publicUrl }: AdminDeps,
  request: { username: string; groupId: string; adminUsername: string },
  now: Date,
): Promise<void> {
  const group = await queries.findJoinableGroup(db, request.groupId);
  if (group === null || !(await queries.isPending(db, request))) return;
  const { adminUsername: administrator } = request;
  await db.transaction(async (tx) => {
    await lockRequests(tx, group.id);
    await mailPendingRequests(tx, { group, administrator, occasion: 'reminder', publicUrl }, now);
  });
}

/** Returns the pending requests for the administrator's groups. */
export async function listRequests(db: Queryable, scope: Scope): Promise<AccessRequest[]> {
  return (await queries.findPendingRequests(db, scope)).filter(({ groupId }) => covers(scope, groupId));
}

/** Declines a request and mails the person who made it. Throws NOT_FOUND, also for a group that the administrator does not manage. */
export function declineRequest({ db }: AdminDeps, call: ActorCall, id: string): Promise<void> {
  return administer(db, call, async (change) => {
    const request = (await listRequests(change.tx, change.scope)).find((each) => each.id === id);
    if (request === undefined) throw new ApiError('NOT_FOUND');
    await decideRequest(change, request, { isGranted: false });
    await mailDeclined(change.tx, request.username, request.groupName, change.now);
  });
}

/** What an administrator approves, and where and as what; each by default as `approveRequest` says. */
interface Approval {
  username: string;
  groupId: string;
  requestId?: string | undefined;
  teamId?: string | undefined;
  roleId?: string | undefined;
}

/**
 * Gives the person who asked access to the group: without a choice as a viewer, on the administrator's selected team if it works for the
 * group, otherwise on the oldest team that does. Creates the account, or adds to the existing one, which keeps the access that it has.
 * Without a request it adds to an account of the group's organization, unless a request is named. Errors: NOT_FOUND if the named request is no
 * longer pending, if there is neither a request nor such an account, for a team that does not work for the group, and for a role of another organization;
 * USERNAME_TAKEN by an account of another organization; BAD_REQUEST if the account is disabled or no team works for the group.
 */
export function approveRequest(deps: AdminDeps, call: ActorCall, approval: Approval): Promise<void> {
  return administer(deps.db, call, async (change) => {
    const { tx, scope } = change;
    if (!covers(scope, approval.groupId)) throw new ApiError('NOT_FOUND');
    const request = await queries.findRequest(tx, scope, approval);
    if (approval.requestId && request?.id !== approval.requestId)
      throw new ApiError('NOT_FOUND', { message: 'This request was already decided. Nothing was changed.' });
    if (request === null) return authorizeColleague(deps, change, approval, call.actor.teamId);
    const grant = await grantFor(change, request, approval, call.actor.teamId);
    const isGiven = await grantAccess(deps, change, request, grant);
    const given = isGiven ? { teamId: grant.teamId, roleId: grant.roleId } : {};
    await decideRequest(change, request, { isGranted: true, ...given });
  });
}

/** Returns what is granted, after the checks of an invitation. */
async function grantFor(
  { tx, scope }: Change,
  { organizationId, groupId }: Pick<queries.RequestRow, 'organizationId' | 'groupId'>,
  chosen: Approval,
  selectedTeam: string,
): Promise<Grant> {
  const teamId = chosen.teamId ?? (await queries.teamFor(tx, groupId, selectedTeam));
  if (teamId === null) throw badField('groupId', 'No team works for this group yet.');
  const roleId = chosen.roleId ?? (await queries.viewerRole(tx));
  const grant = { teamId, groupId, roleId, added: [], removed: [] };
  await checkGrants(tx, scope, organizationId, { before: [], after: [grant] });
  return grant;
}

/** Returns false if they have got access to the group in the meantime, which stays as it is. */
async function grantAccess(
  { publicUrl }: AdminDeps,
  change: Change,
  { organizationId, groupName, username, firstName, lastName, title }: queries.RequestRow,
  grant: Grant,
): Promise<boolean> {
  const { tx, scope, now } = change;
  const account = await withPurpose(tx, 'sign-in', () => queries.findAccountByName(tx, username));
  if (account !== null && account.organizationId !== organizationId) throw new ApiError('USERNAME_TAKEN');
  const fields = { organizationId, username, firstName, lastName, title, invitedBy: scope.userId };
  const id = account?.id ?? (await createUser(tx, fields, now));
  const user = await findTarget(change, id);
  const isGiven = await addGrant(change, user, organizationId, grant);
  if (user.status === 'INVITED') await mailInvitation(tx, { userId: id, username, isSSO: user.isSSO }, publicUrl, now);
  else await mailAccessGranted(tx, username, groupName, publicUrl, now);
  return isGiven;
}

/** Adds access to an account that did not ask for it. An account that has access to the group stays as it is. */
async function authorizeColleague(
  { publicUrl }: AdminDeps,
  change: Change,
  approval: Approval,
  selectedTeam: string,
): Promise<void> {
  const { tx, scope, now, audit } = change;
  const { username, groupId } = approval;
  const group = await queries.findJoinableGroup(tx, groupId);
  const account = await withPurpose(tx, 'sign-in', () => queries.findAccountByName(tx, username));
  // What administrators give themselves goes another way (`own-access`).
  if (group === null || account?.organizationId !== group.organizationId || account.id === scope.userId)
    throw new ApiError('NOT_FOUND');
  const { organizationId } = group;
  const grant = await grantFor(change, { organizationId, groupId }, approval, selectedTeam);
  const user = await findTarget(change, account.id);
  if (!(await addGrant(change, user, organizationId, grant))) return;
  if (user.status !== 'INVITED') await mailAccessGranted(tx, username, group.name, publicUrl, now);
  const detail = { changes: {}, before: user.grants, after: [...user.grants, grant] };
  await audit({ action: 'user.change', subject: 'user', subjectId: user.id, detail });
}

/** Returns false if the user has access to the group. Throws BAD_REQUEST if they are disabled. */
async function addGrant(
  change: Change,
  { id, status, grants }: AdminUser,
  organizationId: string,
  grant: Grant,
): Promise<boolean> {
  if (status === 'DISABLED') throw badField('username', 'This account is disabled. Enable it first.');
  if (grants.some(({ groupId }) => groupId === grant.groupId)) return false;
  await replaceGrants(change.tx, id, [...grants, grant]);
  await followAccess(change, organizationId, [id]);
  await publishRightsChanged(change, [id]);
  return true;
}

async function decideRequest(
  { tx, scope, now, audit }: Change,
  { id, groupId }: { id: string; groupId: string },
  { isGranted, ...granted }: { isGranted: boolean; teamId?: string; roleId?: string },
) {
  checkCovers(scope, [groupId]);
  await queries.closeRequest(tx, id, { decidedBy: scope.userId, isGranted }, now);
  const action = isGranted ? 'access-request.grant' : 'access-request.decline';
  await audit({ action, subject: 'access-request', subjectId: id, detail: { groupId, ...granted } });
}
