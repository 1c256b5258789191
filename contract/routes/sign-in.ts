import { z } from 'zod';
import { credentials, signInAnswer } from '../accounts.ts';
import { identityProof, username } from '../users.ts';
import type { RouteTable } from './route.ts';

export const signInRoutes = {
  'POST /api/authenticate': {
    permission: 'public',
    summary: 'Sign in with a password',
    audit: 'sign-in',
    body: credentials,
    answer: signInAnswer,
  },
  'POST /api/logout': {
    permission: 'signed-in',
    summary: 'End the session',
    status: 204,
    withOldPassword: true,
    withoutFactor: true,
  },
  'POST /api/authenticate/again': {
    permission: 'signed-in',
    summary: 'Confirm who you are, before changing how your account is opened; counts for five minutes',
    body: identityProof,
    status: 204,
    withoutFactor: true,
  },
  'POST /api/authenticate/mfa': {
    permission: 'public',
    summary: 'Enter a two-step verification or recovery code',
    audit: 'sign-in',
    body: z.object({ code: z.string().trim().min(6).max(20) }),
    answer: signInAnswer,
  },
  'POST /api/authenticate/passkey/options': {
    permission: 'public',
    summary: 'Start signing in with a passkey',
    answer: z.record(z.string(), z.unknown()),
  },
  'POST /api/authenticate/passkey': {
    permission: 'public',
    summary: 'Sign in with a passkey',
    audit: 'sign-in',
    body: z.object({ response: z.record(z.string().max(100), z.unknown()) }),
    answer: signInAnswer,
  },
  'POST /api/users/redirectUrl': {
    permission: 'public',
    summary: 'Find where a username signs in; null means here, with a password',
    body: z.object({ username }),
    answer: z.object({
      redirectUrl: z.string().nullable(),
      kind: z.enum(['enterprise', 'identity-provider']).nullish(),
    }),
  },
} as const satisfies RouteTable;
