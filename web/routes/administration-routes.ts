import { accessesSearch } from '../admin/accesses/accesses-search.ts';
import { connectionsSearch } from '../admin/connections/connections-search.ts';
import { pagedSearch } from '../admin/paging/paged-search.ts';
import { createRoute, type Frame, redirect } from '../router/routes.ts';
import { PageSkeleton } from '../shell/skeletons.tsx';
import type { Base, GuardByPermission } from './guards.ts';
import { lazyPage } from './lazy-page.ts';
import { onlyKeys, onlyValid } from './only-valid.ts';
import { signedInFrame } from './root-routes.ts';

const loadAdmin = async () => (await import('./later-pages.ts')).loadAdmin();

const UsersPage = lazyPage('admin', loadAdmin, 'UsersPage');

/** The pages of administration, in one chunk of their own. */
export const administrationRoutes = (base: Base, guard: GuardByPermission) => {
  const parent: Frame = {
    parent: signedInFrame,
    beforeLoad: guard('canManageUsers'),
    component: lazyPage('admin', loadAdmin, 'AdminFrame'),
    pendingComponent: PageSkeleton,
  };
  const root = `${base}/admin` as const;
  const page = (path: string, component: typeof UsersPage) =>
    createRoute({ parent, path: `${root}/${path}`, component, pendingComponent: PageSkeleton });
  const paged = (path: string, component: typeof UsersPage) =>
    createRoute({
      parent,
      path: `${root}/${path}`,
      validateSearch: onlyValid(pagedSearch),
      component,
      pendingComponent: PageSkeleton,
    });
  return [
    createRoute({
      parent,
      path: root,
      beforeLoad: () => {
        throw redirect({ to: `${root}/users` });
      },
    }),
    createRoute({
      parent,
      path: `${root}/users`,
      validateSearch: onlyKeys('status', 'team', 'group', 'role', 'away', 'by', 'sort', 'user', 'p', 'rows'),
      component: UsersPage,
      pendingComponent: PageSkeleton,
    }),
    paged('teams', lazyPage('admin', loadAdmin, 'TeamsPage')),
    paged('groups', lazyPage('admin', loadAdmin, 'GroupsPage')),
    page('roles', lazyPage('admin', loadAdmin, 'RolesPage')),
    page('hl7-programs', lazyPage('admin', loadAdmin, 'ProgramsPage')),
    createRoute({
      parent,
      path: `${root}/single-sign-on`,
      validateSearch: onlyValid(connectionsSearch),
      component: lazyPage('admin', loadAdmin, 'ConnectionsPage'),
      pendingComponent: PageSkeleton,
    }),
    page('requests', lazyPage('admin', loadAdmin, 'RequestsPage')),
    createRoute({
      parent,
      path: `${root}/changes`,
      validateSearch: onlyKeys('user', 'by', 'kind', 'from', 'to', 'p'),
      component: lazyPage('admin', loadAdmin, 'ChangesPage'),
      pendingComponent: PageSkeleton,
    }),
    createRoute({
      parent,
      path: `${root}/accesses`,
      validateSearch: onlyValid(accessesSearch),
      component: lazyPage('admin', loadAdmin, 'AccessesPage'),
      pendingComponent: PageSkeleton,
    }),
  ];
};
