import { z } from 'zod';
import { ssoConnection, ssoConnectionFields, versionRead } from '../admin.ts';
import { id } from '../primitives.ts';
import { PROVIDER_GROUP_MOST_TEAMS, provisioning, scimToken, teamRole } from '../provisioning.ts';
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
  'GET /api/admin/sso-connections/:id/provisioning': {
    permission: 'canManageUsers',
    summary: 'Get how accounts are made and managed by an identity provider',
    params: z.object({ id }),
    answer: provisioning,
  },
  'POST /api/admin/sso-connections/:id/scim-tokens': {
    permission: 'canManageUsers',
    summary: 'Issue a token for SCIM; it is shown this once',
    params: z.object({ id }),
    answer: scimToken.extend({ token: z.string() }),
  },
  'DELETE /api/admin/sso-connections/:id/scim-tokens/:tokenId': {
    permission: 'canManageUsers',
    summary: 'Revoke a token for SCIM',
    params: z.object({ id, tokenId: id }),
    status: 204,
  },
  'PUT /api/admin/sso-connections/:id/provider-groups/:groupId': {
    permission: 'canManageUsers',
    summary: 'Decide what members of a group of the identity provider may do',
    params: z.object({ id, groupId: id }),
    body: z.object({ access: z.array(teamRole).max(PROVIDER_GROUP_MOST_TEAMS) }),
    answer: provisioning,
  },
  'PUT /api/admin/sso-connections/:id/new-users': {
    permission: 'canManageUsers',
    summary: 'Decide what someone without an account gets at the first sign-in',
    params: z.object({ id }),
    body: z.object({ newUsers: teamRole.nullable() }),
    answer: provisioning,
  },
  'DELETE /api/admin/sso-connections/:id': {
    permission: 'canManageUsers',
    summary: 'Remove a connection',
    params: z.object({ id }),
    status: 204,
  },
} as const satisfies RouteTable;
