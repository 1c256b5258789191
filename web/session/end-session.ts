import type { AnyRouter } from '@tanstack/react-router';
import type { Me } from '#contract/accounts.ts';
import { experienceBase } from '#contract/experiences.ts';
import { callForTeam } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { forgetDrafts } from './drafts.ts';
import { forgetScroll, keepScroll } from './kept-scroll.ts';
import { clearLoadedData, meQuery } from './queries.ts';
import { postToTabs } from './tabs.ts';

/**
 * Removes everything that the browser holds of this session and goes to sign-in, in every tab. With `willReturn` (the session expired
 * rather than being signed out of), signing in opens the same page again, with its drafts. Nobody can sign in inside an EHR: there,
 * the session ends at /sso-timeout.
 */
export const endSession = (router: AnyRouter, { willReturn = true, notifyTabs = true } = {}): void => {
  const me = queryClient.getQueryData<Me | null>(meQuery.queryKey);
  if (!me) return;
  const returnTo = router.state.location.href;
  if (willReturn) keepScroll();
  else {
    forgetScroll();
    forgetDrafts();
  }
  // The page is unmounted first, and only then its data removed: a page that is still mounted would load it again.
  queryClient.setQueryData(meQuery.queryKey, null);
  if (notifyTabs) postToTabs({ kind: 'ended' });
  const embedded = experienceBase(me.user.applicationExperience) === '/ehr';
  const navigated = router.navigate({
    to: embedded ? '/sso-timeout' : '/login',
    ...(willReturn && !embedded ? { state: { returnTo, ended: true } } : {}),
    replace: true,
  });
  void navigated.finally(() => {
    callForTeam(null);
    clearLoadedData();
  });
};
