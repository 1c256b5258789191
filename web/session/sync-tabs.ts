import type { Me } from '#contract/accounts.ts';
import { queryClient } from '../api/query-client.ts';
import type { Router } from '../router/router.ts';
import { endSession, followSignOut } from './end-session.ts';
import { meQuery } from './queries.ts';
import { listenToTabs } from './tabs.ts';

/** Keeps this tab in step with the others: a session that ends or begins there ends or begins here. */
export const syncTabs = (router: Router): void => {
  listenToTabs((message) => {
    if (message.kind === 'active' || message.kind === 'launched') return;
    if (message.kind === 'ended') return endSession(router, { notifyTabs: false });
    if (message.kind !== 'signed-in') return followSignOut(message.kind, message.userId);
    const current = queryClient.getQueryData<Me | null>(meQuery.queryKey);
    // A different user signed in: nothing of the previous one may remain.
    if (current && current.user.id !== message.userId) location.replace('/');
    if (current) return;
    void queryClient.resetQueries({ queryKey: meQuery.queryKey }).then(() => {
      if (router.location.pathname === '/login') void router.load();
    });
  });
};
