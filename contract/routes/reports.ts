import { z } from 'zod';
import { id, teamOfDownload } from '../primitives.ts';
import {
  accessReviewFilters,
  pageReportFilters,
  reportedPage,
  reportedUser,
  reviewedAccess,
  userReportFilters,
} from '../reports.ts';
import { pageAnswer, pageQuery, type RouteTable } from './route.ts';

export const reportsRoutes = {
  'GET /api/reports/users': {
    permission: 'canManageUsers',
    summary: 'Report of the users: access, sign-ins, second factor, activity',
    query: userReportFilters.extend(pageQuery),
    answer: z.object({ users: z.array(reportedUser), ...pageAnswer }),
  },
  'GET /api/reports/users.csv': {
    permission: 'canManageUsers',
    summary: 'The report of the users as a file',
    audit: 'report.export',
    query: userReportFilters.extend(teamOfDownload),
    kind: 'download',
  },
  'GET /api/reports/route-audit': {
    permission: 'canViewRouteAuditReport',
    summary: 'Which pages were opened by whom, how often and when last; also those that no one opened',
    query: pageReportFilters.extend(pageQuery),
    answer: z.object({
      pages: z.array(reportedPage),
      /** Those to filter by. */
      teams: z.array(z.object({ id, name: z.string() })),
      locations: z.array(z.string()),
      ...pageAnswer,
    }),
  },
  'GET /api/reports/route-audit.csv': {
    permission: 'canViewRouteAuditReport',
    summary: 'The report of page use as a file',
    audit: 'report.export',
    query: pageReportFilters.extend(teamOfDownload),
    kind: 'download',
  },
  'GET /api/reports/access-review': {
    permission: 'canManageUsers',
    summary: 'Who may do what on which team for which group, and when they last did',
    query: accessReviewFilters.extend(pageQuery),
    answer: z.object({ accesses: z.array(reviewedAccess), ...pageAnswer }),
  },
  'GET /api/reports/access-review.csv': {
    permission: 'canManageUsers',
    summary: 'The access review as a file',
    audit: 'report.export',
    query: accessReviewFilters.extend(teamOfDownload),
    kind: 'download',
  },
} as const satisfies RouteTable;
