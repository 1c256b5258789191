import { z } from 'zod';
import { ssoConnection, ssoConnectionFields, versionRead } from '../admin.ts';
import { id } from '../primitives.ts';
import type { RouteTable } from './route.ts';

const oneDomain = z.object({ domain: z.string().max(300) });

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
  'POST /api/admin/sso-connections/:id/check-domain': {
    permission: 'canManageUsers',
    summary: "Look up a domain's TXT record, and verify the domain if it is there",
    params: z.object({ id }),
    body: oneDomain,
    answer: ssoConnection,
  },
  'POST /api/admin/sso-connections/:id/approve-domain': {
    permission: 'canManageUsers',
    summary: 'Verify a domain without its TXT record (operators)',
    params: z.object({ id }),
    body: oneDomain,
    answer: ssoConnection,
  },
  'POST /api/admin/sso-connections/:id/revoke-domain': {
    permission: 'canManageUsers',
    summary: "Take an operator's approval of a domain back (operators)",
    params: z.object({ id }),
    body: oneDomain,
    answer: ssoConnection,
  },
  'POST /api/admin/sso-connections/:id/test': {
    permission: 'canManageUsers',
    summary: 'Begin a test sign-in; the result comes back to returnTo as ?test=',
    params: z.object({ id }),
    body: z.object({ returnTo: z.string().max(500) }),
    answer: z.object({ redirectUrl: z.string() }),
  },
  'DELETE /api/admin/sso-connections/:id': {
    permission: 'canManageUsers',
    summary: 'Remove a connection',
    params: z.object({ id }),
    status: 204,
  },
} as const satisfies RouteTable;
