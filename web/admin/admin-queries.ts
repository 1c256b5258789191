import { queryOptions } from '@tanstack/react-query';
import type { RouteInput } from '#contract/routes.ts';
import { call } from '../api/call.ts';
import { PENDING_GRANTS_KEY } from '../session/queries.ts';
import type { UserQuery } from './users/users-search.ts';

/** Other administrators make changes too, so a page always loads its list again. */
const fresh = { staleTime: 0 };

export interface PageFilters {
  query?: string;
  pageNumber: number;
  pageSize: number;
}
export const usersQuery = (filters: PageFilters & UserQuery) =>
  queryOptions({
    queryKey: ['admin-users', filters],
    queryFn: () => call('GET /api/admin/users', { query: filters }),
    ...fresh,
  });
/** Loads a user again before editing, because the list may be out of date. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-user', id],
    queryFn: () => call('GET /api/admin/users/:id', { params: { id } }),
    ...fresh,
    gcTime: 0,
  });
export const teamsQuery = (filters: PageFilters) =>
  queryOptions({
    queryKey: ['admin-teams', filters],
    queryFn: () => call('GET /api/admin/teams', { query: filters }),
    ...fresh,
  });
export const groupsQuery = (filters: PageFilters) =>
  queryOptions({
    queryKey: ['admin-groups', filters],
    queryFn: () => call('GET /api/admin/groups', { query: filters }),
    ...fresh,
  });
/** The facilities that an operator may approve; empty for everyone else. */
export const facilitiesToApproveQuery = queryOptions({
  queryKey: ['admin-groups', 'to approve'],
  queryFn: () => call('GET /api/admin/groups', { query: { canApprove: 'true', pageSize: 100 } }),
  ...fresh,
});
/** The names of all teams and groups. */
export const directoryQuery = queryOptions({
  queryKey: ['admin-directory'],
  queryFn: () => call('GET /api/admin/directory'),
  ...fresh,
});
/** Its key starts with that of the groups, so refreshing those refreshes these. */
export const closedGroupsQuery = queryOptions({
  queryKey: ['admin-groups', 'closed'],
  queryFn: () => call('GET /api/admin/groups/ended'),
  ...fresh,
});
/** First rosters that wait for an operator; empty for everyone else. */
export const waitingRostersQuery = queryOptions({
  queryKey: ['admin-waiting-rosters'],
  queryFn: () => call('GET /api/rosters/waiting'),
  ...fresh,
});
export const rolesQuery = queryOptions({
  queryKey: ['admin-roles'],
  queryFn: () => call('GET /api/admin/roles'),
  ...fresh,
});
export const programsQuery = queryOptions({
  queryKey: ['admin-hl7-programs'],
  queryFn: () => call('GET /api/admin/hl7-programs'),
  ...fresh,
});
export const requestsQuery = queryOptions({
  queryKey: ['admin-requests'],
  queryFn: () => call('GET /api/admin/access-requests'),
  ...fresh,
});
export const pendingGrantsQuery = queryOptions({
  queryKey: PENDING_GRANTS_KEY,
  queryFn: () => call('GET /api/admin/pending-grants'),
  ...fresh,
});
export const connectionsQuery = queryOptions({
  queryKey: ['admin-connections'],
  queryFn: () => call('GET /api/admin/sso-connections'),
  ...fresh,
});
export const accessesQuery = (patientId: string, pageNumber: number) =>
  queryOptions({
    queryKey: ['admin-accesses', patientId, pageNumber],
    queryFn: () =>
      call('GET /api/patients/:id/accesses', { params: { id: patientId }, query: { pageNumber, pageSize: 50 } }),
    ...fresh,
  });
/** Emergency accesses to visits at the administrator's facilities. */
export const emergenciesQuery = queryOptions({
  queryKey: ['admin-emergency-accesses'],
  queryFn: () => call('GET /api/emergency-accesses'),
  ...fresh,
});
export const changesQuery = (filters: RouteInput<'GET /api/admin/changes'>['query']) =>
  queryOptions({
    queryKey: ['admin-changes', filters],
    queryFn: () => call('GET /api/admin/changes', { query: { ...filters, pageSize: 50 } }),
    ...fresh,
  });
