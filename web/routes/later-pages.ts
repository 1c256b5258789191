/**
 * Pages that are seldom the first after sign-in. A chunk of their own names the chunks that each needs, which would otherwise be loaded with the
 * first page.
 */
export const loadCare = () => import('../care/pages.ts');
export const loadRosters = () => import('../rosters/rosters-page.tsx');
export const loadFeeds = () => import('../feeds/feeds-page.tsx');
export const loadWhatsNew = () => import('../shell/whats-new-page.tsx');
export const loadProfile = () => import('../profile/profile-page.tsx');
export const loadAdmin = () => import('../admin/pages.ts');
export const loadStory = () => import('../story/story-page.tsx');
