import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router';
import { changesSearch } from '../admin/changes/changes-search.ts';
import { usersSearch } from '../admin/users/users-search.ts';
import { filterSearch } from '../filters/filter-search.ts';
import { inboxSearch } from '../inbox/inbox-search.ts';
import { staySearch } from '../length-of-stay/stay-search.ts';
import { Crash } from '../shell/crash.tsx';
import { FullSkeleton, PageSkeleton } from '../shell/skeletons.tsx';
import {
  type Base,
  homeIfSignedIn,
  homeOf,
  type Inside,
  insideOf,
  knowUser,
  mayRegister,
  mustBeSignedIn,
  mustHaveTeam,
  onwardIfSignedIn,
  toHome,
  toOwnBase,
  toOwnInbox,
  toStart,
} from './guards.ts';
import { lazyPage } from './lazy-page.ts';
import { rewriteLegacyUrl } from './legacy-url.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The path that was asked for before signing in. */
    returnTo?: string;
    /** The session ended without being asked to. */
    ended?: boolean;
    /** A password has just been set for this username. */
    passwordSetFor?: string;
    /** Typed before; never in the address. */
    username?: string;
  }
  interface Register {
    router: typeof router;
  }
}

const root = createRootRoute({
  component: Outlet,
  errorComponent: Crash,
  beforeLoad: knowUser,
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: onwardIfSignedIn,
  component: lazyPage('sign-in', () => import('../sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const registration = createRoute({
  getParentRoute: () => root,
  path: '/registration',
  beforeLoad: mayRegister,
  component: lazyPage('registration', () => import('../sign-in/registration-page.tsx'), 'RegistrationPage'),
});

const clinicalSetting = createRoute({
  getParentRoute: () => root,
  path: '/primary-clinical-setting',
  beforeLoad: mustBeSignedIn,
  component: lazyPage('clinical-setting', () => import('../sign-in/clinical-setting-page.tsx'), 'ClinicalSettingPage'),
});

const ssoTimeout = createRoute({
  getParentRoute: () => root,
  path: '/sso-timeout',
  beforeLoad: homeIfSignedIn,
  component: lazyPage('sso-timeout', () => import('../shell/sso-timeout-page.tsx'), 'SsoTimeoutPage'),
});

const standing = [
  createRoute({
    getParentRoute: () => root,
    path: '/password/set',
    component: lazyPage('token', () => import('../sign-in/token-page.tsx'), 'TokenPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/forgot-password',
    component: lazyPage('forgot-password', () => import('../sign-in/forgot-page.tsx'), 'ForgotPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/demo/mailbox',
    component: lazyPage('mailbox', () => import('../sign-in/mailbox-page.tsx'), 'MailboxPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/error',
    component: lazyPage('error', () => import('../shell/error-page.tsx'), 'ErrorPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/permissions-error',
    component: lazyPage('permissions-error', () => import('../shell/error-page.tsx'), 'PermissionsErrorPage'),
  }),
];

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: toHome,
});

const loadArea = () => import('./first-page.ts');
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: mustHaveTeam,
  component: lazyPage('area', loadArea, 'Shell'),
  pendingComponent: FullSkeleton,
});

const InboxPage = lazyPage('area', loadArea, 'InboxPage');
const PatientsPage = lazyPage('patients', () => import('../patients/patients-page.tsx'), 'PatientsPage');
const LengthOfStayPage = lazyPage(
  'length-of-stay',
  () => import('../length-of-stay/length-of-stay-page.tsx'),
  'LengthOfStayPage',
);
const RostersPage = lazyPage('rosters', () => import('../rosters/rosters-page.tsx'), 'RostersPage');
const FeedsPage = lazyPage('feeds', () => import('../feeds/feeds-page.tsx'), 'FeedsPage');
const PatientPage = lazyPage('area', loadArea, 'PatientPage');
const WhatsNewPage = lazyPage('whats-new', () => import('../shell/whats-new-page.tsx'), 'WhatsNewPage');
const ProfilePage = lazyPage('profile', () => import('../profile/profile-page.tsx'), 'ProfilePage');
const loadAdmin = () => import('../admin/pages.ts');

/** Administration: its parts under one frame, none of which the first page loads. */
const administration = (base: Base, inside: Inside) => {
  const frame = createRoute({
    getParentRoute: () => signedIn,
    path: `${base}/admin`,
    beforeLoad: inside('canManageUsers'),
    component: lazyPage('admin', loadAdmin, 'AdminFrame'),
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
      component: lazyPage('admin', loadAdmin, 'UsersPage'),
      pendingComponent: PageSkeleton,
    }),
    part('teams', lazyPage('admin', loadAdmin, 'TeamsPage')),
    part('groups', lazyPage('admin', loadAdmin, 'GroupsPage')),
    part('roles', lazyPage('admin', loadAdmin, 'RolesPage')),
    part('single-sign-on', lazyPage('admin', loadAdmin, 'ConnectionsPage')),
    part('requests', lazyPage('admin', loadAdmin, 'RequestsPage')),
    createRoute({
      getParentRoute: () => frame,
      path: 'changes',
      validateSearch: changesSearch,
      component: lazyPage('admin', loadAdmin, 'ChangesPage'),
      pendingComponent: PageSkeleton,
    }),
  ]);
};

/** The screens of one experience. */
const area = (base: Base) => {
  const inside = insideOf(base);
  const page = (path: string, component: typeof InboxPage, beforeLoad = inside()) =>
    createRoute({
      getParentRoute: () => signedIn,
      path,
      beforeLoad,
      component,
      pendingComponent: PageSkeleton,
    });
  /** A list that is filtered, also by a saved filter that the path names (specification, second file, section 2). */
  const list = (
    path: string,
    validateSearch: (raw: Record<string, unknown>) => object,
    component: typeof InboxPage,
    beforeLoad: () => Promise<void>,
  ) =>
    [path, `${path}/active-filter-id/$filterId`].map((each) =>
      createRoute({
        getParentRoute: () => signedIn,
        path: each,
        beforeLoad,
        validateSearch,
        component,
        pendingComponent: PageSkeleton,
      }),
    );
  const [pings, roster] = [inside('canViewPings'), inside('canViewPatients')];
  const stays = inside('canViewPatients', 'canViewLengthOfStay');
  return [
    ...(base === '/hospital'
      ? list(base, filterSearch, PatientsPage, homeOf(inside, 'canViewPatients'))
      : [createRoute({ getParentRoute: () => signedIn, path: base, beforeLoad: toStart })]),
    ...list(base === '/ehr' ? '/ehr/inbox' : `${base}/home/inbox`, inboxSearch, InboxPage, pings),
    ...(base === '/ehr'
      ? []
      : [
          ...list(`${base}/patients/my-patients`, filterSearch, PatientsPage, roster),
          ...list(`${base}/length-of-stay`, staySearch, LengthOfStayPage, stays),
        ]),
    page(`${base}/rosters`, RostersPage, inside('canUploadRoster')),
    page(`${base}/feeds`, FeedsPage, inside('canManageUsers')),
    page(`${base}/patients/$patientId`, PatientPage, roster),
    page(`${base}/whats-new`, WhatsNewPage),
    page(`${base}/user-profile`, ProfilePage),
    administration(base, inside),
  ];
};

/** The paths that the specification names without a base go to the user's own. */
const BARE = [
  'patients/$',
  'length-of-stay',
  'length-of-stay/$',
  'user-report',
  'pre-admit',
  'user-profile',
  'event-feed',
  'rising-risk',
];
const bare = BARE.map((path) =>
  createRoute({
    getParentRoute: () => signedIn,
    path: `/${path}`,
    beforeLoad: toOwnBase,
  }),
);

const NotFoundPage = lazyPage('not-found', () => import('../shell/not-found-page.tsx'), 'NotFoundPage');

const tree = root.addChildren([
  login,
  registration,
  clinicalSetting,
  ssoTimeout,
  ...standing,
  home,
  signedIn.addChildren([
    ...area('/dashboard'),
    ...area('/hospital'),
    ...area('/ehr'),
    ...bare,
    createRoute({ getParentRoute: () => signedIn, path: '/inbox/$', beforeLoad: toOwnInbox }),
    createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFoundPage }),
  ]),
]);

/** What to record of an address of the older product; the router has to find the normal one. */
export const legacyRedirect = rewriteLegacyUrl(location);

/** The application's router; on a history of its own in tests. */
export const makeRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree: tree,
    defaultPendingMs: 200,
    defaultPendingMinMs: 0,
    defaultPreload: false,
    scrollRestoration: false,
    defaultNotFoundComponent: NotFoundPage,
    ...(history ? { history } : {}),
  });

export const router = makeRouter();
