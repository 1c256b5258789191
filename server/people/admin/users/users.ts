import type { z } from 'zod';
import type { AdminUser, newUser } from '#contract/admin.ts';
import type { routes } from '#contract/routes.ts';
import { createUser } from '#server/people/accounts/provisioning.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { checkCovers } from '../admin-scope.ts';
import { type AdminDeps, administer, type Change, type Deed, look, orTaken, tellRightsChanged } from '../administer.ts';
import { mailActivation } from '../mails.ts';
import { organizationOfTeam } from '../queries.ts';
import { changedGrants, checkGrants } from './grants.ts';
import { findAccount, findUser, replaceGrants, updateUser } from './queries.ts';

/** Errors: NOT_FOUND where the user is of another organisation. */
export function getUser({ db }: AdminDeps, { actor, now }: Deed, id: string): Promise<AdminUser> {
  return look(db, actor, async (tx, scope) => {
    const user = await findUser(tx, scope, id, now);
    if (user === null) throw new ApiError('NOT_FOUND');
    return user;
  });
}

/**
 * Makes an account and mails the invitation. It belongs to the administrator's organisation; one that an operator makes, to that of
 * its first team. Errors: USERNAME_TAKEN, NOT_PERMITTED, NOT_FOUND (a team, group or role).
 */
export function invite(deps: AdminDeps, deed: Deed, invited: z.output<typeof newUser>): Promise<AdminUser> {
  return administer(deps.db, deed, async (change) => {
    const { tx, scope, now, audit } = change;
    const { grants, ...fields } = invited;
    const teamId = grants[0]?.teamId;
    const organizationId =
      scope.isOperator && teamId !== undefined ? await organizationOfTeam(tx, teamId) : scope.organizationId;
    await checkGrants(tx, scope, organizationId, { before: [], after: grants });
    const id = await orTaken(
      'USERNAME_TAKEN',
      createUser(tx, { ...fields, title: fields.title || null, organizationId }, now),
    );
    await replaceGrants(tx, id, grants);
    const user = await targetOf(change, id);
    await mailActivation(tx, { userId: id, username: user.username, isSSO: user.isSSO }, deps.publicUrl, now);
    await audit({ action: 'user.invite', subject: 'user', subjectId: id, detail: { grants } });
    return targetOf(change, id);
  });
}

/** Changes names, experience and grants. Errors: as `invite`; LAST_ADMINISTRATOR, CHANGED_BY_OTHER. */
export function changeUser(
  deps: AdminDeps,
  deed: Deed,
  id: string,
  wanted: z.output<(typeof routes)['PUT /api/admin/users/:id']['body']>,
): Promise<AdminUser> {
  return administer(deps.db, deed, async (change) => {
    const { tx, scope, audit } = change;
    const user = await targetOf(change, id);
    await checkVersion(tx, { subject: 'user', id, current: user, read: wanted.version });
    const fields = (['firstName', 'lastName', 'applicationExperience'] as const).filter(
      (name) => user[name] !== wanted[name],
    );
    const isRetitled = user.title !== (wanted.title || null);
    if ((fields.length > 0 || isRetitled) && !user.isSelf)
      checkCovers(
        scope,
        user.grants.map(({ groupId }) => groupId),
      );
    const { organizationId } = await findAccount(tx, id);
    await checkGrants(tx, scope, organizationId, { before: user.grants, after: wanted.grants });
    await updateUser(tx, id, wanted);
    const changed = changedGrants(user.grants, wanted.grants);
    if (changed.length > 0) {
      await replaceGrants(tx, id, wanted.grants);
      await tellRightsChanged(change, [id]);
    }
    const detail = { fields: isRetitled ? [...fields, 'title'] : fields, before: user.grants, after: wanted.grants };
    await audit({ action: 'user.change', subject: 'user', subjectId: id, detail });
    return targetOf(change, id);
  });
}

/** The user to be changed. Throws NOT_FOUND for one of another organisation, NOT_PERMITTED for an operator, whom only operators change. */
export async function targetOf({ tx, scope, now }: Change, id: string): Promise<AdminUser> {
  const user = await findUser(tx, scope, id, now);
  if (user === null) throw new ApiError('NOT_FOUND');
  if (!user.isSelf && !scope.isOperator && (await findAccount(tx, id)).isOperator) throw new ApiError('NOT_PERMITTED');
  return user;
}

/** As `targetOf`, for a deed that concerns the whole account: all groups of the user must be the administrator's to manage. */
export async function wholeTargetOf(change: Change, id: string): Promise<AdminUser> {
  const user = await targetOf(change, id);
  checkCovers(
    change.scope,
    user.grants.map(({ groupId }) => groupId),
  );
  return user;
}
