import { createRoute, redirect } from '@tanstack/react-router';
import { accessesSearch } from '../admin/accesses/accesses-search.ts';
import { connectionsSearch } from '../admin/connections/connections-search.ts';
import { pagedSearch } from '../admin/paging/paged-search.ts';
import { PageSkeleton } from '../shell/skeletons.tsx';
import type { Base, GuardByPermission } from './guards.ts';
import { lazyPage } from './lazy-page.ts';
import { onlyKeys, onlyValid } from './only-valid.ts';
import { signedInRoute } from './root-routes.ts';

const loadAdmin = async () => (await import('./later-pages.ts')).loadAdmin();

const UsersPage = lazyPage('admin', loadAdmin, 'UsersPage');

/** The pages of administration, in one chunk of their own. */
export const administrationRoutes = (base: Base, guard: GuardByPermission) => {
  const frame = createRoute({
    getParentRoute: () => signedInRoute,
    path: `${base}/admin`,
    beforeLoad: guard('canManageUsers'),
    component: lazyPage('admin', loadAdmin, 'AdminFrame'),
    pendingComponent: PageSkeleton,
  });
  const page = (path: string, component: typeof UsersPage) =>
    createRoute({ getParentRoute: () => frame, path, component, pendingComponent: PageSkeleton });
  const paged = (path: string, component: typeof UsersPage) =>
    createRoute({
      getParentRoute: () => frame,
      path,
      validateSearch: onlyValid(pagedSearch),
      component,
      pendingComponent: PageSkeleton,
    });
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
      validateSearch: onlyKeys('status', 'team', 'group', 'role', 'away', 'by', 'sort', 'user', 'p', 'rows'),
      component: UsersPage,
      pendingComponent: PageSkeleton,
    }),
    paged('teams', lazyPage('admin', loadAdmin, 'TeamsPage')),
    paged('groups', lazyPage('admin', loadAdmin, 'GroupsPage')),
    page('roles', lazyPage('admin', loadAdmin, 'RolesPage')),
    page('hl7-programs', lazyPage('admin', loadAdmin, 'ProgramsPage')),
    createRoute({
      getParentRoute: () => frame,
      path: 'single-sign-on',
      validateSearch: onlyValid(connectionsSearch),
      component: lazyPage('admin', loadAdmin, 'ConnectionsPage'),
      pendingComponent: PageSkeleton,
    }),
    page('requests', lazyPage('admin', loadAdmin, 'RequestsPage')),
    createRoute({
      getParentRoute: () => frame,
      path: 'changes',
      validateSearch: onlyKeys('user', 'by', 'kind', 'from', 'to', 'p'),
      component: lazyPage('admin', loadAdmin, 'ChangesPage'),
      pendingComponent: PageSkeleton,
    }),
    createRoute({
      getParentRoute: () => frame,
      path: 'accesses',
      validateSearch: onlyValid(accessesSearch),
      component: lazyPage('admin', loadAdmin, 'AccessesPage'),
      pendingComponent: PageSkeleton,
    }),
  ]);
};
