import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { experienceBase } from '#contract/experiences.ts';
import { usersSearch } from './admin/users-search.ts';
import { queryClient } from './api/query-client.ts';
import { inboxSearch } from './inbox/inbox-search.ts';
import { inboxPath, meQuery, safeReturnPath } from './session/session.ts';
import { Crash } from './shell/crash.tsx';
import { Shell } from './shell/shell.tsx';
import { PageSkeleton } from './shell/skeletons.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The path that was asked for before signing in. */
    returnTo?: string;
  }
  interface Register {
    router: typeof router;
  }
}

const me = () => queryClient.ensureQueryData(meQuery);
/** Sends the user to where the inbox of his or her experience is. */
const toInbox = async (): Promise<never> => {
  const current = await me();
  throw redirect({ to: current ? inboxPath(current.user) : '/login', replace: true });
};

const root = createRootRoute({ component: Outlet, errorComponent: Crash });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: async ({ location }) => {
    const current = await me();
    if (current)
      throw redirect({ to: safeReturnPath(location.state.returnTo) ?? inboxPath(current.user), replace: true });
  },
  component: lazyRouteComponent(() => import('./session/sign-in-page.tsx'), 'SignInPage'),
});

const error = createRoute({
  getParentRoute: () => root,
  path: '/error',
  component: lazyRouteComponent(() => import('./shell/error-page.tsx'), 'ErrorPage'),
});

const home = createRoute({ getParentRoute: () => root, path: '/', beforeLoad: toInbox });

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    if (!(await me())) throw redirect({ to: '/login', state: { returnTo: location.href }, replace: true });
  },
  component: Shell,
});

const InboxPage = lazyRouteComponent(() => import('./inbox/inbox-page.tsx'), 'InboxPage');
const RostersPage = lazyRouteComponent(() => import('./rosters/rosters-page.tsx'), 'RostersPage');
const FeedsPage = lazyRouteComponent(() => import('./feeds/feeds-page.tsx'), 'FeedsPage');
const ProfilePage = lazyRouteComponent(() => import('./profile/profile-page.tsx'), 'ProfilePage');

/** Administration: its parts under one frame, none of which the first page loads. */
const administration = (base: '/dashboard' | '/hospital' | '/ehr', inside: () => Promise<void>) => {
  const frame = createRoute({
    getParentRoute: () => signedIn,
    path: `${base}/admin`,
    beforeLoad: inside,
    component: lazyRouteComponent(() => import('./admin/pages.ts'), 'AdminFrame'),
    pendingComponent: PageSkeleton,
  });
  const part = (path: string, component: typeof InboxPage) =>
    createRoute({ getParentRoute: () => frame, path, component, pendingComponent: PageSkeleton });
  return frame.addChildren([
    createRoute({
      getParentRoute: () => frame,
      path: '/',
      beforeLoad: () => {
        throw redirect({ to: `${base}/admin/users`, replace: true });
      },
    }),
    createRoute({
      getParentRoute: () => frame,
      path: 'users',
      validateSearch: usersSearch,
      component: lazyRouteComponent(() => import('./admin/pages.ts'), 'UsersPage'),
      pendingComponent: PageSkeleton,
    }),
    part(
      'teams',
      lazyRouteComponent(() => import('./admin/pages.ts'), 'TeamsPage'),
    ),
    part(
      'groups',
      lazyRouteComponent(() => import('./admin/pages.ts'), 'GroupsPage'),
    ),
    part(
      'roles',
      lazyRouteComponent(() => import('./admin/pages.ts'), 'RolesPage'),
    ),
    part(
      'single-sign-on',
      lazyRouteComponent(() => import('./admin/pages.ts'), 'ConnectionsPage'),
    ),
    part(
      'requests',
      lazyRouteComponent(() => import('./admin/pages.ts'), 'RequestsPage'),
    ),
  ]);
};

/** The screens of one experience. To the users of another they do not exist. */
const area = (base: '/dashboard' | '/hospital' | '/ehr') => {
  const inside = async (): Promise<void> => {
    const current = await me();
    if (current && experienceBase(current.user.applicationExperience) !== base) throw notFound();
  };
  const page = (path: string, component: typeof InboxPage) =>
    createRoute({
      getParentRoute: () => signedIn,
      path,
      beforeLoad: inside,
      component,
      pendingComponent: PageSkeleton,
    });
  return [
    createRoute({ getParentRoute: () => signedIn, path: base, beforeLoad: toInbox }),
    createRoute({
      getParentRoute: () => signedIn,
      path: base === '/ehr' ? '/ehr/inbox' : `${base}/home/inbox`,
      beforeLoad: inside,
      validateSearch: inboxSearch,
      component: InboxPage,
      pendingComponent: PageSkeleton,
    }),
    page(`${base}/rosters`, RostersPage),
    page(`${base}/feeds`, FeedsPage),
    page(`${base}/user-profile`, ProfilePage),
    administration(base, inside),
  ];
};

const NotFoundPage = lazyRouteComponent(() => import('./shell/not-found-page.tsx'), 'NotFoundPage');

const tree = root.addChildren([
  login,
  error,
  home,
  signedIn.addChildren([
    ...area('/dashboard'),
    ...area('/hospital'),
    ...area('/ehr'),
    createRoute({ getParentRoute: () => signedIn, path: '/inbox', beforeLoad: toInbox }),
    createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFoundPage }),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  defaultPreload: false,
  scrollRestoration: false,
  defaultNotFoundComponent: NotFoundPage,
});
