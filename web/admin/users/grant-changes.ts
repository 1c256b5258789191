import type { Grant } from '#contract/admin.ts';
import { PERMISSION_FLAGS, type Permission } from '#contract/permissions.ts';
import type { AdminRole } from '../admin-types.ts';

/** What a grant allows: its role, with single permissions added and taken away. */
export const permissionsOf = (grant: Grant, roles: readonly AdminRole[]): Permission[] => {
  const role = new Set(roles.find(({ id }) => id === grant.roleId)?.permissions);
  return PERMISSION_FLAGS.filter(
    (flag) => (role.has(flag) || grant.added.includes(flag)) && !grant.removed.includes(flag),
  );
};

/** The grant that allows exactly these permissions, told as what differs from its role. */
export const withPermissions = (grant: Grant, wanted: readonly Permission[], roles: readonly AdminRole[]): Grant => {
  const role = roles.find(({ id }) => id === grant.roleId)?.permissions ?? [];
  return {
    ...grant,
    added: PERMISSION_FLAGS.filter((flag) => wanted.includes(flag) && !role.includes(flag)),
    removed: PERMISSION_FLAGS.filter((flag) => !wanted.includes(flag) && role.includes(flag)),
  };
};

export interface Place {
  teamId: string;
  groupId: string;
}
/** What is added and taken away, alike, in one or several places. */
export interface Change {
  places: Place[];
  adds: Permission[];
  takes: Permission[];
}

const placeOf = ({ teamId, groupId }: Place): string => `${teamId} ${groupId}`;

/** What changes for a user when `before` becomes `after`; places that change alike stand together, places that do not are left out. */
export const changesOf = (before: readonly Grant[], after: readonly Grant[], roles: readonly AdminRole[]): Change[] => {
  const at = (grants: readonly Grant[], place: string): Set<Permission> =>
    new Set(grants.filter((grant) => placeOf(grant) === place).flatMap((grant) => permissionsOf(grant, roles)));
  const places = new Map(
    [...before, ...after].map(({ teamId, groupId }) => [`${teamId} ${groupId}`, { teamId, groupId }]),
  );
  const changes = new Map<string, Change>();
  for (const [key, place] of places) {
    const [was, will] = [at(before, key), at(after, key)];
    const adds = PERMISSION_FLAGS.filter((flag) => will.has(flag) && !was.has(flag));
    const takes = PERMISSION_FLAGS.filter((flag) => was.has(flag) && !will.has(flag));
    if (adds.length + takes.length === 0) continue;
    const alike = `${adds.join()} / ${takes.join()}`;
    const known = changes.get(alike);
    if (known) known.places.push(place);
    else changes.set(alike, { places: [place], adds, takes });
  }
  return [...changes.values()];
};
