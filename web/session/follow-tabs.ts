import type { AnyRouter } from '@tanstack/react-router';
import type { Me } from '#contract/accounts.ts';
import { queryClient } from '../api/query-client.ts';
import { endSession } from './end-session.ts';
import { meQuery } from './session.ts';
import { hearTabs } from './tabs.ts';

/** Keeps this tab in step: what ended elsewhere ends here, who signed in elsewhere is signed in here. */
export const followTabs = (router: AnyRouter): void => {
  hearTabs((told) => {
    if (told.kind === 'ended') endSession(router, { tell: false });
    if (told.kind !== 'signed-in') return;
    const known = queryClient.getQueryData<Me | null>(meQuery.queryKey);
    // Somebody else's: nothing of the former user may stay.
    if (known && known.user.id !== told.userId) location.assign('/');
    if (known) return;
    void queryClient.resetQueries({ queryKey: meQuery.queryKey }).then(() => {
      if (router.state.location.pathname === '/login') void router.invalidate();
    });
  });
};
