import type { Me } from '#contract/accounts.ts';
import { inBackground } from '../api/background.ts';
import { queryClient } from '../api/query-client.ts';
import type { Router } from '../router/router.ts';
import { showToast } from '../ui/toasts.tsx';
import { clearLoadedData, fetchMe, meQuery, PENDING_GRANTS_KEY, removeUnusedData, selectedTeam } from './queries.ts';
import { whileRefreshingRights } from './refreshing-rights.ts';

/** Everything that decides what the user may see, in an order of its own: a permission that is lost for one group may be held for another. */
const accessOf = (me: Me): string =>
  JSON.stringify([
    selectedTeam(me)?.id,
    Object.values(me.user.teams)
      .flatMap((team) => [
        team,
        ...Object.values(team.groups).map((group) => ({ ...group, id: `${team.id}/${group.id}` })),
      ])
      .map(({ id, permissions }) => `${id} ${permissions.toSorted().join(' ')}`)
      .toSorted(),
  ]);

/**
 * Loads the current user again after their permissions changed. What they gained appears at once. From a page that they may no longer see they
 * are brought to one that they may, with a message; data that only that page needed is removed.
 */
const refresh = async (router: Router): Promise<void> => {
  const before = queryClient.getQueryData<Me | null>(meQuery.queryKey);
  // A request for access that was declined changes no permission, but waits no more.
  void inBackground(() => queryClient.invalidateQueries({ queryKey: PENDING_GRANTS_KEY }));
  const me = await inBackground(fetchMe).catch(() => undefined);
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

let latest = Promise.resolve();

/** One change after the other: of two answers under way, the older one could come last. */
export const refreshRights = (router: Router): Promise<void> => {
  latest = latest.then(() => refresh(router)).catch(() => {});
  return latest;
};
