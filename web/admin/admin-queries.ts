import { queryOptions } from '@tanstack/react-query';
import type { AdminUser } from '#contract/admin.ts';
import { call } from '../api/call.ts';

/** Others administer as well, so each list is asked anew whenever a page shows it. */
const fresh = { staleTime: 0 };

export interface UserFilters {
  query?: string;
  status?: AdminUser['status'];
  pageNumber: number;
}
export const usersQuery = (filters: UserFilters) =>
  queryOptions({
    queryKey: ['admin-users', filters],
    queryFn: () => call('GET /api/admin/users', { query: { ...filters, pageSize: 20 } }),
    ...fresh,
  });
/** Before it is edited, a user is read again: a list may be old. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-user', id],
    queryFn: () => call('GET /api/admin/users/:id', { params: { id } }),
    staleTime: 0,
    gcTime: 0,
  });
export const teamsQuery = queryOptions({
  queryKey: ['admin-teams'],
  queryFn: () => call('GET /api/admin/teams'),
  ...fresh,
});
export const groupsQuery = queryOptions({
  queryKey: ['admin-groups'],
  queryFn: () => call('GET /api/admin/groups'),
  ...fresh,
});
/** Below the groups: what renews them renews these. */
export const endedGroupsQuery = queryOptions({
  queryKey: ['admin-groups', 'ended'],
  queryFn: () => call('GET /api/admin/groups/ended'),
  ...fresh,
});
export const rolesQuery = queryOptions({
  queryKey: ['admin-roles'],
  queryFn: () => call('GET /api/admin/roles'),
  ...fresh,
});
export const requestsQuery = queryOptions({
  queryKey: ['admin-requests'],
  queryFn: () => call('GET /api/admin/access-requests'),
  ...fresh,
});
export const connectionsQuery = queryOptions({
  queryKey: ['admin-connections'],
  queryFn: () => call('GET /api/admin/sso-connections'),
  ...fresh,
});
export const changesQuery = (filters: { userId?: string; pageNumber: number }) =>
  queryOptions({
    queryKey: ['admin-changes', filters],
    queryFn: () => call('GET /api/admin/changes', { query: { ...filters, pageSize: 50 } }),
    ...fresh,
  });
