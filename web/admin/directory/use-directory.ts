import { useQueries } from '@tanstack/react-query';
import type { AdminRole, DirectoryGroup, DirectoryTeam } from '#contract/admin.ts';
import { directoryQuery, rolesQuery } from '../admin-queries.ts';

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
  teams: DirectoryTeam[];
  groups: DirectoryGroup[];
  roles: AdminRole[];
  /** 'Lakeshore ACO · Mercy General Hospital' */
  placeName: (place: Place) => string;
  /** 'Lakeshore ACO · Mercy General Hospital, Oak Hollow': places of one team are named together, the first few of many. */
  placesName: (places: readonly Place[]) => string;
}

const MOST_NAMES = 5;
const few = (names: readonly string[]): string =>
  names.length > MOST_NAMES + 1
    ? `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more`
    : names.join(', ');

/** Returns the directory made of the lists. */
export const directoryOf = (teams: DirectoryTeam[], groups: DirectoryGroup[], roles: AdminRole[]): Directory => {
  return {
    teams,
    groups,
    roles,
    placeName: ({ teamId, groupId }) => `${nameOf(teams, teamId)} · ${nameOf(groups, groupId)}`,
    placesName: (places) =>
      [...Map.groupBy(places, ({ teamId }) => teamId)]
        .map(([teamId, of]) => `${nameOf(teams, teamId)} · ${few(of.map(({ groupId }) => nameOf(groups, groupId)))}`)
        .join(' | '),
  };
};

/** The directory as one query, for Loaded. */
export const useDirectory = () =>
  useQueries({
    queries: [directoryQuery, rolesQuery],
    combine: ([names, roles]) => ({
      data: names.data && roles.data && directoryOf(names.data.teams, names.data.groups, roles.data),
      error: names.error ?? roles.error,
      dataUpdatedAt: Math.min(names.dataUpdatedAt, roles.dataUpdatedAt),
      refetch: () => Promise.all([names.refetch(), roles.refetch()]),
    }),
  });
