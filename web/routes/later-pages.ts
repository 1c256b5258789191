/**
 * Pages that are seldom the first after sign-in. A chunk of their own names the chunks that each needs, which would otherwise be loaded with the
 * first page.
 */
import type { openNotification } from './open-notification.ts';

export const loadCare = () => import('../care/pages.ts');
export const loadExplain = () => import('../explain/pages.ts');
export const loadEventFeed = () => import('../event-feed/event-feed-page.tsx');
export const loadPreAdmit = () => import('../pre-admit/pre-admit-page.tsx');
export const loadExports = () => import('../exports/exports-page.tsx');
export const loadRosters = () => import('../rosters/rosters-page.tsx');
export const loadFeeds = () => import('../feeds/feeds-page.tsx');
export const loadWhatsNew = () => import('../shell/whats-new-page.tsx');
export const loadProfile = () => import('../profile/profile-page.tsx');
export const loadAdmin = () => import('../admin/pages.ts');
export const loadSpotlights = () => import('../spotlights/spotlights-page.tsx');
export const loadReports = () => import('../reports/reports-page.tsx');
export const loadStory = () => import('../story/story-page.tsx');
export const loadAskEarly = () => import('../story/ask-early.ts');
/** The link of a notification, which leads to the list that it is about. */
export const followNotification = async (link: Parameters<typeof openNotification>[0]): Promise<never> =>
  (await import('./open-notification.ts')).openNotification(link);
