import type { Grant } from '#contract/admin.ts';
import type { AdminRole } from '../admin-types.ts';
import { isOfSame, type Owned } from '../organization.ts';
import type { Directory } from '../use-directory.ts';

/** The standard roles, and those of the team's organisation. */
export const rolesFor = (team: Owned, roles: readonly AdminRole[]): AdminRole[] =>
  roles.filter((role) => role.isStandard || isOfSame(role, team));

/** The roles that a grant may have. */
export const rolesOf = ({ teamId }: Grant, { teams, roles }: Directory): AdminRole[] => {
  const team = teams.find(({ id }) => id === teamId);
  return team ? rolesFor(team, roles) : roles;
};

/** The standard role that allows least, so that a press too many gives little away. */
export const defaultRole = (roles: readonly AdminRole[]): string =>
  roles.filter(({ isStandard }) => isStandard).sort((a, b) => a.permissions.length - b.permissions.length)[0]?.id ??
  roles[0]?.id ??
  '';
