/** Roles of an organization. Errors of all: NOT_FOUND, NOT_PERMITTED, LAST_ADMINISTRATOR; when adding or changing one, NAME_TAKEN. */
import type { AdminRole, RoleFields } from '#contract/admin.ts';
import { STANDARD_ROLES } from '#contract/permissions.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { changedValues } from '#server/people/audit/changed-values.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import { ApiError, badField } from '#server/platform/http/api-error.ts';
import { checkCovers } from '../admin-scope.ts';
import { type AdminDeps, administer, type Change, publishRightsChanged, rejectDuplicate } from '../administer.ts';
import { followAccess } from '../provisioning/provisioning.ts';
import * as queries from './role-queries.ts';
import { counted, refuseIfNeeded } from './still-needed.ts';
import { countHolders } from './team-queries.ts';

export function addRole({ db }: AdminDeps, call: ActorCall, role: RoleFields): Promise<AdminRole> {
  const fields = checkedRole(role);
  return administer(db, call, async ({ tx, scope, audit }) => {
    const id = await rejectDuplicate('NAME_TAKEN', queries.insertRole(tx, scope.organizationId, fields));
    await audit({ action: 'role.add', subject: 'role', subjectId: id, detail: { permissions: fields.permissions } });
    return queries.findRole(tx, scope, id);
  });
}

/**
 * Changes a role for everyone who holds it: the administrator must manage all groups it is held for. Also throws CHANGED_BY_OTHER if
 * `version` is given and out of date, and BAD_REQUEST if a role that an identity provider's groups give would let people manage users.
 */
export function changeRole(
  { db }: AdminDeps,
  call: ActorCall,
  id: string,
  wanted: RoleFields & { version?: string | undefined },
): Promise<AdminRole> {
  const fields = checkedRole(wanted);
  return administer(db, call, async (change) => {
    const { tx, scope, audit } = change;
    const before = await queries.findRole(tx, scope, id);
    await checkVersion(tx, { subject: 'role', id, current: before, read: wanted.version });
    if (before.isStandard) throw new ApiError('NOT_PERMITTED', { message: "Standard roles can't be changed." });
    const holders = await queries.findHolders(tx, id);
    checkCovers(
      scope,
      holders.map(({ groupId }) => groupId),
    );
    await refuseManagingByProvider(change, id, fields);
    await rejectDuplicate('NAME_TAKEN', queries.updateRole(tx, id, fields));
    await publishRightsChanged(
      change,
      holders.map(({ userId }) => userId),
    );
    const detail = {
      changes: changedValues(before, fields, ['name']),
      before: before.permissions,
      after: fields.permissions,
    };
    await audit({ action: 'role.change', subject: 'role', subjectId: id, detail });
    await followAccess(change, await queries.organizationOfRole(tx, id));
    return queries.findRole(tx, scope, id);
  });
}

/** Nobody becomes an administrator by a group elsewhere, or by signing in (docs/decisions/0099). */
async function refuseManagingByProvider({ tx }: Change, id: string, { permissions }: RoleFields): Promise<void> {
  if (!permissions.includes('canManageUsers') || !(await queries.isGivenByProvider(tx, id))) return;
  const message =
    "Groups of your identity provider, or the first sign-in, give this role, so it can't let people manage users. Choose another role there first.";
  throw badField('permissions', message);
}

/** Rejects the name of a standard role: an organization's own role must not pass for one. */
function checkedRole({ name, permissions }: RoleFields): RoleFields {
  if (Object.hasOwn(STANDARD_ROLES, name.toLowerCase())) throw new ApiError('NAME_TAKEN');
  return { name, permissions: [...new Set(permissions)] };
}

/** Closes one of the organization's own roles; its row stays (docs/decisions/0021). Throws STILL_NEEDED if someone holds it. */
export function closeRole({ db }: AdminDeps, call: ActorCall, id: string): Promise<void> {
  return administer(db, call, async ({ tx, scope, now, audit }) => {
    const { isStandard } = await queries.findRole(tx, scope, id);
    if (isStandard) throw new ApiError('NOT_PERMITTED', { message: "Standard roles can't be removed." });
    const holders = await countHolders(tx, { roleId: id });
    refuseIfNeeded('role', [counted(holders, 'person has it', 'people have it')]);
    await queries.closeRole(tx, id, now);
    await audit({ action: 'role.end', subject: 'role', subjectId: id });
  });
}
