import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** The held patients of the team's facilities, the first to expire first. */
export const heldQuery = queryOptions({
  queryKey: ['held-patients'],
  queryFn: () => call('GET /api/pre-admit/patients'),
  staleTime: 0,
});

/** The holds of the last 72 hours that ended with an admission, newest first. */
export const heldAdmissionsQuery = queryOptions({
  queryKey: ['held-admissions'],
  queryFn: () => call('GET /api/pre-admit/admissions'),
  staleTime: 0,
});

/** What is known of a held patient. Not kept: whether the match is automatic is asked each time. */
export const lookUpQuery = (id: string) =>
  queryOptions({
    queryKey: ['held-look-up', id],
    queryFn: () => call('GET /api/pre-admit/patients/:id/look-up', { params: { id } }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

/** Loads both lists again. */
export const refreshHeld = (client: QueryClient): Promise<unknown> =>
  Promise.all([heldQuery, heldAdmissionsQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey })));
