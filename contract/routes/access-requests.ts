import { z } from 'zod';
import { accessRequest, pendingGrant } from '../admin.ts';
import { id, mailedText } from '../primitives.ts';
import { newUsername, username } from '../users.ts';
import type { RouteTable } from './route.ts';

/** Strangers type it, and administrators read it. */
const named = z.string().trim().max(100);

export const accessRequestsRoutes = {
  'POST /api/registrations': {
    permission: 'public',
    summary: 'Request access to a group; its administrators get an email',
    body: z.object({
      username: newUsername,
      firstName: mailedText(named.min(1)),
      lastName: mailedText(named.min(1)),
      title: mailedText(named).nullish(),
      groupId: id,
    }),
    status: 204,
  },
  'GET /api/registrations/groups': {
    permission: 'public',
    summary: 'Find groups to request access to, by the start of a name',
    query: z.object({ query: z.string().trim().min(2).max(100) }),
    answer: z.array(z.object({ id, name: z.string(), organizationName: z.string() })),
  },
  'POST /api/users/admin-email': {
    permission: 'public',
    summary: 'Remind administrators of an access request',
    query: z.object({ username, groupId: id, adminUsername: username }),
    status: 204,
  },
  'POST /api/users/authorize-group': {
    permission: 'canManageUsers',
    summary: 'Approve an access request, or give a user of the organization access to a group',
    query: z.object({
      username,
      groupId: id,
      /** The request that is approved: if it is no longer pending, nothing changes (NOT_FOUND). Without it, access is given also without a request. */
      requestId: id.optional(),
      /** The team on which access is given. Without it, the selected team if it works for the group, otherwise the oldest that does. */
      teamId: id.optional(),
      /** Without it, the viewer. */
      roleId: id.optional(),
    }),
    status: 204,
  },
  'GET /api/admin/access-requests': {
    permission: 'canManageUsers',
    summary: 'List access requests',
    answer: z.array(accessRequest),
  },
  'DELETE /api/admin/access-requests/:id': {
    permission: 'canManageUsers',
    summary: 'Decline an access request',
    params: z.object({ id }),
    status: 204,
  },
  'GET /api/admin/pending-grants': {
    permission: 'canManageUsers',
    summary: 'List the access that administrators asked for themselves',
    answer: z.array(pendingGrant),
  },
  'POST /api/admin/pending-grants/:id/confirm': {
    permission: 'canManageUsers',
    summary: 'Confirm the access that another administrator asked for',
    params: z.object({ id }),
    body: z.object({ version: z.string().max(100) }),
    status: 204,
  },
  'DELETE /api/admin/pending-grants/:id': {
    permission: 'canManageUsers',
    summary: 'Decline the access that another administrator asked for, or withdraw your own request',
    params: z.object({ id }),
    status: 204,
  },
} as const satisfies RouteTable;
