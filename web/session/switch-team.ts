import type { Me } from '#contract/accounts.ts';
import { call, callForTeam } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { forgetWhatWasRead, meQuery } from './session.ts';

/** Remembers another team and forgets all that was read for the former one. */
export const switchTeam = async (me: Me, teamId: string): Promise<void> => {
  await call('PUT /api/users/default-team', { query: { teamId } });
  callForTeam(teamId);
  forgetWhatWasRead();
  const switched: Me | null = { ...me, defaultTeam: teamId };
  queryClient.setQueryData(meQuery.queryKey, switched);
};
