import { createRoute } from '@tanstack/react-router';
import { goToOwnBase, goToOwnInbox } from './guards.ts';
import { signedInRoute } from './root-routes.ts';

const PATHS = [
  'patients/$',
  'length-of-stay/$',
  'user-report/$',
  'pre-admit',
  'user-profile',
  'event-feed/$',
  'rising-risk',
  'analytics/$',
];

/** Paths without the base of an experience, which redirect to the user's own. */
export const baselessRoutes = [
  ...PATHS.map((path) =>
    createRoute({ getParentRoute: () => signedInRoute, path: `/${path}`, beforeLoad: goToOwnBase }),
  ),
  createRoute({ getParentRoute: () => signedInRoute, path: '/inbox/$', beforeLoad: goToOwnInbox }),
  createRoute({
    getParentRoute: () => signedInRoute,
    path: '/notifications/$uuid',
    beforeLoad: async (link) => (await import('./later-pages.ts')).followNotification(link),
  }),
];
