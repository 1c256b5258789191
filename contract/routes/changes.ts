import { z } from 'zod';
import { adminChange } from '../admin-changes.ts';
import { id } from '../primitives.ts';
import { pageQuery, type RouteTable } from './route.ts';

export const changesRoutes = {
  'GET /api/admin/changes': {
    permission: 'canManageUsers',
    summary: 'List changes to accounts, teams, groups, roles, connections and feeds, newest first',
    query: z.object({ userId: id.optional(), ...pageQuery }),
    answer: z.object({ changes: z.array(adminChange), total: z.number().int(), numPages: z.number().int() }),
  },
} as const satisfies RouteTable;
