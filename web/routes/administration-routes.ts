import { accessesSearch } from '../admin/accesses/accesses-search.ts';
import { connectionsSearch } from '../admin/connections/connections-search.ts';
import { pagedSearch } from '../admin/paging/paged-search.ts';
import { createRoute, type Frame, type Route, redirect } from '../router/routes.ts';
import type { Base, GuardByPermission } from './guards.ts';
import type { LaterPage } from './later-pages.ts';
import { onlyKeys } from './only-keys.ts';
import { laterPage, signedInFrame } from './root-routes.ts';

/** The pages of administration, in one chunk of their own. */
export const administrationRoutes = (base: Base, guard: GuardByPermission): Route[] => {
  const root = `${base}/admin`;
  const parent: Frame = {
    parent: signedInFrame,
    beforeLoad: guard('canManageUsers'),
    component: laterPage('admin'),
  };
  const page = (name: LaterPage, validateSearch?: Route['validateSearch']): Route =>
    createRoute({
      parent,
      path: `${root}/${name}`,
      validateSearch,
      component: laterPage(name),
    });
  return [
    createRoute({
      parent,
      path: root,
      beforeLoad: () => {
        throw redirect({ to: `${root}/users` });
      },
    }),
    page('users', onlyKeys('status', 'team', 'group', 'role', 'away', 'by', 'sort', 'user', 'p', 'rows')),
    page('teams', pagedSearch),
    page('groups', pagedSearch),
    page('roles'),
    page('hl7-programs'),
    page('single-sign-on', connectionsSearch),
    page('requests'),
    page('changes', onlyKeys('user', 'by', 'kind', 'from', 'to', 'p')),
    page('accesses', accessesSearch),
  ];
};
