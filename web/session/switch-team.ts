import type { Me } from '#contract/accounts.ts';
import { call, callForTeam } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { clearLoadedData, meQuery } from './queries.ts';
import { keepTabTeam } from './tab-team.ts';

/**
 * Switches this tab to another team, saves it for new tabs, and removes everything that was loaded for the previous one. `leave` closes what
 * only that team may see: parts of a page that come late would ask for it as the new team.
 */
export const switchTeam = async (me: Me, teamId: string, leave?: () => Promise<void>): Promise<void> => {
  await call('PUT /api/users/default-team', { query: { teamId } });
  await leave?.();
  callForTeam(teamId);
  keepTabTeam(me.user.id, teamId);
  clearLoadedData();
  const switched: Me | null = { ...me, defaultTeam: teamId };
  queryClient.setQueryData(meQuery.queryKey, switched);
};
