import { queryOptions, useQuery } from '@tanstack/react-query';
import type { RouteAnswer } from '#contract/routes.ts';
import { call } from '../api/call.ts';

export type BetaFeature = RouteAnswer<'GET /api/alpha/opt-out'>[number];

/** The beta features that the user has opted out of. */
export const optOutsQuery = queryOptions({
  queryKey: ['opt-outs'],
  queryFn: () => call('GET /api/alpha/opt-out'),
  staleTime: 60_000,
});

/** Whether the user has a beta feature; false until it is known that they have not opted out. */
export const useBeta = (feature: BetaFeature): boolean => {
  const { data } = useQuery({ ...optOutsQuery, retry: false });
  return data !== undefined && !data.includes(feature);
};
