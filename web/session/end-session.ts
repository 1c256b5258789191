import type { AnyRouter } from '@tanstack/react-router';
import type { Me } from '#contract/accounts.ts';
import { experienceBase } from '#contract/experiences.ts';
import { callForTeam } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { forgetAll } from '../ui/forget.ts';
import { forgetDrafts } from './drafts.ts';
import { forgetScroll, keepScroll } from './kept-scroll.ts';
import { clearLoadedData, meQuery } from './queries.ts';
import { postToTabs } from './tabs.ts';

/**
 * Removes everything that the browser holds of this session and goes to sign-in, in every tab. With `willReturn` (the session expired
 * rather than being signed out of), signing in opens the same page again, with its drafts; otherwise a new document is loaded, so that
 * neither memory nor the history's pages have anything of this user. Nobody can sign in inside an EHR: there, the session ends at
 * /sso-timeout.
 */
export const endSession = (
  router: AnyRouter,
  {
    willReturn = true,
    notifyTabs = true,
    query = '',
  }: { willReturn?: boolean; notifyTabs?: boolean; query?: string } = {},
): void => {
  const me = queryClient.getQueryData<Me | null>(meQuery.queryKey);
  if (!me) return;
  const embedded = experienceBase(me.user.applicationExperience) === '/ehr';
  const to = embedded ? '/sso-timeout' : '/login';
  const returnTo = router.state.location.href;
  if (notifyTabs) postToTabs({ kind: 'ended', willReturn });
  forgetAll();
  if (!willReturn) {
    forgetScroll();
    forgetDrafts();
    location.replace(to + query);
    return;
  }
  keepScroll();
  // The page is unmounted first, and only then its data removed: a page that is still mounted would load it again.
  queryClient.setQueryData(meQuery.queryKey, null);
  const navigated = router.navigate({
    to,
    ...(embedded ? {} : { state: { returnTo, ended: true } }),
    replace: true,
  });
  void navigated.finally(() => {
    callForTeam(null);
    clearLoadedData();
    // What the page showed while it was being left, such as a failed call.
    forgetAll();
  });
};
