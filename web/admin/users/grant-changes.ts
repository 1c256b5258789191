import type { AdminRole, Grant } from '#contract/admin.ts';
import { PERMISSION_FLAGS, type Permission } from '#contract/permissions.ts';
import type { Place } from '../directory/use-directory.ts';

/** Returns what a grant allows: the permissions of its role, plus those added, minus those removed. */
export const permissionsOf = (grant: Grant, roles: readonly AdminRole[]): Permission[] => {
  const role = new Set(roles.find(({ id }) => id === grant.roleId)?.permissions);
  return PERMISSION_FLAGS.filter(
    (flag) => (role.has(flag) || grant.added.includes(flag)) && !grant.removed.includes(flag),
  );
};

/** Returns the grant that allows exactly these permissions, stored as the difference from its role. */
export const withPermissions = (grant: Grant, wanted: readonly Permission[], roles: readonly AdminRole[]): Grant => {
  const role = roles.find(({ id }) => id === grant.roleId)?.permissions ?? [];
  return {
    ...grant,
    added: PERMISSION_FLAGS.filter((flag) => wanted.includes(flag) && !role.includes(flag)),
    removed: PERMISSION_FLAGS.filter((flag) => !wanted.includes(flag) && role.includes(flag)),
  };
};

/** The same permissions added and removed in one or several places. */
export interface AccessChange {
  places: Place[];
  adds: Permission[];
  removes: Permission[];
}

const keyOf = ({ teamId, groupId }: Place): string => `${teamId} ${groupId}`;

/** Returns how a user's access changes. Places with the same change are grouped; places without one are left out. */
export const accessChanges = (
  before: readonly Grant[],
  after: readonly Grant[],
  roles: readonly AdminRole[],
): AccessChange[] => {
  const at = (grants: readonly Grant[], place: string): Set<Permission> =>
    new Set(grants.filter((grant) => keyOf(grant) === place).flatMap((grant) => permissionsOf(grant, roles)));
  const places = new Map(
    [...before, ...after].map(({ teamId, groupId }) => [keyOf({ teamId, groupId }), { teamId, groupId }]),
  );
  const changes = new Map<string, AccessChange>();
  for (const [key, place] of places) {
    const [was, will] = [at(before, key), at(after, key)];
    const adds = PERMISSION_FLAGS.filter((flag) => will.has(flag) && !was.has(flag));
    const removes = PERMISSION_FLAGS.filter((flag) => was.has(flag) && !will.has(flag));
    if (adds.length + removes.length === 0) continue;
    const sameChange = `${adds.join()} / ${removes.join()}`;
    const known = changes.get(sameChange);
    if (known) known.places.push(place);
    else changes.set(sameChange, { places: [place], adds, removes });
  }
  return [...changes.values()];
};
