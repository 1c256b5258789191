import type { Me } from '#contract/accounts.ts';
import { queryClient } from '../api/query-client.ts';
import type { Router } from '../router/router.ts';
import { showToast } from '../ui/toasts.tsx';
import { clearLoadedData, fetchMe, meQuery, PENDING_GRANTS_KEY, removeUnusedData, selectedTeam } from './queries.ts';
import { whileRefreshingRights } from './refreshing-rights.ts';

/** Everything that decides what the user may see, in an order of its own. */
const accessOf = (me: Me): string =>
  JSON.stringify([
    selectedTeam(me)?.id,
    Object.values(me.user.teams)
      .map(({ id, permissions }) => `${id} ${permissions.toSorted().join(' ')}`)
      .toSorted(),
  ]);

/**
 * Loads the current user again after their permissions changed. What they gained appears at once. From a page that they may no longer see they
 * are brought to one that they may, with a message; data that only that page needed is removed.
 */
export const refreshRights = async (router: Router): Promise<void> => {
  const before = queryClient.getQueryData<Me | null>(meQuery.queryKey);
  // A request for access that was declined changes no permission, but waits no more.
  void queryClient.invalidateQueries({ queryKey: PENDING_GRANTS_KEY });
  const me = await fetchMe().catch(() => undefined);
  // Without an answer the next event tries again; without a session, the end of the session is dealt with elsewhere.
  if (!before || !me || accessOf(before) === accessOf(me)) return;
  const { pathname } = router.location;
  if (selectedTeam(before)?.id !== selectedTeam(me)?.id) clearLoadedData();
  queryClient.setQueryData(meQuery.queryKey, me);
  await whileRefreshingRights(() => router.load());
  removeUnusedData();
  const isMoved = router.location.pathname !== pathname;
  showToast(
    isMoved
      ? { type: 'warning', message: 'An administrator changed your access. You can no longer open that page.' }
      : { type: 'info', message: 'An administrator changed your access.' },
  );
};
