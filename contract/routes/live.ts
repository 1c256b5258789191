import { z } from 'zod';
import { id } from '../primitives.ts';
import type { RouteTable } from './route.ts';

export const liveRoutes = {
  'GET /api/live': {
    permission: 'in-team',
    summary: 'Stream server-sent events of a team: end of session, and pings, counts and roster progress as permitted',
    audit: 'inbox.stream',
    query: z.object({ teamId: id }),
    kind: 'stream',
  },
} as const satisfies RouteTable;
