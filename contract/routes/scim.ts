import { z } from 'zod';
import {
  scimGroup,
  scimGroupFields,
  scimList,
  scimPatch,
  scimProjection,
  scimQuery,
  scimUser,
  scimUserFields,
} from '../scim.ts';
import type { RouteTable } from './route.ts';

/** Another text than an id is no resource, which is a 404 and not a malformed call. */
const params = z.object({ id: z.string().max(100) });
/** A constant of ours, as the standard describes it. */
const described = z.record(z.string(), z.unknown());
const withToken = { permission: 'public', kind: 'scim' } as const;

/** For identity providers, with the token of a connection (RFC 6750, 2.1). */
export const scimRoutes = {
  'GET /api/scim/v2/ServiceProviderConfig': {
    ...withToken,
    summary: 'Say what of SCIM 2.0 is supported',
    answer: described,
  },
  'GET /api/scim/v2/ResourceTypes': {
    ...withToken,
    summary: 'List the kinds of resources',
    answer: scimList(described),
  },
  'GET /api/scim/v2/ResourceTypes/:id': { ...withToken, summary: 'Get a kind of resource', params, answer: described },
  'GET /api/scim/v2/Schemas': {
    ...withToken,
    summary: 'List the attributes of the resources',
    answer: scimList(described),
  },
  'GET /api/scim/v2/Schemas/:id': {
    ...withToken,
    summary: 'Get the attributes of a resource',
    params,
    answer: described,
  },
  'GET /api/scim/v2/Users': {
    ...withToken,
    summary: 'List the accounts of the connection',
    query: scimQuery,
    answer: scimList(scimUser),
  },
  'POST /api/scim/v2/Users': {
    ...withToken,
    summary: 'Create an account',
    body: scimUserFields,
    query: scimProjection,
    status: 201,
    answer: scimUser,
  },
  'GET /api/scim/v2/Users/:id': {
    ...withToken,
    summary: 'Get an account',
    params,
    query: scimProjection,
    answer: scimUser,
  },
  'PUT /api/scim/v2/Users/:id': {
    ...withToken,
    summary: 'Replace an account',
    params,
    body: scimUserFields,
    query: scimProjection,
    answer: scimUser,
  },
  'PATCH /api/scim/v2/Users/:id': {
    ...withToken,
    summary: 'Change an account',
    params,
    body: scimPatch,
    query: scimProjection,
    answer: scimUser,
  },
  'DELETE /api/scim/v2/Users/:id': {
    ...withToken,
    summary: 'Disable an account and take all its access; its history stays',
    params,
    status: 204,
  },
  'GET /api/scim/v2/Groups': {
    ...withToken,
    summary: 'List the groups of the identity provider',
    query: scimQuery,
    answer: scimList(scimGroup),
  },
  'POST /api/scim/v2/Groups': {
    ...withToken,
    summary: 'Create a group',
    body: scimGroupFields,
    query: scimProjection,
    largeBody: true,
    status: 201,
    answer: scimGroup,
  },
  'GET /api/scim/v2/Groups/:id': {
    ...withToken,
    summary: 'Get a group',
    params,
    query: scimProjection,
    answer: scimGroup,
  },
  'PUT /api/scim/v2/Groups/:id': {
    ...withToken,
    summary: 'Replace a group',
    params,
    body: scimGroupFields,
    query: scimProjection,
    largeBody: true,
    answer: scimGroup,
  },
  'PATCH /api/scim/v2/Groups/:id': {
    ...withToken,
    summary: 'Change a group and its members',
    params,
    body: scimPatch,
    query: scimProjection,
    largeBody: true,
    answer: scimGroup,
  },
  'DELETE /api/scim/v2/Groups/:id': {
    ...withToken,
    summary: 'Remove a group, with the access that it gave',
    params,
    status: 204,
  },
} as const satisfies RouteTable;
