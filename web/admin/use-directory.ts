import { useQueries } from '@tanstack/react-query';
import { groupsQuery, rolesQuery, teamsQuery } from './admin-queries.ts';
import type { AdminGroup, AdminRole, AdminTeam } from './admin-types.ts';
import type { Place } from './users/grant-changes.ts';

/** Teams, groups and roles of the organisation, and how places are named. */
export interface Directory {
  teams: AdminTeam[];
  groups: AdminGroup[];
  roles: AdminRole[];
  /** 'Lakeshore ACO · Mercy General Hospital' */
  placeName: (place: Place) => string;
  /** Places of one team are named together. */
  placesName: (places: readonly Place[]) => string;
}

/** Made of what the three lists answered. */
export const directoryOf = (teams: AdminTeam[], groups: AdminGroup[], roles: AdminRole[]): Directory => {
  const nameOf = (list: { id: string; name: string }[], id: string): string =>
    list.find((entry) => entry.id === id)?.name ?? `No. ${id}`;
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

/** The directory as one query, to hand to Loaded. */
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
