/** Pages other than the first. A chunk of their own names the chunks that each needs, which would otherwise be loaded with the first page. */
import type { ComponentType } from 'react';
import type { openNotification } from './open-notification.ts';

const care = () => import('../care/pages.ts');
const explain = () => import('../explain/pages.ts');
const admin = () => import('../admin/pages.ts');
export const loadStory = () => import('../story/story-page.tsx');

const pages = {
  patients: () => import('../patients/patients-page.tsx').then((file) => file.PatientsPage),
  'length-of-stay': () => import('../length-of-stay/length-of-stay-page.tsx').then((file) => file.LengthOfStayPage),
  'rising-risk': () => import('../rising-risk/rising-risk-page.tsx').then((file) => file.RisingRiskPage),
  reports: () => import('../reports/reports-page.tsx').then((file) => file.ReportsPage),
  'event-feed': () => import('../event-feed/event-feed-page.tsx').then((file) => file.EventFeedPage),
  'pre-admit': () => import('../pre-admit/pre-admit-page.tsx').then((file) => file.PreAdmitPage),
  rosters: () => import('../rosters/rosters-page.tsx').then((file) => file.RostersPage),
  exports: () => import('../exports/exports-page.tsx').then((file) => file.ExportsPage),
  feeds: () => import('../feeds/feeds-page.tsx').then((file) => file.FeedsPage),
  'whats-new': () => import('../shell/whats-new-page.tsx').then((file) => file.WhatsNewPage),
  profile: () => import('../profile/profile-page.tsx').then((file) => file.ProfilePage),
  spotlights: () => import('../spotlights/spotlights-page.tsx').then((file) => file.SpotlightsPage),
  story: () => loadStory().then((file) => file.StoryPage),
  'care-team': () => care().then((file) => file.CareTeamPage),
  attachments: () => care().then((file) => file.AttachmentsPage),
  document: () => care().then((file) => file.DocumentPage),
  'case-management': () => care().then((file) => file.CaseManagementPage),
  exchange: () => care().then((file) => file.ExchangePage),
  explanation: () => explain().then((file) => file.ExplanationPage),
  evidence: () => explain().then((file) => file.EvidencePage),
  'missing-pings': () => explain().then((file) => file.MissingPingsPage),
  admin: () => admin().then((file) => file.AdminFrame),
  users: () => admin().then((file) => file.UsersPage),
  teams: () => admin().then((file) => file.TeamsPage),
  groups: () => admin().then((file) => file.GroupsPage),
  roles: () => admin().then((file) => file.RolesPage),
  'hl7-programs': () => admin().then((file) => file.ProgramsPage),
  'single-sign-on': () => admin().then((file) => file.ConnectionsPage),
  requests: () => admin().then((file) => file.RequestsPage),
  changes: () => admin().then((file) => file.ChangesPage),
  accesses: () => admin().then((file) => file.AccessesPage),
} satisfies Record<string, () => Promise<ComponentType>>;
export type LaterPage = keyof typeof pages;
export const laterPages: Record<LaterPage, () => Promise<ComponentType>> = pages;

export const loadAskEarly = () => import('../story/ask-early.ts');
/** The link of a notification, which leads to the list that it is about. */
export const followNotification = async (link: Parameters<typeof openNotification>[0]): Promise<never> =>
  (await import('./open-notification.ts')).openNotification(link);
