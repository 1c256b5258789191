/**
 * How an identity provider makes and manages accounts: tokens for SCIM, what its groups give, and what someone gets at the first sign-in.
 * Errors of all: NOT_FOUND; NOT_PERMITTED unless the administrator manages all groups of the organization.
 */
import type { Provisioning, TeamRole } from '#contract/provisioning.ts';
import type { RouteAnswer } from '#contract/routes.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { hashOf, newToken } from '#server/people/accounts/token-hash.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { checkCoversAll } from '../admin-scope.ts';
import { type AdminDeps, administer, type Change, readAsAdmin } from '../administer.ts';
import { WHOLE_ORGANIZATION } from '../connections/check-connection.ts';
import { accessByUser, followProvider } from './provider-access.ts';
import * as queries from './queries.ts';

const MOST_TOKENS = 5;

/** Any administrator may see it. */
export function readProvisioning(
  { db, publicUrl }: AdminDeps,
  { actor }: ActorCall,
  id: string,
): Promise<Provisioning> {
  return readAsAdmin(db, actor, async (tx, scope) => {
    await queries.findConnection(tx, scope, id);
    return answerOf(tx, id, publicUrl);
  });
}

const answerOf = async (tx: Queryable, id: string, publicUrl: string): Promise<Provisioning> => ({
  baseUrl: `${publicUrl}/api/scim/v2`,
  tokens: await queries.findTokens(tx, id),
  groups: await queries.findGroups(tx, id),
  newUsers: await queries.findNewUsers(tx, id),
});

/** Issues a token, the only time that it is shown. Errors: BAD_REQUEST for too many, or a connection to an EHR, which manages no accounts. */
export function issueToken(
  deps: AdminDeps,
  call: ActorCall,
  id: string,
): Promise<RouteAnswer<'POST /api/admin/sso-connections/:id/scim-tokens'>> {
  return change(deps, call, id, async ({ tx, scope, now, audit }, { kind }) => {
    if (kind === 'SMART') throw new ApiError('BAD_REQUEST', { message: 'An EHR does not manage accounts.' });
    if ((await queries.findTokens(tx, id)).length >= MOST_TOKENS) {
      const message = `A connection can have ${MOST_TOKENS} tokens. Revoke one that is no longer used.`;
      throw new ApiError('BAD_REQUEST', { message });
    }
    const token = newToken();
    const about = { hash: hashOf(token), ending: token.slice(-4), createdBy: scope.userId };
    const tokenId = await queries.insertToken(tx, id, about, now);
    const detail = { tokenId };
    await audit({ action: 'sso-connection.issue-token', subject: 'sso-connection', subjectId: id, detail });
    const issued = (await queries.findTokens(tx, id)).find((each) => each.id === tokenId);
    if (issued === undefined) throw new Error('The new token is not there');
    return { ...issued, token };
  });
}

export function revokeToken(deps: AdminDeps, call: ActorCall, id: string, tokenId: string): Promise<void> {
  return change(deps, call, id, async ({ tx, scope, now, audit }) => {
    if (!(await queries.revokeToken(tx, id, tokenId, scope.userId, now))) throw new ApiError('NOT_FOUND');
    const detail = { tokenId };
    await audit({ action: 'sso-connection.revoke-token', subject: 'sso-connection', subjectId: id, detail });
  });
}

/** Errors: BAD_REQUEST for a role that lets people manage users: nobody becomes an administrator by a group elsewhere. */
export function changeGroupAccess(
  deps: AdminDeps,
  call: ActorCall,
  { id, groupId }: { id: string; groupId: string },
  access: readonly TeamRole[],
): Promise<Provisioning> {
  return change(deps, call, id, async (changing, { organizationId }) => {
    const { tx, now, audit } = changing;
    const group = (await queries.findGroups(tx, id)).find((each) => each.id === groupId);
    if (group === undefined) throw new ApiError('NOT_FOUND');
    if (new Set(access.map(({ teamId }) => teamId)).size < access.length) {
      throw badField('access', 'Each team can be chosen only once.');
    }
    await checkGivable(tx, organizationId, access, 'access');
    await queries.replaceAccess(tx, groupId, access);
    const detail = { group: group.name, before: group.access, after: access };
    await audit({ action: 'sso-connection.group-access', subject: 'sso-connection', subjectId: id, detail });
    await auditAccess(changing, id, await followProvider(tx, { organizationId }, now));
    return answerOf(tx, id, deps.publicUrl);
  });
}

/** Errors: as `changeGroupAccess`. */
export function changeNewUsers(
  deps: AdminDeps,
  call: ActorCall,
  id: string,
  newUsers: TeamRole | null,
): Promise<Provisioning> {
  return change(deps, call, id, async ({ tx, audit }, { organizationId }) => {
    if (newUsers !== null) await checkGivable(tx, organizationId, [newUsers], 'newUsers');
    const before = await queries.findNewUsers(tx, id);
    await queries.updateNewUsers(tx, id, newUsers);
    const detail = { before, after: newUsers };
    await audit({ action: 'sso-connection.new-users', subject: 'sso-connection', subjectId: id, detail });
    return answerOf(tx, id, deps.publicUrl);
  });
}

/**
 * Makes grants follow after a team got or lost groups, a role changed, or users (these, or anyone) may have become administrators or ceased to
 * be any. Records what that changed.
 */
export async function followAccess(change: Change, organizationId: string, userIds?: readonly string[]): Promise<void> {
  await auditAccess(change, null, await followProvider(change.tx, { organizationId, userIds }, change.now));
}

async function auditAccess(
  { audit }: Change,
  connectionId: string | null,
  changes: Awaited<ReturnType<typeof followProvider>>,
): Promise<void> {
  const through = connectionId === null ? {} : { connectionId };
  const entries = [...accessByUser(changes)].map(([userId, detail]) =>
    audit({ action: 'user.change', subject: 'user', subjectId: userId, detail: { ...through, ...detail } }),
  );
  await Promise.all(entries);
}

async function checkGivable(
  tx: Queryable,
  organizationId: string,
  access: readonly TeamRole[],
  field: string,
): Promise<void> {
  if ((await queries.countKnown(tx, organizationId, access)) < access.length) throw new ApiError('NOT_FOUND');
  if (!(await queries.letManage(tx, access))) return;
  const message = 'This role lets people manage users. Only an administrator gives it, to one person at a time.';
  throw badField(field, message);
}

const change = <T>(
  { db }: AdminDeps,
  call: ActorCall,
  id: string,
  fn: (change: Change, connection: queries.Connection) => Promise<T>,
): Promise<T> =>
  administer(db, call, async (changing) => {
    const connection = await queries.findConnection(changing.tx, changing.scope, id);
    await checkCoversAll(changing.tx, changing.scope, WHOLE_ORGANIZATION);
    return fn(changing, connection);
  });
