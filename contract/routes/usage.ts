import { z } from 'zod';
import { clientError, usageEvent } from '../usage.ts';
import { username } from '../users.ts';
import type { RouteTable } from './route.ts';

export const usageRoutes = {
  'POST /api/user-events': { permission: 'signed-in', summary: 'Record a usage event', body: usageEvent, status: 204 },
  'POST /api/user-events/public': {
    permission: 'public',
    summary: 'Record a usage event before sign-in; needs a username, in the event, its params or the query',
    query: z.object({ username: username.optional() }),
    body: usageEvent,
    status: 204,
  },
  'POST /api/client-errors': {
    permission: 'public',
    summary: 'Report an error in the browser',
    body: clientError,
    status: 204,
  },
} as const satisfies RouteTable;
