import { useState } from 'react';
import type { Grant } from '#contract/admin.ts';
import type { Directory } from '../directory/use-directory.ts';
import { isSameOrganization, type Owned } from '../organization.ts';
import { defaultRole, rolesFor } from './team-roles.ts';

/** Part of a form: the access of a user, and what is selected to be added to it. Saving adds both. */
export interface AccessValues {
  grants: Grant[];
  selected: Grant[];
}

/** The user's current access, to which new access is added, and the user's organization. */
export interface AccessContext extends AccessValues {
  directory: Directory;
  /** Undefined until there is an account. */
  owner: Owned | undefined;
  change: (values: Partial<AccessValues>) => void;
}

/** Returns everything that saving grants: what is selected counts, whether or not "Add access" was pressed. */
export const allGrants = ({ grants, selected }: AccessValues): Grant[] => [...grants, ...selected];

export type NewAccess = ReturnType<typeof useNewAccess>;

/** State of the form that adds access: a team, a role, and those groups of the team without access yet. */
export const useNewAccess = ({ grants, selected, directory, owner, change }: AccessContext) => {
  const [wantedTeam, setTeam] = useState('');
  const [wantedRole, setRole] = useState(defaultRole(directory.roles));
  // All access of a user is in one organization.
  const organization = owner ?? directory.teams.find(({ id }) => id === grants[0]?.teamId);
  const teams = directory.teams.filter((each) => isSameOrganization(each, organization ?? each));
  const team = teams.find(({ id }) => id === wantedTeam) ?? teams[0];
  const teamId = team?.id ?? '';
  const roles = team ? rolesFor(team, directory.roles) : [];
  const roleId = roles.find(({ id }) => id === wantedRole)?.id ?? defaultRole(roles);
  const onTeam = new Set(team?.groupIds);
  const granted = new Set(grants.filter((grant) => grant.teamId === teamId).map(({ groupId }) => groupId));
  const groups = directory.groups.filter(({ id }) => onTeam.has(id) && !granted.has(id));
  const ids = selected.map(({ groupId }) => groupId);
  const selectIn = (role: string, groupIds: string[]): void =>
    change({ selected: groupIds.map((groupId) => ({ teamId, groupId, roleId: role, added: [], removed: [] })) });
  return {
    teams,
    teamId,
    setTeam: (id: string): void => {
      setTeam(id);
      change({ selected: [] });
    },
    roles,
    roleId,
    setRole: (id: string): void => {
      setRole(id);
      selectIn(id, ids);
    },
    /** The groups to choose from. */
    groups,
    /** Ids of the selected groups. */
    selected: ids,
    selectAll: (on: boolean): void => selectIn(roleId, on ? groups.map(({ id }) => id) : []),
    setSelected: (groupIds: string[]): void => selectIn(roleId, groupIds),
    select: (id: string, on: boolean): void =>
      selectIn(roleId, on ? [...ids, id] : ids.filter((other) => other !== id)),
    /** Moves what is selected to the list above, so that more can be selected. */
    add: (): void => change({ grants: allGrants({ grants, selected }), selected: [] }),
  };
};
