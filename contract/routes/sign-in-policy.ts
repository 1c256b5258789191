import { z } from 'zod';
import type { RouteTable } from './route.ts';

export const signInPolicyRoutes = {
  'GET /api/admin/sign-in-policy': {
    permission: 'canManageUsers',
    summary: 'Get who needs a second factor in the organization',
    answer: z.object({
      requiresSecondFactor: z.boolean(),
      /** In production, operators and those who manage users need one in any case. */
      requiresOfAdministrators: z.boolean(),
    }),
  },
  'PUT /api/admin/sign-in-policy': {
    permission: 'canManageUsers',
    summary: 'Decide whether everyone in the organization needs a second factor',
    body: z.object({ requiresSecondFactor: z.boolean() }),
    status: 204,
  },
} as const satisfies RouteTable;
