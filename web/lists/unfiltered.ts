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

/** "48 of 1,204 · Team East": never fewer without filters than with them. */
export const shownOf = (total: number | null, unfiltered: number | null, team: string): string => {
  if (total === null) return team;
  const all = unfiltered === null ? '' : ` of ${Math.max(unfiltered, total).toLocaleString('en-US')}`;
  return `${total.toLocaleString('en-US')}${all} · ${team}`;
};
