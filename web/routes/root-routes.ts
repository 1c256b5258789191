import type { Frame } from '../router/routes.ts';
import { PageSkeleton } from '../shell/page-skeleton.tsx';
import { Root } from '../shell/root.tsx';
import { Shell } from '../shell/shell.tsx';
import { leaveWidget, loadUser, requireTeam } from './guards.ts';
import { pagesOf } from './lazy-page.ts';

/** Around every page. */
export const rootFrame: Frame = {
  parent: null,
  component: Root,
  beforeLoad: async (requested) => {
    await leaveWidget(requested);
    await loadUser(requested);
  },
};

const later = () => import('./later-pages.ts');
/** A page other than the first, which loads what it shows when it is opened. */
export const laterPage = pagesOf(async () => (await later()).laterPages);

/** In milliseconds. By then the first page has loaded. */
const SPARE_TIME_AFTER = 4000;

/** Loads the page to which most people go from a list, in spare time. If that fails, it loads when it is opened. */
const loadStoryAhead = (): void => {
  setTimeout(
    () =>
      void later()
        .then((pages) => pages.loadStory())
        .catch(() => {}),
    SPARE_TIME_AFTER,
  );
};

/** The frame of every page behind sign-in. */
export const signedInFrame: Frame = {
  parent: rootFrame,
  beforeLoad: requireTeam,
  onEnter: loadStoryAhead,
  component: Shell,
  pendingPage: PageSkeleton,
};
