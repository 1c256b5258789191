import type { AnyRouter } from '@tanstack/react-router';
import { isPagePath } from '#contract/page-paths.ts';
import { track, trackPath } from './track.ts';

/** A visit that began at an address of the older product. */
export interface LegacyRedirect {
  /** The old route and the new one, without queries, which may contain a mailed token. */
  routes: string[];
  username: string | null;
}

/** Whether the page exists, for this user: "This page does not exist" is not a page that someone used. */
const isShown = ({ state }: AnyRouter, path: string): boolean =>
  isPagePath(path) && !state.matches.some(({ status }) => status === 'notFound');

/** Tracks every page that the router shows, and the legacy address that the visit began with. */
export const follow = (router: AnyRouter, legacy: LegacyRedirect | null): void => {
  const trackLocation = ({ pathname, searchStr }: { pathname: string; searchStr: string }): void => {
    if (isShown(router, pathname)) trackPath(pathname, searchStr);
  };
  if (router.state.status === 'idle') trackLocation(router.state.location);
  router.subscribe('onResolved', ({ toLocation }) => trackLocation(toLocation));
  if (legacy) track('legacy-url-redirected', legacy);
};
