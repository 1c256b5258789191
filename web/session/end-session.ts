import type { Me } from '#contract/accounts.ts';
import { experienceBase } from '#contract/experiences.ts';
import { callForTeam } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import type { Router } from '../router/router.ts';
import { forgetAll } from '../ui/forget.ts';
import { forgetDrafts } from './drafts.ts';
import { forgetScroll, keepScroll } from './kept-scroll.ts';
import { clearLoadedData, meQuery, userOfDocument } from './queries.ts';
import { forgetTabTeam } from './tab-team.ts';
import { postToTabs } from './tabs.ts';

/** Where a sign-out is under way. It decides what the end of the session means, whichever way the news of it arrives. */
let signingOut: 'here' | 'elsewhere' | null = null;
export const setSigningOut = (where: typeof signingOut): void => {
  signingOut = where;
};

const currentUser = (): Me | null => queryClient.getQueryData<Me | null>(meQuery.queryKey) ?? null;

/** Nobody can sign in inside an EHR: there, the session ends at a page of its own. */
const isEmbedded = (me: Me | null): boolean => me !== null && experienceBase(me.user.applicationExperience) === '/ehr';

/** Removes everything and loads a new document, so that neither memory nor the history's pages have anything of this user. */
export const leave = (query = ''): void => {
  const to = isEmbedded(currentUser()) ? '/sso-timeout' : '/login';
  forgetAll();
  forgetScroll();
  forgetDrafts();
  forgetTabTeam();
  location.replace(to + query);
};

/**
 * Goes to sign-in in every tab because the session has expired or was ended from elsewhere. When the same user signs in, the page opens
 * again with its drafts. If it ended because of a sign-out in another tab, nothing is kept.
 */
export const endSession = (router: Router, { notifyTabs = true } = {}): void => {
  const me = currentUser();
  // A tab that signs out waits for the answer to its own call.
  if (!me || signingOut === 'here') return;
  if (signingOut === 'elsewhere') return leave();
  if (notifyTabs) postToTabs({ kind: 'ended' });
  const state = { returnTo: router.location.href, returnFor: me.user.id, ended: true };
  forgetAll();
  keepScroll();
  // The page is unmounted first, and only then its data removed: a page that is still mounted would load it again.
  queryClient.setQueryData(meQuery.queryKey, null);
  const navigated = router.navigate(
    isEmbedded(me) ? { to: '/sso-timeout', replace: true } : { to: '/login', state, replace: true },
  );
  void navigated.finally(() => {
    callForTeam(null);
    clearLoadedData();
    // What the page showed while it was being left, such as a failed call.
    forgetAll();
  });
};

/** Follows the sign-out of a user in another tab; also in a tab where their session has ended, but which keeps their drafts. */
export const followSignOut = (kind: 'signing-out' | 'signed-out' | 'still-signed-in', userId: string): void => {
  if (userOfDocument() !== userId) return;
  if (kind === 'signed-out') leave();
  else signingOut = kind === 'signing-out' ? 'elsewhere' : null;
};
