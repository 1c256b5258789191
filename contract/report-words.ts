/** The columns of the reports about users, pages and rights, for tables, sorting and files. Without zod: the browser loads it as it is. */
import { SPOTLIGHT_LABELS } from './spotlight-labels.ts';

/** A right is dormant without a sign-in for so long, and judged as never used only so long after the first one; without any, from the creation of the account. */
export const DORMANT_AFTER_DAYS = 90;

export const USER_COLUMNS = {
  name: 'Name',
  email: 'Email',
  title: 'Title',
  status: 'Status',
  teams: 'Teams',
  groups: 'Groups',
  roles: 'Roles',
  lastSignIn: 'Last sign-in',
  secondFactor: 'Two-step verification',
  created: 'Created',
  invited: 'Invited',
  activated: 'Activated',
  lastActive: 'Last active',
  signIns: 'Sign-ins',
} as const;
export type UserColumn = keyof typeof USER_COLUMNS;

export const PAGE_COLUMNS = {
  page: 'Page',
  team: 'Team',
  user: 'User',
  users: 'Users',
  uses: 'Times opened',
  lastUsed: 'Last opened',
} as const;
export type PageColumn = keyof typeof PAGE_COLUMNS;

/** What the rows of the report of page use are: each page; and for each page, the teams or the users who opened it. */
export const PAGE_GROUPINGS = { page: 'Pages', team: 'Pages and teams', user: 'Pages and users' } as const;
export type PageGrouping = keyof typeof PAGE_GROUPINGS;

export const ACCESS_COLUMNS = {
  name: 'Name',
  email: 'Email',
  status: 'Status',
  team: 'Team',
  group: 'Group',
  role: 'Role',
  permissions: 'Permissions',
  lastSignIn: 'Last sign-in',
  lastUsed: 'Last used',
  neverUsed: 'Never used',
  dormant: 'Dormant',
} as const;
export type AccessColumn = keyof typeof ACCESS_COLUMNS;

/** How an account is protected besides the password. Of single sign-on, the identity provider decides. */
export const SECOND_FACTORS = {
  NONE: 'Not set up',
  CODE: 'Code',
  PASSKEY: 'Passkey',
  BOTH: 'Code and passkey',
  SSO: 'Single sign-on',
} as const;
export type SecondFactor = keyof typeof SECOND_FACTORS;

/** Why access is dormant. */
export const DORMANT_REASONS = {
  NO_SIGN_IN: `No sign-in for ${DORMANT_AFTER_DAYS} days`,
  NEVER_USED: 'None of these permissions ever used',
} as const;
export type DormantReason = keyof typeof DORMANT_REASONS;

/** Where the last use of a permission is known from. */
export const USE_SOURCES = { CALL: 'a request', PAGE: 'an opened page' } as const;
export type UseSource = keyof typeof USE_SOURCES;

/** In days. */
export const REPORT_PERIODS = [7, 30, 90, 365] as const;

/** Locations whose pages the navigation calls otherwise. */
const PAGE_NAMES: Readonly<Record<string, string>> = {
  'patient roster': 'Patients',
  'ping feed': 'Pings',
  analytics: 'Spotlights',
  'analytics embedded': 'Spotlights: Embedded page',
  'user report': 'Reports',
  'user profile': 'Your profile',
  'whats new': 'What’s new',
  ...Object.fromEntries(
    Object.entries(SPOTLIGHT_LABELS).map(([name, label]) => [`analytics ${name}`, `Spotlights: ${label}`]),
  ),
};

/** Returns a location's page as the navigation calls it: "Pings", "Length of stay". */
export const pageName = (location: string): string =>
  PAGE_NAMES[location] ?? location.charAt(0).toUpperCase() + location.slice(1);
