import { z } from 'zod';
import type { RouteTable } from './route.ts';

const byConnection = z.object({ connection: z.uuid() });
/** What an identity provider adds to our address. */
const parameters = z.record(z.string().max(200), z.string().max(10_000));
/** In characters of Base64. */
const SAML_RESPONSE_MAX = 256 * 1024;

export const ssoRoutes = {
  'GET /api/sso/oidc/:connection/start': {
    permission: 'public',
    summary: 'Redirect to an identity provider (OpenID Connect, code flow with PKCE)',
    params: byConnection,
    query: z.object({ returnTo: z.string().max(500).optional(), username: z.string().max(254).optional() }),
    kind: 'download',
  },
  'GET /api/sso/oidc/:connection/callback': {
    permission: 'public',
    summary: 'Return from the OpenID Connect identity provider',
    audit: 'sign-in',
    params: byConnection,
    query: parameters,
    kind: 'download',
  },
  'GET /api/sso/saml/:connection/start': {
    permission: 'public',
    summary: 'Redirect to an enterprise identity provider (SAML 2.0)',
    params: byConnection,
    query: z.object({ returnTo: z.string().max(500).optional() }),
    kind: 'download',
  },
  'POST /api/sso/saml/:connection/callback': {
    permission: 'public',
    summary: 'Return from the SAML identity provider with a signed assertion',
    audit: 'sign-in',
    params: byConnection,
    body: z.object({ SAMLResponse: z.string().max(SAML_RESPONSE_MAX), RelayState: z.string().max(200) }),
    kind: 'form',
  },
  'GET /api/sso/saml/:connection/metadata': {
    permission: 'public',
    summary: 'SAML metadata of our side of the connection, as XML',
    params: byConnection,
    kind: 'download',
  },
  'GET /api/ehr/launch': {
    permission: 'public',
    summary: 'Start a SMART App Launch from an EHR',
    query: z.object({ iss: z.string().max(500), launch: z.string().max(2000) }),
    kind: 'download',
  },
  'GET /api/ehr/callback': {
    permission: 'public',
    summary: 'Return from the EHR: opens the patient, or the inbox',
    audit: 'sign-in',
    query: parameters,
    kind: 'download',
  },
} as const satisfies RouteTable;
