import { createRoute, createRouter, type RouterHistory } from '@tanstack/react-router';
import { NotFoundPage } from '../shell/not-found-page.tsx';
import { RenderErrorPage } from '../shell/render-error-page.tsx';
import { rewriteLegacyUrl } from '../usage/legacy-url.ts';
import { baselessRoutes } from './baseless-routes.ts';
import { experienceRoutes } from './experience-routes.ts';
import { publicRoutes } from './public-routes.ts';
import { rootRoute, signedInRoute } from './root-routes.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The path that was requested before sign-in. */
    returnTo?: string;
    /** The id of the user who had the path open when their session ended. Anyone else who signs in starts at home. */
    returnFor?: string;
    /** The session expired. */
    ended?: boolean;
  }
  interface Register {
    router: typeof router;
  }
}

const routeTree = rootRoute.addChildren([
  ...publicRoutes,
  signedInRoute.addChildren([
    ...experienceRoutes('/dashboard'),
    ...experienceRoutes('/hospital'),
    ...experienceRoutes('/ehr'),
    ...baselessRoutes,
    createRoute({ getParentRoute: () => signedInRoute, path: '$', component: NotFoundPage }),
  ]),
]);

/** A rewritten legacy address, to be recorded. The rewrite comes before the router, which reads the address when it is created. */
export const legacyRedirect = rewriteLegacyUrl(location);

/** Returns the application's router; tests pass a history of their own. */
export const makeRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    defaultPendingMs: 200,
    defaultPendingMinMs: 0,
    defaultPreload: false,
    scrollRestoration: false,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: RenderErrorPage,
    ...(history ? { history } : {}),
  });

export const router = makeRouter();
