import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { useSession } from '../session/session.ts';

/** How many patients the team has without filters. */
const unfilteredCountQuery = queryOptions({
  queryKey: ['patients-count'],
  queryFn: async () => (await call('GET /api/patients/count')).count,
  staleTime: 0,
});

/** The same for users who may see patients, if it is wanted. */
export const useUnfilteredQuery = (wanted: boolean) => {
  const { can } = useSession();
  return useQuery({ ...unfilteredCountQuery, enabled: wanted && can('canViewPatients'), retry: false });
};

/** Returns how many patients the team has without filters; null until it is known, and for users who may not see patients. */
export const useUnfilteredCount = (wanted: boolean): number | null => useUnfilteredQuery(wanted).data ?? null;

/** Returns "48 of 1,204 · Team East". The two counts are read at different times, so the second is at least the first. */
export const shownOf = (total: number | 'counting' | null, unfiltered: number | null, team: string): string => {
  if (total === null) return team;
  if (total === 'counting') return `Counting… · ${team}`;
  const all = unfiltered === null ? '' : ` of ${Math.max(unfiltered, total).toLocaleString('en-US')}`;
  return `${total.toLocaleString('en-US')}${all} · ${team}`;
};
