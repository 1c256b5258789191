import { createRoute } from '../router/routes.ts';
import { goToOwnBase, goToOwnInbox } from './guards.ts';
import { signedInFrame } from './root-routes.ts';

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
  ...PATHS.map((path) => createRoute({ parent: signedInFrame, path: `/${path}`, beforeLoad: goToOwnBase })),
  createRoute({ parent: signedInFrame, path: '/inbox/$', beforeLoad: goToOwnInbox }),
  createRoute({
    parent: signedInFrame,
    path: '/notifications/$uuid',
    beforeLoad: async (link) => (await import('./later-pages.ts')).followNotification(link),
  }),
];
