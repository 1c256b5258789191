import type { AnyRouter } from '@tanstack/react-router';
import type { LegacyRedirect } from '../routes/legacy-url.ts';
import { track, trackPath } from './track.ts';

/** Follows the router from place to place, and records the legacy address that the visit began with. */
export const follow = (router: AnyRouter, legacy: LegacyRedirect | null): void => {
  const here = ({ pathname, searchStr }: { pathname: string; searchStr: string }): void =>
    trackPath(pathname, searchStr);
  if (router.state.status === 'idle') here(router.state.location);
  router.subscribe('onResolved', ({ toLocation }) => here(toLocation));
  if (legacy) track('legacy-url-redirected', legacy);
};
