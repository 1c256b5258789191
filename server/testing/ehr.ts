import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { listen } from './http-server.ts';

/**
 * An EHR with a SMART authorization server and a FHIR server in one, and a key of its own; also an OpenID provider, which says of itself the
 * same. What it answers, a test changes between two calls.
 */
export interface Ehr {
  /** The issuer, and the base of the FHIR server. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** Beside the ID token: the launch context. */
  context: Record<string, unknown>;
  /** What one launch has open, by the name that the EHR gave it; over `context`. */
  launches: Map<string, Record<string, unknown>>;
  /** Of the ID token, over those that are right. */
  claims: JWTPayload;
  /** Instead of signing: what to hand out as the ID token. */
  forge: ((claims: JWTPayload) => Promise<string> | string) | null;
  /** By type and id, e.g. 'Patient/7'. */
  resources: Map<string, object>;
  /** Of the metadata, over those that are right. */
  metadata: Record<string, unknown>;
  /** What was asked for, newest last: method, path and query. */
  readonly asked: string[];
  close: () => Promise<void>;
}

export async function startEhr(): Promise<Ehr> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: 'ehr' }] };
  const codes = new Map<string, URLSearchParams>();
  const tokens = new Set<string>();
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
  return ehr;

  async function answer(base: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams, href } = new URL(request.url ?? '/', base);
    ehr.asked.push(`${request.method} ${href.slice(base.length)}`);
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname.startsWith('/.well-known/')) return void json(200, metadataOf(base));
    if (pathname === '/chart')
      return void response.setHeader('content-type', 'text/html').end(chart(base, searchParams));
    if (pathname === '/jwks') return void json(200, jwks);
    if (pathname === '/authorize') return void response.writeHead(302, { location: authorize(searchParams) }).end();
    if (pathname === '/token') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = new URLSearchParams(Buffer.concat(chunks).toString());
      const granted = await grant(base, body, request.headers.authorization);
      return void (granted === null ? json(400, { error: 'invalid_grant' }) : json(200, granted));
    }
    const [, token = ''] = (request.headers.authorization ?? '').split(' ');
    const resource = tokens.has(token) ? ehr.resources.get(pathname.slice(1)) : undefined;
    return void (resource === undefined ? json(404, { resourceType: 'OperationOutcome' }) : json(200, resource));
  }

  function metadataOf(base: string) {
    return {
      issuer: base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      jwks_uri: `${base}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      capabilities: ['launch-ehr', 'sso-openid-connect', 'permission-v2'],
      ...ehr.metadata,
    };
  }

  /** The EHR's own window with `app` in a frame, which it launches. */
  function chart(base: string, query: URLSearchParams): string {
    const launch = new URLSearchParams({ iss: base, launch: query.get('launch') ?? '' }).toString();
    const source = `${query.get('app')}/api/ehr/launch?${launch}`.replaceAll('&', '&amp;');
    return `<!doctype html><title>Chart</title><iframe title="Tidings" src="${source}" width="480" height="700"></iframe>`;
  }

  /** The user is signed in at the EHR and agrees to everything. */
  function authorize(query: URLSearchParams): string {
    const code = randomUUID();
    codes.set(code, query);
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    return back.href;
  }

  async function grant(base: string, body: URLSearchParams, authorization: string | undefined) {
    const asked = codes.get(body.get('code') ?? '');
    codes.delete(body.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const expected = `${encodeURIComponent(ehr.clientId)}:${encodeURIComponent(ehr.clientSecret)}`.replaceAll(
      '%20',
      '+',
    );
    if (asked === undefined || asked.get('code_challenge') !== verifier) return null;
    if (authorization !== `Basic ${Buffer.from(expected).toString('base64')}`) return null;
    if (asked.get('redirect_uri') !== body.get('redirect_uri')) return null;
    const now = Math.floor(Date.now() / 1000);
    const nonce = asked.get('nonce') ?? '';
    const claims = { iss: base, aud: ehr.clientId, sub: 'u-1', iat: now, exp: now + 300, nonce, ...ehr.claims };
    const sign = () => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'ehr' }).sign(privateKey);
    const accessToken = randomUUID();
    tokens.add(accessToken);
    const idToken = ehr.forge === null ? await sign() : await ehr.forge(claims);
    const context = { ...ehr.context, ...ehr.launches.get(asked.get('launch') ?? '') };
    return { access_token: accessToken, token_type: 'Bearer', expires_in: 300, id_token: idToken, ...context };
  }
}
