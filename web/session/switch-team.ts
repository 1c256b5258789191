import type { Me } from '#contract/accounts.ts';
import { call, callForTeam } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { clearLoadedData, meQuery } from './queries.ts';

/** Saves another default team and removes everything that was loaded for the previous one. */
export const switchTeam = async (me: Me, teamId: string): Promise<void> => {
  await call('PUT /api/users/default-team', { query: { teamId } });
  callForTeam(teamId);
  clearLoadedData();
  const switched: Me | null = { ...me, defaultTeam: teamId };
  queryClient.setQueryData(meQuery.queryKey, switched);
};
