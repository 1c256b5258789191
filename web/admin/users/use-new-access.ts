import { useState } from 'react';
import type { Grant } from '#contract/admin.ts';
import type { Directory } from '../directory/use-directory.ts';
import { isSameOrganization, type Owned } from '../organization.ts';
import { defaultRole, rolesFor } from './team-roles.ts';

/** What new access is added to: the access that there is, and whose it is. */
export interface AccessContext {
  grants: Grant[];
  directory: Directory;
  /** Undefined until there is an account. */
  owner: Owned | undefined;
}

export type NewAccess = ReturnType<typeof useNewAccess>;

/** State of the form that adds access: a team, a role, and those groups of the team without access yet. */
export const useNewAccess = ({ grants, directory, owner }: AccessContext) => {
  const [wantedTeam, setTeam] = useState('');
  const [wantedRole, setRole] = useState(defaultRole(directory.roles));
  const [checked, setChecked] = useState<string[]>([]);
  // All access of a user is in one organization.
  const organization = owner ?? directory.teams.find(({ id }) => id === grants[0]?.teamId);
  const teams = directory.teams.filter((each) => isSameOrganization(each, organization ?? each));
  const team = teams.find(({ id }) => id === wantedTeam) ?? teams[0];
  const teamId = team?.id ?? '';
  const roles = team ? rolesFor(team, directory.roles) : [];
  const roleId = roles.find(({ id }) => id === wantedRole)?.id ?? defaultRole(roles);
  const groups = directory.groups.filter(
    ({ id }) => team?.groupIds.includes(id) && !grants.some((grant) => grant.teamId === teamId && grant.groupId === id),
  );
  const selected = checked.filter((id) => groups.some((group) => group.id === id));
  return {
    teams,
    teamId,
    setTeam: (id: string): void => {
      setTeam(id);
      setChecked([]);
    },
    roles,
    roleId,
    setRole,
    /** The groups to choose from. */
    groups,
    /** Ids of the selected groups. */
    selected,
    selectAll: (on: boolean): void => setChecked(on ? groups.map(({ id }) => id) : []),
    select: (id: string, on: boolean): void =>
      setChecked(on ? [...selected, id] : selected.filter((other) => other !== id)),
    /** Returns the grants and clears the selection. */
    finish: (): Grant[] => {
      setChecked([]);
      return selected.map((groupId) => ({ teamId, groupId, roleId, added: [], removed: [] }));
    },
  };
};
