import { createRootRoute, createRoute } from '@tanstack/react-router';
import { Root } from '../shell/root.tsx';
import { FullSkeleton } from '../shell/skeletons.tsx';
import { leaveWidget, loadUser, requireTeam } from './guards.ts';
import { lazyPage } from './lazy-page.ts';

export const rootRoute = createRootRoute({
  component: Root,
  beforeLoad: async (requested) => {
    await leaveWidget(requested);
    await loadUser(requested);
  },
});

/** Loads what the first page after sign-in needs, in one chunk. */
export const loadFirstPage = () => import('./first-page.ts');

/** The frame of every page behind sign-in. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: requireTeam,
  component: lazyPage('first-page', loadFirstPage, 'Shell'),
  pendingComponent: FullSkeleton,
});
