import { createHistory, type RouterHistory } from '../router/history.ts';
import { Router } from '../router/router.ts';
import { createRoute } from '../router/routes.ts';
import { NotFoundPage } from '../shell/not-found-page.tsx';
import { RenderErrorPage } from '../shell/render-error-page.tsx';
import { rewriteLegacyUrl } from '../usage/legacy-url.ts';
import { baselessRoutes } from './baseless-routes.ts';
import { experienceRoutes } from './experience-routes.ts';
import { publicRoutes } from './public-routes.ts';
import { signedInFrame } from './root-routes.ts';

declare module '../router/history.ts' {
  interface HistoryState {
    /** The path that was requested before sign-in. */
    returnTo?: string;
    /** The id of the user who had the path open when their session ended. Anyone else who signs in starts at home. */
    returnFor?: string;
    /** The session expired. */
    ended?: boolean;
  }
}

const routes = [
  ...publicRoutes,
  ...experienceRoutes('/dashboard'),
  ...experienceRoutes('/hospital'),
  ...experienceRoutes('/ehr'),
  ...baselessRoutes,
  createRoute({ parent: signedInFrame, path: '/$', component: NotFoundPage }),
];

/** A rewritten legacy address, to be recorded. The rewrite comes before the router, which reads the address when it is created. */
export const legacyRedirect = rewriteLegacyUrl(location);

/** Returns the application's router; tests pass a history of their own. */
export const makeRouter = (history: RouterHistory) =>
  new Router({
    routes,
    history,
    pendingMs: 200,
    notFoundComponent: NotFoundPage,
    errorComponent: RenderErrorPage,
  });

export const router = makeRouter(createHistory());
