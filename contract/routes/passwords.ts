import { z } from 'zod';
import { newPassword, tokenInfo, username } from '../users.ts';
import type { RouteTable } from './route.ts';

export const passwordsRoutes = {
  'GET /api/password/forgot': {
    permission: 'public',
    summary: 'Email a link to reset the password, or to activate or unlock the account (also as GET /password/forgot)',
    query: z.object({ username }),
    answer: z.object({ message: z.string() }),
    alias: '/password/forgot',
  },
  'GET /api/users/tokens/:token': {
    permission: 'public',
    summary: 'Find out what an emailed token is for',
    params: z.object({ token: z.string().max(100) }),
    answer: tokenInfo,
  },
  'POST /api/password/set': {
    permission: 'public',
    summary: 'Set a password with an emailed token; passkeys and known devices are removed unless they are kept',
    body: z.object({ token: z.string().max(100), password: newPassword, keepDevices: z.boolean().default(false) }),
    status: 204,
  },
  'PUT /api/users/password': {
    permission: 'signed-in',
    summary: 'Change your password',
    body: z.object({ currentPassword: z.string().max(1024), newPassword }),
    status: 204,
    withOldPassword: true,
  },
} as const satisfies RouteTable;
