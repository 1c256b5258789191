import type { Router } from '../router/router.ts';
import type { LegacyRedirect, legacyTarget } from './legacy-url.ts';
import { track, trackPath } from './track.ts';

/** The route of every path that no other one has. */
const NO_PAGE = '/$';

/** Whether the page exists, for this user: "This page does not exist" is not a page that someone used. */
const isShown = ({ screen }: Router): boolean =>
  !screen.matches.some(({ status, route }) => status === 'notFound' || ('path' in route && route.path === NO_PAGE));

/** Returns both routes without queries, which may contain a mailed token, and the username that the query may have. */
export const recordOf = ([from, to]: LegacyRedirect): { routes: string[]; username: string | null } => {
  const { pathname, hash } = new URL(from);
  const old = new URL(hash.slice(1), location.origin);
  const routes = [`${pathname}#${old.pathname}`, new URL(to, location.origin).pathname];
  return { routes: routes.map((route) => route.slice(0, 200)), username: old.searchParams.get('username') };
};

/**
 * Tracks every page that the router shows, and the legacy addresses that it was opened with. `targetOf` is `legacyTarget`, which the first page has
 * already.
 */
export const follow = (router: Router, legacy: LegacyRedirect | null, targetOf: typeof legacyTarget): void => {
  const trackLocation = ({ pathname, searchStr }: { pathname: string; searchStr: string }): void => {
    if (isShown(router)) trackPath(pathname, searchStr);
  };
  if (router.isIdle) trackLocation(router.location);
  router.onResolved(trackLocation);
  if (legacy) track('legacy-url-redirected', recordOf(legacy));
  // A link of the older product, opened in a page that is already there, changes nothing but the hash.
  window.addEventListener('hashchange', () => {
    const { hash, href } = location;
    const target = targetOf(hash);
    if (target === null) return;
    void router.history.replace(target);
    track('legacy-url-redirected', recordOf([href, target]));
  });
};
