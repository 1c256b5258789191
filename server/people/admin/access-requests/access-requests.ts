/** Requests to join a group: asked for without an account, answered by the group's administrators. */
import type { AccessRequest } from '#contract/admin.ts';
import { createUser } from '#server/people/accounts/provisioning.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { checkCovers, covers } from '../admin-scope.ts';
import { type AdminDeps, administer, type Change, type Deed, tellRightsChanged } from '../administer.ts';
import { mailActivation, mailLetIn, mailRequestWaits } from '../mails.ts';
import { replaceGrants } from '../users/queries.ts';
import { targetOf } from '../users/users.ts';
import * as queries from './queries.ts';

/**
 * Notes the request and mails the administrators of the group. Ends alike whether there is such an account, such a request, or a place
 * left in the queue, so that it tells nobody who exists. Errors: NOT_FOUND for a group that one cannot ask to join; those are public.
 */
export function register({ db, publicUrl }: AdminDeps, registration: queries.Registration, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const group = await queries.findJoinableGroup(tx, registration.groupId);
    if (group === null) throw new ApiError('NOT_FOUND');
    if (!(await queries.insertRequest(tx, registration, now))) return;
    await mailRequestWaits(tx, { group, administrator: null, publicUrl }, now);
  });
}

/** Mails one administrator of the group that somebody waits; nothing where nobody does, or he or she is not one. Ends alike. */
export async function remind(
  { db, publicUrl }: AdminDeps,
  request: { username: string; groupId: string; adminUsername: string },
  now: Date,
): Promise<void> {
  const group = await queries.findJoinableGroup(db, request.groupId);
  if (group === null || !(await queries.isWaiting(db, request))) return;
  await mailRequestWaits(db, { group, administrator: request.adminUsername, publicUrl }, now);
}

export async function listRequests({ tx, scope }: Pick<Change, 'tx' | 'scope'>): Promise<AccessRequest[]> {
  return (await queries.findOpenRequests(tx, scope)).filter(({ groupId }) => covers(scope, groupId));
}

/** Errors: NOT_FOUND, also of a group that is not the administrator's to manage. */
export function decline({ db }: AdminDeps, deed: Deed, id: string): Promise<void> {
  return administer(db, deed, async (change) => {
    const request = (await listRequests(change)).find((each) => each.id === id);
    if (request === undefined) throw new ApiError('NOT_FOUND');
    await decideRequest(change, request, false);
  });
}

/**
 * Lets somebody who asked into the group as viewer: in the administrator's selected team where it works for the group, else in the
 * oldest that does. Makes the account, or adds to the one that is there. Errors: NOT_FOUND where nobody of that name waits;
 * USERNAME_TAKEN by an account of another organisation; BAD_REQUEST where the account is disabled or no team works for the group.
 */
export function authorize(deps: AdminDeps, deed: Deed, asked: { username: string; groupId: string }): Promise<void> {
  return administer(deps.db, deed, async (change) => {
    const { tx, scope } = change;
    const request = await queries.findRequest(tx, scope, asked);
    if (request === null || !covers(scope, asked.groupId)) throw new ApiError('NOT_FOUND');
    await letIn(deps, change, request, deed.actor.teamId);
    await decideRequest(change, request, true);
  });
}

async function letIn(
  { publicUrl }: AdminDeps,
  change: Change,
  request: queries.RequestRow,
  selectedTeam: string,
): Promise<void> {
  const { tx, now } = change;
  const { organizationId, groupId, groupName, username, firstName, lastName, title } = request;
  const account = await queries.findAccountByName(tx, username);
  if (account !== null && account.organizationId !== organizationId) throw new ApiError('USERNAME_TAKEN');
  const teamId = await queries.teamFor(tx, groupId, selectedTeam);
  if (teamId === null) throw new ApiError('BAD_REQUEST', { fields: { groupId: 'No team works for this group yet.' } });
  const id = account?.id ?? (await createUser(tx, { organizationId, username, firstName, lastName, title }, now));
  const user = await targetOf(change, id);
  if (user.status === 'DISABLED') {
    throw new ApiError('BAD_REQUEST', { fields: { username: 'This account is disabled. Enable it first.' } });
  }
  if (!user.grants.some((grant) => grant.groupId === groupId)) {
    const viewer = await queries.viewerRole(tx);
    await replaceGrants(tx, id, [...user.grants, { teamId, groupId, roleId: viewer, added: [], removed: [] }]);
    await tellRightsChanged(change, [id]);
  }
  if (user.status === 'INVITED') await mailActivation(tx, { userId: id, username, isSSO: user.isSSO }, publicUrl, now);
  else await mailLetIn(tx, username, groupName, publicUrl, now);
}

async function decideRequest(
  { tx, scope, now, audit }: Change,
  { id, groupId }: { id: string; groupId: string },
  isGranted: boolean,
) {
  checkCovers(scope, [groupId]);
  await queries.closeRequest(tx, id, { decidedBy: scope.userId, isGranted }, now);
  const action = isGranted ? 'access-request.grant' : 'access-request.decline';
  await audit({ action, subject: 'access-request', subjectId: id, detail: { groupId } });
}
