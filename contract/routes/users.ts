import { z } from 'zod';
import { adminUser, disabledUsers, newUser, USER_STATUSES, userFields, versionRead } from '../admin.ts';
import { id } from '../primitives.ts';
import { pageAnswer, pageQuery, type RouteTable } from './route.ts';

export const usersRoutes = {
  'GET /api/admin/users': {
    permission: 'canManageUsers',
    summary: 'List users of the organization',
    query: z.object({ query: z.string().max(100).optional(), status: z.enum(USER_STATUSES).optional(), ...pageQuery }),
    answer: z.object({ users: z.array(adminUser), ...pageAnswer }),
  },
  'POST /api/users': { permission: 'canManageUsers', summary: 'Invite a user', body: newUser, answer: adminUser },
  'GET /api/admin/users/:id': {
    permission: 'canManageUsers',
    summary: 'Get a user',
    params: z.object({ id }),
    answer: adminUser,
  },
  'PUT /api/admin/users/:id': {
    permission: 'canManageUsers',
    summary: 'Change a user',
    params: z.object({ id }),
    body: userFields.extend(versionRead),
    answer: adminUser,
  },
  'POST /api/admin/users/:id/disable': {
    permission: 'canManageUsers',
    summary: 'Disable a user; sessions and streams end at once',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/admin/users/disable': {
    permission: 'canManageUsers',
    summary: 'Disable several users; returns who could not be disabled and why',
    body: z.object({ ids: z.array(id).min(1).max(500) }),
    answer: disabledUsers,
  },
  'POST /api/admin/users/:id/enable': {
    permission: 'canManageUsers',
    summary: 'Enable a user',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/admin/users/:id/resend-activation': {
    permission: 'canManageUsers',
    summary: 'Resend the activation email',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/admin/users/:id/send-unlock': {
    permission: 'canManageUsers',
    summary: 'Email a link to unlock to a locked user',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/admin/users/:id/end-sessions': {
    permission: 'canManageUsers',
    summary: 'End all sessions of a user',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/admin/users/:id/reset-mfa': {
    permission: 'canManageUsers',
    summary: 'Reset two-step verification and passkeys of a user',
    params: z.object({ id }),
    status: 204,
  },
} as const satisfies RouteTable;
