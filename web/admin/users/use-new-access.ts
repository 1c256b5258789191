import { useState } from 'react';
import type { Grant } from '#contract/admin.ts';
import { isOfSame, type Owned } from '../organization.ts';
import type { Directory } from '../use-directory.ts';
import { defaultRole, rolesFor } from './team-roles.ts';

/** What access is given from: what there is already, and whose it is. */
export interface AccessGiven {
  grants: Grant[];
  directory: Directory;
  /** Absent while there is no account yet. */
  owner: Owned | undefined;
}

export type NewAccess = ReturnType<typeof useNewAccess>;

/** Access that is about to be given: a team, a role, and groups of the team that are not given yet. */
export const useNewAccess = ({ grants, directory, owner }: AccessGiven) => {
  const [teamAsked, setTeam] = useState('');
  const [roleAsked, setRole] = useState(defaultRole(directory.roles));
  const [chosen, choose] = useState<string[]>([]);
  // All access of one user is in one organisation.
  const of = owner ?? directory.teams.find(({ id }) => id === grants[0]?.teamId);
  const teams = directory.teams.filter((each) => isOfSame(each, of ?? each));
  const team = teams.find(({ id }) => id === teamAsked) ?? teams[0];
  const teamId = team?.id ?? '';
  const roles = team ? rolesFor(team, directory.roles) : [];
  const roleId = roles.find(({ id }) => id === roleAsked)?.id ?? defaultRole(roles);
  const groups = directory.groups.filter(
    ({ id }) => team?.groupIds.includes(id) && !grants.some((grant) => grant.teamId === teamId && grant.groupId === id),
  );
  const taken = chosen.filter((id) => groups.some((group) => group.id === id));
  return {
    teams,
    teamId,
    setTeam: (id: string): void => {
      setTeam(id);
      choose([]);
    },
    roles,
    roleId,
    setRole,
    /** That can be given. */
    groups,
    /** Ids of those that are chosen. */
    taken,
    takeAll: (on: boolean): void => choose(on ? groups.map(({ id }) => id) : []),
    take: (id: string, on: boolean): void => choose(on ? [...taken, id] : taken.filter((other) => other !== id)),
    /** The grants that this makes; nothing is chosen after it. */
    finish: (): Grant[] => {
      choose([]);
      return taken.map((groupId) => ({ teamId, groupId, roleId, added: [], removed: [] }));
    },
  };
};
