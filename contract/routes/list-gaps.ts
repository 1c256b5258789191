import { z } from 'zod';
import { listGap } from '../feed-health.ts';
import type { RouteTable } from './route.ts';

export const listGapsRoutes = {
  'GET /api/list-gaps': {
    permission: ['canViewPings', 'canViewPatients', 'canViewEventFeed'],
    summary:
      "List facilities that the team's lists usually hear from and whose feed is silent or paused, so that lists may be incomplete",
    answer: z.array(listGap),
  },
} as const satisfies RouteTable;
