import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { useSession } from '../session/session.ts';

/** How many patients the team has without any filter. */
export const unfilteredQuery = queryOptions({
  queryKey: ['patients-count'],
  queryFn: async () => (await call('GET /api/patients/count')).count,
  staleTime: 0,
});

/** The same, where it is wanted and may be known; null until then. */
export const useUnfiltered = (wanted: boolean): number | null => {
  const { can } = useSession();
  return useQuery({ ...unfilteredQuery, enabled: wanted && can('canViewPatients'), retry: false }).data ?? null;
};
