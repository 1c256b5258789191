import { z } from 'zod';
import { FEWEST_INACTIVITY_MINUTES, MOST_INACTIVITY_MINUTES } from '../constants.ts';
import type { RouteTable } from './route.ts';

const WHOLE_HOURS = 'Enter a whole number of hours, at least 1.';
const WHOLE_MINUTES = `Enter a whole number of minutes from ${FEWEST_INACTIVITY_MINUTES} to ${MOST_INACTIVITY_MINUTES}.`;

const rules = z.object({
  requiresSecondFactor: z.boolean(),
  /** Nobody but operators signs in with a password or a passkey. */
  requiresSso: z.boolean(),
  /** After how many hours a session ends, at most as the installation has it, which null leaves. */
  sessionHours: z.number().int(WHOLE_HOURS).min(1, WHOLE_HOURS).max(168, WHOLE_HOURS).nullable(),
  /** After how many minutes without activity a session ends; null for 40. */
  inactivityMinutes: z
    .number()
    .int(WHOLE_MINUTES)
    .min(FEWEST_INACTIVITY_MINUTES, WHOLE_MINUTES)
    .max(MOST_INACTIVITY_MINUTES, WHOLE_MINUTES)
    .nullable(),
});

export const signInPolicyRoutes = {
  'GET /api/admin/sign-in-policy': {
    permission: 'canManageUsers',
    summary: 'Get how people of the organization sign in, and for how long',
    answer: rules.extend({
      /** In production, operators and those who manage users need a second factor in any case. */
      requiresOfAdministrators: z.boolean(),
      /** The most hours that the installation lets a session last. */
      mostSessionHours: z.number(),
      /** Enabled accounts that no enabled identity provider signs in: with `requiresSso` they could not sign in. */
      withoutSso: z.number().int(),
      /** Whether an identity provider is connected and enabled, with a verified email domain. */
      hasSso: z.boolean(),
    }),
  },
  'PUT /api/admin/sign-in-policy': {
    permission: 'canManageUsers',
    summary: 'Decide how people of the organization sign in, and for how long',
    body: rules,
    status: 204,
  },
} as const satisfies RouteTable;
