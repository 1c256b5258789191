import type { Grant } from '#contract/admin.ts';
import type { UserChange } from '#contract/user-changes.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { type Change, publishRightsChanged } from '../administer.ts';
import { findTeam } from '../directory/team-queries.ts';
import { placeOf } from '../held-flags.ts';
import { followAccess } from '../provisioning/provisioning.ts';
import { changedGrants, checkGrants } from './grants.ts';
import { findAccount, replaceGrants } from './queries.ts';
import { findTarget, givenHere } from './users.ts';

type AccessChange = Extract<UserChange, { kind: 'GIVE_ROLE' | 'TAKE_ACCESS' }>;

/**
 * Gives a user a role on a team, or takes the access there. Errors: as `changeUser`; NOT_PERMITTED for one's own account, because another
 * administrator has to confirm what one gives oneself; BAD_REQUEST for access that follows from a group of the identity provider.
 */
export async function changeAccess(change: Change, id: string, wanted: AccessChange): Promise<void> {
  const { tx, scope, audit } = change;
  const user = await findTarget(change, id);
  if (user.isSelf) {
    throw new ApiError('NOT_PERMITTED', { message: 'Change your own access in your own entry of the list.' });
  }
  const team = await findTeam(tx, scope, wanted.teamId);
  const groupIds = new Set(wanted.groupIds ?? team.groupIds);
  if ([...groupIds].some((groupId) => !team.groupIds.includes(groupId))) throw new ApiError('NOT_FOUND');
  const isThere = ({ teamId, groupId }: Grant) => teamId === team.id && groupIds.has(groupId);
  if (user.grants.some((grant) => grant.isProvisioned && isThere(grant))) {
    throw new ApiError('BAD_REQUEST', {
      message: 'This access comes from a group of your identity provider. Change it there.',
    });
  }
  const given =
    wanted.kind === 'GIVE_ROLE'
      ? [...groupIds].map((groupId) => ({ teamId: team.id, groupId, roleId: wanted.roleId, added: [], removed: [] }))
      : [];
  const { before } = givenHere(user, []);
  const after = [...before.filter((grant) => !isThere(grant)), ...given];
  const changed = changedGrants(before, after);
  if (changed.length === 0) return;
  const { organizationId } = await findAccount(tx, id);
  await checkGrants(tx, scope, organizationId, { before, after });
  await replaceGrants(tx, id, after);
  await followAccess(change, organizationId, [id]);
  await publishRightsChanged(change, [id]);
  const places = new Set(changed.map(placeOf));
  const concerned = (grants: readonly Grant[]) => grants.filter((grant) => places.has(placeOf(grant)));
  const detail = { changes: {}, before: concerned(before), after: concerned(after) };
  await audit({ action: 'user.change', subject: 'user', subjectId: id, detail });
}
