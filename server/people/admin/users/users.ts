import type { z } from 'zod';
import type { AdminUser, Grant, newUser } from '#contract/admin.ts';
import { EXPERIENCES_BY_SIGN_IN } from '#contract/experiences.ts';
import type { RouteAnswer, routes } from '#contract/routes.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { createUser } from '#server/people/accounts/provisioning.ts';
import { listSessions } from '#server/people/accounts/sessions/queries.ts';
import { limitsAt, type SessionConfig } from '#server/people/accounts/sessions/sessions.ts';
import { listDevices } from '#server/people/accounts/sign-in/queries.ts';
import { changedValues } from '#server/people/audit/changed-values.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { mailInvitation } from '../admin-mails.ts';
import { checkCovers } from '../admin-scope.ts';
import {
  type AdminDeps,
  administer,
  type Change,
  publishRightsChanged,
  readAsAdmin,
  rejectDuplicate,
} from '../administer.ts';
import { organizationOfTeam } from '../directory/team-queries.ts';
import { placeOf } from '../held-flags.ts';
import { askAccess, splitOwnGrants } from '../own-access/ask-access.ts';
import { followAccess } from '../provisioning/provisioning.ts';
import { changedGrants, checkGrants } from './grants.ts';
import { findAccount, findUser, hasConnectionFor, replaceGrants, updateUser } from './queries.ts';

/** Throws NOT_FOUND for a user of another organization. */
export function getUser({ db }: AdminDeps, { actor, now }: ActorCall, id: string): Promise<AdminUser> {
  return readAsAdmin(db, actor, async (tx, scope) => {
    const user = await findUser(tx, scope, id, now);
    if (user === null) throw new ApiError('NOT_FOUND');
    return user;
  });
}

/** Returns where the user is signed in, and the browsers that they have signed in from. Errors: NOT_FOUND, NOT_PERMITTED. */
export function listUserSessions(
  { db }: AdminDeps,
  { actor, now }: ActorCall,
  id: string,
  config: SessionConfig,
): Promise<RouteAnswer<'GET /api/admin/users/:id/sessions'>> {
  return readAsAdmin(db, actor, async (tx, scope) => {
    const user = await findUser(tx, scope, id, now);
    if (user === null) throw new ApiError('NOT_FOUND');
    checkCoversUser({ scope }, user);
    return {
      sessions: await listSessions(tx, { userId: id, sessionHash: null }, limitsAt(now, config)),
      devices: await listDevices(tx, id),
    };
  });
}

/**
 * Creates an account and mails the invitation. The account belongs to the administrator's organization; one that an operator creates,
 * to the organization of its first team. Errors: USERNAME_TAKEN, NOT_PERMITTED, NOT_FOUND (a team, group or role).
 */
export function inviteUser(deps: AdminDeps, call: ActorCall, invited: z.output<typeof newUser>): Promise<AdminUser> {
  return administer(deps.db, call, async (change) => {
    const { tx, scope, now, audit } = change;
    const { grants, ...fields } = invited;
    const teamId = grants[0]?.teamId;
    const organizationId =
      scope.isOperator && teamId !== undefined ? await organizationOfTeam(tx, teamId) : scope.organizationId;
    await checkGrants(tx, scope, organizationId, { before: [], after: grants });
    await checkExperience(change, organizationId, fields.applicationExperience);
    const id = await rejectDuplicate(
      'USERNAME_TAKEN',
      createUser(tx, { ...fields, title: fields.title || null, organizationId, invitedBy: scope.userId }, now),
    );
    await replaceGrants(tx, id, grants);
    const user = await findTarget(change, id);
    await mailInvitation(tx, { userId: id, username: user.username, isSSO: user.isSSO }, deps.publicUrl, now);
    await audit({ action: 'user.invite', subject: 'user', subjectId: id, detail: { grants } });
    return findTarget(change, id);
  });
}

/**
 * Changes names, experience and grants. Access that administrators give themselves waits for another one (`own-access`). Errors: as
 * `inviteUser`; LAST_ADMINISTRATOR, CHANGED_BY_OTHER.
 */
export function changeUser(
  deps: AdminDeps,
  call: ActorCall,
  id: string,
  wanted: z.output<(typeof routes)['PUT /api/admin/users/:id']['body']>,
): Promise<AdminUser> {
  return administer(deps.db, call, async (change) => {
    const { tx, scope, audit } = change;
    const user = await findTarget(change, id);
    await checkVersion(tx, { subject: 'user', id, current: user, read: wanted.version });
    const changes = changedValues(user, { ...wanted, title: wanted.title || null }, OWN_FIELDS);
    if (Object.keys(changes).length > 0 && !user.isSelf) checkCoversUser(change, user);
    const { organizationId } = await findAccount(tx, id);
    const { before, after } = givenHere(user, wanted.grants);
    await checkGrants(tx, scope, organizationId, { before, after });
    if ('applicationExperience' in changes) {
      await checkExperience(change, organizationId, wanted.applicationExperience);
    }
    await updateUser(tx, id, wanted);
    const { direct, asked } = user.isSelf ? await splitOwnGrants(change, before, after) : { direct: after, asked: [] };
    const changed = changedGrants(before, direct);
    if (changed.length > 0) {
      await replaceGrants(tx, id, direct);
      await followAccess(change, organizationId, [id]);
      await publishRightsChanged(change, [id]);
    }
    const detail = { changes, before, after: direct };
    if (Object.keys(changes).length + changed.length > 0 || asked.length === 0) {
      await audit({ action: 'user.change', subject: 'user', subjectId: id, detail });
    }
    await askAccess(deps, change, asked);
    return findTarget(change, id);
  });
}

/** Returns what administrators gave, and would give. What follows from a group of the identity provider is decided there. */
export function givenHere({ grants }: AdminUser, wanted: readonly Grant[]): { before: Grant[]; after: Grant[] } {
  const isElsewhere = new Set(grants.filter(({ isProvisioned }) => isProvisioned).map(placeOf));
  return {
    before: grants.filter(({ isProvisioned }) => !isProvisioned).map(({ isProvisioned: _, ...grant }) => grant),
    after: wanted.filter((grant) => !isElsewhere.has(placeOf(grant))),
  };
}

/** What concerns the account itself, not its access. */
const OWN_FIELDS = ['firstName', 'lastName', 'title', 'applicationExperience'] as const;

/** Throws BAD_REQUEST for an experience of single sign-on that no connection gives: its user could sign in neither way. */
async function checkExperience(
  { tx }: Change,
  organizationId: string,
  experience: AdminUser['applicationExperience'],
): Promise<void> {
  const byPassword: readonly string[] = EXPERIENCES_BY_SIGN_IN.PASSWORD;
  if (byPassword.includes(experience) || (await hasConnectionFor(tx, organizationId, experience))) return;
  const message = 'No enabled single sign-on connection has this experience. Choose another one.';
  throw badField('applicationExperience', message);
}

/** Returns the user to change. Throws NOT_FOUND for one of another organization, NOT_PERMITTED for an operator unless the caller is one. */
export async function findTarget({ tx, scope, now }: Change, id: string): Promise<AdminUser> {
  const user = await findUser(tx, scope, id, now);
  if (user === null) throw new ApiError('NOT_FOUND');
  if (!user.isSelf && !scope.isOperator && (await findAccount(tx, id)).isOperator)
    throw new ApiError('NOT_PERMITTED', {
      message: 'This is an operator. Only another operator can change the account.',
    });
  return user;
}

/** As `findTarget`, for an action on the whole account: the administrator must manage all groups of the user. */
export async function findWholeTarget(change: Change, id: string): Promise<AdminUser> {
  const user = await findTarget(change, id);
  checkCoversUser(change, user);
  return user;
}

function checkCoversUser({ scope }: Pick<Change, 'scope'>, { grants }: AdminUser): void {
  checkCovers(
    scope,
    grants.map(({ groupId }) => groupId),
  );
}
