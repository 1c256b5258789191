import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type AuthorizationSettings, authorizationServer } from './ehr-authorization.ts';
import { listen } from './http-server.ts';

/**
 * An EHR: a SMART authorization server and a FHIR server in one. It also works as an OpenID provider. A test may change its
 * answers between two calls.
 */
export interface Ehr extends AuthorizationSettings {
  /** The issuer, and the base of the FHIR server. */
  url: string;
  /** FHIR resources by type and id, e.g. 'Patient/7'. */
  resources: Map<string, object>;
  /** Overrides fields of the metadata. */
  metadata: Record<string, unknown>;
  /** The requests so far, newest last: method, path and query. */
  readonly asked: string[];
  close: () => Promise<void>;
}

export async function startEhr(): Promise<Ehr> {
  const { url, close } = await listen((base) => (request, response) => void answer(base, request, response));
  const ehr: Ehr = {
    url,
    clientId: 'tidings at the EHR',
    clientSecret: 'the secret of the EHR',
    context: {},
    launches: new Map(),
    claims: {},
    forge: null,
    resources: new Map(),
    metadata: {},
    asked: [],
    close,
  };
  const authorization = await authorizationServer(ehr);
  return ehr;

  async function answer(base: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams, href } = new URL(request.url ?? '/', base);
    ehr.asked.push(`${request.method} ${href.slice(base.length)}`);
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname.startsWith('/.well-known/')) return void json(200, { ...metadataOf(base), ...ehr.metadata });
    if (pathname === '/chart')
      return void response.setHeader('content-type', 'text/html').end(chart(base, searchParams));
    if (pathname === '/jwks') return void json(200, authorization.jwks);
    if (pathname === '/authorize')
      return void response.writeHead(302, { location: authorization.authorize(searchParams) }).end();
    if (pathname === '/token') {
      const body = new URLSearchParams(await text(request));
      const granted = await authorization.grant(base, body, request.headers.authorization);
      return void (granted === null ? json(400, { error: 'invalid_grant' }) : json(200, granted));
    }
    const [, token = ''] = (request.headers.authorization ?? '').split(' ');
    const resource = authorization.isAccessToken(token) ? ehr.resources.get(pathname.slice(1)) : undefined;
    return void (resource === undefined ? json(404, { resourceType: 'OperationOutcome' }) : json(200, resource));
  }
}

const metadataOf = (base: string) => ({
  issuer: base,
  authorization_endpoint: `${base}/authorize`,
  token_endpoint: `${base}/token`,
  jwks_uri: `${base}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
  capabilities: ['launch-ehr', 'sso-openid-connect', 'permission-v2'],
});

/** Returns the EHR's own page, which launches `app` in a frame. */
function chart(base: string, query: URLSearchParams): string {
  const launch = new URLSearchParams({ iss: base, launch: query.get('launch') ?? '' }).toString();
  const source = `${query.get('app')}/api/ehr/launch?${launch}`.replaceAll('&', '&amp;');
  return `<!doctype html><title>Chart</title><iframe title="Tidings" src="${source}" width="480" height="700"></iframe>`;
}
