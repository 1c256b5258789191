import { z } from 'zod';
import { adminChange, changesFilters } from '../admin-changes.ts';
import { teamOfDownload } from '../primitives.ts';
import { pageAnswer, pageQuery, type RouteTable } from './route.ts';

export const changesRoutes = {
  'GET /api/admin/changes': {
    permission: 'canManageUsers',
    summary:
      'List the audit log, newest first: changes to accounts, teams, groups, roles, connections and feeds, sign-ins, and refusals',
    query: changesFilters.extend(pageQuery),
    answer: z.object({
      changes: z.array(adminChange),
      ...pageAnswer,
      /** Whether there are more than `total`, which counts up to 10,000. */
      hasMore: z.boolean(),
    }),
  },
  'GET /api/admin/changes.csv': {
    permission: 'canManageUsers',
    summary: 'The audit log as a file, up to 50,000 entries',
    audit: 'audit-log.export',
    query: changesFilters.extend(teamOfDownload),
    kind: 'download',
  },
} as const satisfies RouteTable;
