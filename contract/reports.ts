/** Reports for administrators: users, page use, access review. None of them names a patient. */
import { z } from 'zod';
import { PERMISSION_FLAGS } from './permissions.ts';
import { id, instant, realDay } from './primitives.ts';
import {
  ACCESS_COLUMNS,
  type AccessColumn,
  DORMANT_REASONS,
  type DormantReason,
  PAGE_COLUMNS,
  PAGE_GROUPINGS,
  type PageColumn,
  type PageGrouping,
  SECOND_FACTORS,
  type SecondFactor,
  USE_SOURCES,
  USER_COLUMNS,
  type UserColumn,
  type UseSource,
} from './report-words.ts';
import { USER_STATUSES } from './user-statuses.ts';

const keysOf = <K extends string>(words: Record<K, string>) => z.enum(Object.keys(words) as [K, ...K[]]);
const order = z.enum(['asc', 'desc']).default('asc');
const text = z.string().max(100).optional();
/** Days back from now that are counted. */
const days = z.coerce.number().int().min(1).max(3660).default(30);
const organization = z.object({ id, name: z.string() }).nullable();

const ofUser = {
  /** Part of a name or an email address. */
  query: text,
  ofTeamId: id.optional(),
  groupId: id.optional(),
  roleId: id.optional(),
  status: z.enum(USER_STATUSES).optional(),
};

export const userReportFilters = z.object({
  ...ofUser,
  /** Without `lastSignInDay`, only `never` limits the list. `before` leaves out who never signed in. */
  lastSignIn: z.enum(['never', 'before', 'after']).optional(),
  /** A day in the reader's time zone. `after` includes it. */
  lastSignInDay: realDay.optional(),
  secondFactor: keysOf<SecondFactor>(SECOND_FACTORS).optional(),
  days,
  sort: keysOf<UserColumn>(USER_COLUMNS).default('name'),
  order,
});
export type UserReportFilters = z.output<typeof userReportFilters>;

export const reportedUser = z.object({
  id,
  firstName: z.string(),
  lastName: z.string(),
  username: z.string(),
  title: z.string().nullable(),
  status: z.enum(USER_STATUSES),
  teams: z.array(z.string()),
  groups: z.array(z.string()),
  roles: z.array(z.string()),
  lastSignInDate: instant.nullable(),
  secondFactor: keysOf<SecondFactor>(SECOND_FACTORS),
  createdDate: instant,
  /** When the last activation email was sent. */
  invitedDate: instant.nullable(),
  activatedDate: instant.nullable(),
  /** The later of the last opened page and the last activity of a session. */
  lastActiveDate: instant.nullable(),
  /** In the period. */
  signIns: z.number().int(),
  organization,
});
export type ReportedUser = z.infer<typeof reportedUser>;

export const pageReportFilters = z.object({
  by: keysOf<PageGrouping>(PAGE_GROUPINGS).default('page'),
  query: text,
  ofTeamId: id.optional(),
  /** A location of the usage tracking. */
  page: z.string().max(100).optional(),
  use: z.enum(['used', 'unused']).optional(),
  days,
  sort: keysOf<PageColumn>(PAGE_COLUMNS).default('uses'),
  order: z.enum(['asc', 'desc']).default('desc'),
});
export type PageReportFilters = z.output<typeof pageReportFilters>;

export const reportedPage = z.object({
  /** Page, team and user, joined. */
  id: z.string(),
  page: z.string(),
  /** Null in other groupings, where no team was recorded, and for a page that no one opened. */
  team: z.object({ id, name: z.string() }).nullable(),
  user: z.object({ id, name: z.string(), username: z.string() }).nullable(),
  users: z.number().int(),
  uses: z.number().int(),
  lastUsedDate: instant.nullable(),
});
export type ReportedPage = z.infer<typeof reportedPage>;

export const accessReviewFilters = z.object({
  ...ofUser,
  permission: z.enum(PERMISSION_FLAGS).optional(),
  dormant: z.enum(['true', 'false']).default('false'),
  sort: keysOf<AccessColumn>(ACCESS_COLUMNS).default('name'),
  order,
});
export type AccessReviewFilters = z.output<typeof accessReviewFilters>;

const named = z.object({ id, name: z.string() });
export const reviewedAccess = z.object({
  /** User, team and group, joined. */
  id: z.string(),
  user: z.object({ id, firstName: z.string(), lastName: z.string(), username: z.string() }),
  status: z.enum(USER_STATUSES),
  team: named,
  group: named,
  role: named,
  /** What the access allows, with its last use on this team. `isRecorded` false: the use of this permission can't be seen. */
  permissions: z.array(
    z.object({
      flag: z.enum(PERMISSION_FLAGS),
      isRecorded: z.boolean(),
      lastUsedDate: instant.nullable(),
      source: keysOf<UseSource>(USE_SOURCES).nullable(),
    }),
  ),
  lastSignInDate: instant.nullable(),
  /** The last use of any of the permissions on this team. */
  lastUsedDate: instant.nullable(),
  /** Permissions whose use is recorded and that were never used on this team. */
  neverUsed: z.number().int(),
  dormant: z.array(keysOf<DormantReason>(DORMANT_REASONS)),
  organization,
});
export type ReviewedAccess = z.infer<typeof reviewedAccess>;
