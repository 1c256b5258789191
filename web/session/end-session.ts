import type { AnyRouter } from '@tanstack/react-router';
import { callForTeam } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { forgetWhatWasRead, meQuery } from './session.ts';

/**
 * Removes everything that the browser holds of this session and goes to sign-in. With `stay`, the same page opens again after
 * signing in: the session ended without being asked to.
 */
export const endSession = (router: AnyRouter, { stay = true } = {}): void => {
  if (queryClient.getQueryData(meQuery.queryKey) === null) return;
  const returnTo = router.state.location.href;
  // Nobody is signed in, which takes the page away. Only then what it read is removed: a page that still stood would ask again.
  queryClient.setQueryData(meQuery.queryKey, null);
  const there = router.navigate({ to: '/login', ...(stay ? { state: { returnTo } } : {}), replace: true });
  void there.finally(() => {
    callForTeam(null);
    forgetWhatWasRead();
  });
};
