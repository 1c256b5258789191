import type { AdminRole, Grant } from '#contract/admin.ts';
import type { Directory } from '../directory/use-directory.ts';
import { isSameOrganization, type Owned } from '../organization.ts';

/** Returns the standard roles and those of the team's organization. */
export const rolesFor = (team: Owned, roles: readonly AdminRole[]): AdminRole[] =>
  roles.filter((role) => role.isStandard || isSameOrganization(role, team));

/** Returns the roles that a grant may have. */
export const rolesOf = ({ teamId }: Grant, { teams, roles }: Directory): AdminRole[] => {
  const team = teams.find(({ id }) => id === teamId);
  return team ? rolesFor(team, roles) : roles;
};

/** Returns the standard role with the fewest permissions, so that an accidental click grants little. */
export const defaultRole = (roles: readonly AdminRole[]): string =>
  roles.filter(({ isStandard }) => isStandard).sort((a, b) => a.permissions.length - b.permissions.length)[0]?.id ??
  roles[0]?.id ??
  '';
