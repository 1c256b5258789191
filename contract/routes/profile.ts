import { z } from 'zod';
import { id } from '../primitives.ts';
import { mfaEnrolment, OPT_OUT_FEATURES, passkey, preferences, profile } from '../users.ts';
import type { RouteTable } from './route.ts';

export const profileRoutes = {
  'GET /api/users/profile': { permission: 'signed-in', summary: 'Get your profile', answer: profile },
  'PUT /api/users/preferences': {
    permission: 'signed-in',
    summary: 'Save time zone, density, shortcuts and columns',
    body: preferences,
    status: 204,
  },
  'POST /api/users/optIntoMfa': {
    permission: 'signed-in',
    summary: 'Start enrolling in two-step verification',
    answer: mfaEnrolment,
    withoutFactor: true,
    fresh: true,
  },
  'POST /api/users/mfa/confirm': {
    permission: 'signed-in',
    summary: 'Confirm two-step verification with a code; returns recovery codes once',
    body: z.object({ code: z.string().trim().length(6) }),
    answer: z.object({ recoveryCodes: z.array(z.string()) }),
    withoutFactor: true,
  },
  'POST /api/users/mfa/recovery-codes': {
    permission: 'signed-in',
    summary: 'Replace the recovery codes; returns the new ones once',
    answer: z.object({ recoveryCodes: z.array(z.string()) }),
    fresh: true,
  },
  'DELETE /api/users/mfa': {
    permission: 'signed-in',
    summary: 'Turn off two-step verification',
    status: 204,
    fresh: true,
  },
  'POST /api/users/passkeys/options': {
    permission: 'signed-in',
    summary: 'Start adding a passkey',
    answer: z.record(z.string(), z.unknown()),
    withoutFactor: true,
    fresh: true,
  },
  'POST /api/users/passkeys': {
    permission: 'signed-in',
    summary: 'Add a passkey',
    body: z.object({ name: z.string().trim().min(1).max(100), response: z.record(z.string().max(100), z.unknown()) }),
    answer: passkey,
    withoutFactor: true,
  },
  'DELETE /api/users/passkeys/:id': {
    permission: 'signed-in',
    summary: 'Remove a passkey',
    params: z.object({ id }),
    status: 204,
    fresh: true,
  },
  'DELETE /api/users/sessions/:id': {
    permission: 'signed-in',
    summary: 'End one of your sessions',
    params: z.object({ id: z.string().max(100) }),
    status: 204,
  },
  'POST /api/users/notification-phone': {
    permission: 'signed-in',
    summary: 'Text a code to a phone number; returns an opaque request id',
    body: z.object({ phone: z.string().trim().max(30) }),
    answer: z.object({ notificationPhone: z.string() }),
    fresh: true,
  },
  'POST /api/users/notification-phone/verify': {
    permission: 'signed-in',
    summary: 'Confirm the phone number with the code',
    body: z.object({ notificationPhone: z.string().max(100), code: z.string().trim().length(6) }),
    status: 204,
  },
  'DELETE /api/users/notification-phone': {
    permission: 'signed-in',
    summary: 'Remove the phone number: no text messages go to it any more',
    status: 204,
  },
  'GET /api/alpha/opt-out': {
    permission: 'signed-in',
    summary: 'List the beta features the user opted out of',
    answer: z.array(z.enum(OPT_OUT_FEATURES)),
  },
  'POST /api/alpha/opt-out': {
    permission: 'signed-in',
    summary: 'Opt out of a beta feature',
    query: z.object({ feature: z.enum(OPT_OUT_FEATURES) }),
    status: 204,
  },
  'DELETE /api/alpha/opt-out': {
    permission: 'signed-in',
    summary: 'Opt in to a beta feature again',
    query: z.object({ feature: z.enum(OPT_OUT_FEATURES) }),
    status: 204,
  },
} as const satisfies RouteTable;
