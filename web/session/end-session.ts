import type { AnyRouter } from '@tanstack/react-router';
import { callForTeam } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { meQuery } from './session.ts';

/**
 * Removes everything that the browser holds of this session and goes to sign-in. With `stay`, the same page opens again after
 * signing in: the session ended without being asked to.
 */
export const endSession = (router: AnyRouter, { stay = true } = {}): void => {
  if (queryClient.getQueryData(meQuery.queryKey) === null) return;
  const returnTo = router.state.location.href;
  callForTeam(null);
  queryClient.clear();
  queryClient.setQueryData(meQuery.queryKey, null);
  void router.navigate({ to: '/login', ...(stay ? { state: { returnTo } } : {}), replace: true });
};
