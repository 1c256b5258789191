import type { AnyRouter } from '@tanstack/react-router';
import type { Me } from '#contract/accounts.ts';
import { experienceBase } from '#contract/experiences.ts';
import { callForTeam } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { forgetDrafts } from './drafts.ts';
import { forgetScroll, keepScroll } from './kept-scroll.ts';
import { forgetWhatWasRead, meQuery } from './session.ts';
import { tellTabs } from './tabs.ts';

/**
 * Removes everything that the browser holds of this session and goes to sign-in, in every tab. With `stay`, the same page opens again
 * after signing in, with what was half written: the session ended without being asked to. Inside an EHR nobody signs in; there it ends at /sso-timeout.
 */
export const endSession = (router: AnyRouter, { stay = true, tell = true } = {}): void => {
  const me = queryClient.getQueryData<Me | null>(meQuery.queryKey);
  if (!me) return;
  const returnTo = router.state.location.href;
  if (stay) keepScroll();
  else {
    forgetScroll();
    forgetDrafts();
  }
  // Nobody is signed in, which takes the page away. Only then what it read is removed: a page that still stood would ask again.
  queryClient.setQueryData(meQuery.queryKey, null);
  if (tell) tellTabs({ kind: 'ended' });
  const embedded = experienceBase(me.user.applicationExperience) === '/ehr';
  const there = router.navigate({
    to: embedded ? '/sso-timeout' : '/login',
    ...(stay && !embedded ? { state: { returnTo, ended: true } } : {}),
    replace: true,
  });
  void there.finally(() => {
    callForTeam(null);
    forgetWhatWasRead();
  });
};
