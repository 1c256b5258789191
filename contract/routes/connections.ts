import { z } from 'zod';
import { ssoConnection, ssoConnectionFields, versionRead } from '../admin.ts';
import { id } from '../primitives.ts';
import type { RouteTable } from './route.ts';

export const connectionsRoutes = {
  'GET /api/admin/sso-connections': {
    permission: 'canManageUsers',
    summary: 'List connections to identity providers and EHRs',
    answer: z.array(ssoConnection),
  },
  'POST /api/admin/sso-connections': {
    permission: 'canManageUsers',
    summary: 'Add a connection',
    body: ssoConnectionFields,
    answer: ssoConnection,
  },
  'PUT /api/admin/sso-connections/:id': {
    permission: 'canManageUsers',
    summary: 'Change a connection',
    params: z.object({ id }),
    body: ssoConnectionFields.extend(versionRead),
    answer: ssoConnection,
  },
  'DELETE /api/admin/sso-connections/:id': {
    permission: 'canManageUsers',
    summary: 'Remove a connection',
    params: z.object({ id }),
    status: 204,
  },
} as const satisfies RouteTable;
