import { useQueries } from '@tanstack/react-query';
import type { AdminGroup, AdminRole, AdminTeam } from '#contract/admin.ts';
import { groupsQuery, rolesQuery, teamsQuery } from '../admin-queries.ts';

/** A group as seen from a team: what access is granted to. */
export interface Place {
  teamId: string;
  groupId: string;
}

/** The name of the entry with this id; 'ID 77' if the list no longer has it. */
export const nameOf = (list: readonly { id: string; name: string }[], id: string): string =>
  list.find((entry) => entry.id === id)?.name ?? `ID ${id}`;

/** Teams, groups and roles of the organization, and the names of places. */
export interface Directory {
  teams: AdminTeam[];
  groups: AdminGroup[];
  roles: AdminRole[];
  /** 'Lakeshore ACO · Mercy General Hospital' */
  placeName: (place: Place) => string;
  /** 'Lakeshore ACO · Mercy General Hospital, Oak Hollow': places of one team are named together. */
  placesName: (places: readonly Place[]) => string;
}

/** Returns the directory made of the three lists. */
export const directoryOf = (teams: AdminTeam[], groups: AdminGroup[], roles: AdminRole[]): Directory => {
  return {
    teams,
    groups,
    roles,
    placeName: ({ teamId, groupId }) => `${nameOf(teams, teamId)} · ${nameOf(groups, groupId)}`,
    placesName: (places) =>
      [...Map.groupBy(places, ({ teamId }) => teamId)]
        .map(
          ([teamId, of]) => `${nameOf(teams, teamId)} · ${of.map(({ groupId }) => nameOf(groups, groupId)).join(', ')}`,
        )
        .join(' | '),
  };
};

/** The three lists as one query, for Loaded. */
export const useDirectory = () =>
  useQueries({
    queries: [teamsQuery, groupsQuery, rolesQuery],
    combine: ([teams, groups, roles]) => ({
      data: teams.data && groups.data && roles.data && directoryOf(teams.data, groups.data, roles.data),
      error: teams.error ?? groups.error ?? roles.error,
      dataUpdatedAt: Math.min(teams.dataUpdatedAt, groups.dataUpdatedAt, roles.dataUpdatedAt),
      refetch: () => Promise.all([teams.refetch(), groups.refetch(), roles.refetch()]),
    }),
  });
