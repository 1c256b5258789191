import type { AnyRouter } from '@tanstack/react-router';
import type { Me } from '#contract/accounts.ts';
import { experienceBase } from '#contract/experiences.ts';
import { callForTeam } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { meQuery } from './session.ts';
import { tellTabs } from './tabs.ts';

/**
 * Removes everything that the browser holds of this session and goes to sign-in, in every tab. With `stay`, the same page opens again
 * after signing in: the session ended without being asked to. Inside an EHR nobody signs in; there it ends at /sso-timeout.
 */
export const endSession = (router: AnyRouter, { stay = true, tell = true } = {}): void => {
  const me = queryClient.getQueryData<Me | null>(meQuery.queryKey);
  if (!me) return;
  const returnTo = router.state.location.href;
  callForTeam(null);
  queryClient.clear();
  queryClient.setQueryData(meQuery.queryKey, null);
  if (tell) tellTabs({ kind: 'ended' });
  const embedded = experienceBase(me.user.applicationExperience) === '/ehr';
  void router.navigate({
    to: embedded ? '/sso-timeout' : '/login',
    ...(stay && !embedded ? { state: { returnTo, ended: true } } : {}),
    replace: true,
  });
};
