import { z } from 'zod';
import { adminUser, newUser, USER_STATUSES, userFields, versionRead } from '../admin.ts';
import { USERNAME_MAX } from '../admin-fields.ts';
import { id } from '../primitives.ts';
import { BULK_MOST_USERS, changedUsers, takenStays, userChange } from '../user-changes.ts';
import { LAST_SIGN_INS, SIGN_IN_WAYS, USER_SORTS } from '../user-statuses.ts';
import { knownDevice, session } from '../users.ts';
import { pageAnswer, pageQuery, type RouteTable } from './route.ts';

export const usersRoutes = {
  'GET /api/admin/users': {
    permission: 'canManageUsers',
    summary: 'List users of the organization',
    query: z.object({
      query: z.string().max(100).optional(),
      status: z.enum(USER_STATUSES).optional(),
      teamId: id.optional(),
      groupId: id.optional(),
      roleId: id.optional(),
      lastSignIn: z.enum(LAST_SIGN_INS).optional(),
      signsInBy: z.enum(SIGN_IN_WAYS).optional(),
      sort: z.enum(USER_SORTS).default('NAME'),
      ...pageQuery,
    }),
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
    summary: 'Disable a user; sessions and streams end at once, and what they have taken is no one’s',
    params: z.object({ id }),
    status: 204,
  },
  'POST /api/admin/users/change': {
    permission: 'canManageUsers',
    summary: 'Change several users in the same way; returns who could not be changed and why',
    body: z.object({ ids: z.array(id).min(1).max(BULK_MOST_USERS), change: userChange }),
    answer: changedUsers,
  },
  'POST /api/admin/users/existing': {
    permission: 'canManageUsers',
    summary: 'Say which of these usernames have an account at the organization already',
    body: z.object({ usernames: z.array(z.string().max(USERNAME_MAX)).min(1).max(BULK_MOST_USERS) }),
    answer: z.array(z.string()),
  },
  'POST /api/admin/users/stays': {
    permission: 'canManageUsers',
    summary: 'Count the stays that users have taken, by team, and name who could be given them',
    body: z.object({ ids: z.array(id).min(1).max(10_000) }),
    answer: takenStays,
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
  'POST /api/admin/users/:id/send-reset': {
    permission: 'canManageUsers',
    summary: 'Email a link to set a new password',
    params: z.object({ id }),
    status: 204,
  },
  'GET /api/admin/users/:id/sessions': {
    permission: 'canManageUsers',
    summary: 'List where a user is signed in, and the browsers that they have signed in from',
    params: z.object({ id }),
    answer: z.object({ sessions: z.array(session.omit({ isCurrent: true })), devices: z.array(knownDevice) }),
  },
  'DELETE /api/admin/users/:id/sessions/:sessionId': {
    permission: 'canManageUsers',
    summary: 'End one session of a user',
    params: z.object({ id, sessionId: z.string().max(100) }),
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
