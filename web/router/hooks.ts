import { createContext, use, useSyncExternalStore } from 'react';
import type { PageParameter } from '#contract/page-paths.ts';
import type { Router, Screen } from './router.ts';
import type { ParsedLocation } from './routes.ts';
import type { Search } from './search.ts';

export const RouterContext = createContext<Router | null>(null);

export const useRouter = (): Router => {
  const router = use(RouterContext);
  if (!router) throw new Error('There is no router above this component.');
  return router;
};

export const useNavigate = (): Router['navigate'] => useRouter().navigate;

const useSelected = <T>(select: (router: Router) => T): T => {
  const router = useRouter();
  return useSyncExternalStore(router.subscribe, () => select(router));
};

/** Returns the location that was asked for last, or what `select` takes from it: the same value for the same location. */
export function useLocation(): ParsedLocation;
export function useLocation<T>(of: { select: (location: ParsedLocation) => T }): T;
export function useLocation<T>({ select }: { select?: (location: ParsedLocation) => T } = {}): ParsedLocation | T {
  return useSelected<ParsedLocation | T>(({ location }) => (select ? select(location) : location));
}

export const useScreen = (): Screen => useSelected(({ screen }) => screen);

/** Returns the path of the page on the screen, not of one that is still loading. */
export const useShownPath = (): string => useSelected(({ screen }) => screen.location.pathname);

/** Returns the query of the page on the screen. */
export const useSearch = (): Search => useSelected(({ screen }) => screen.location.search);

/** Returns the parameters in the path of the page on the screen. */
export const useParams = (): Partial<Record<PageParameter, string>> => useSelected(({ screen }) => screen.params);
