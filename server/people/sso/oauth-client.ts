/** The OAuth exchange that OpenID Connect and SMART App Launch share: authorization code with PKCE (RFC 7636) and an ID token. */
import * as client from 'openid-client';
import type { OutgoingFetch, OutgoingInit } from '#server/platform/http/outgoing.ts';
import type { PendingSignIn } from './pending-sign-in.ts';
import type { Connection } from './queries.ts';
import { SsoRefusal } from './refusal.ts';
import { allowsHttp, callbackUrl } from './sso-urls.ts';

/** In seconds. */
const TIMEOUT = 10;

/** How we reach OAuth servers, and they us. */
export interface OAuthDeps {
  publicUrl: string;
  outgoing: OutgoingFetch;
}

/**
 * Loads the metadata of an OAuth server from `address`. Turns on the check of ID token signatures, which the library otherwise skips for
 * tokens received over TLS. Throws UNREACHABLE, ENDPOINT_REFUSED, and if the metadata is invalid.
 */
export async function discoverServer(
  address: URL,
  { clientId, clientSecret }: Pick<Connection, 'clientId' | 'clientSecret'>,
  { publicUrl, outgoing }: OAuthDeps,
): Promise<client.Configuration> {
  const authentication = clientSecret === null ? client.None() : bySecret(clientSecret);
  const execute = [client.enableNonRepudiationChecks];
  if (allowsHttp(publicUrl)) execute.push(client.allowInsecureRequests);
  const server = await client.discovery(address, clientId ?? '', undefined, authentication, {
    timeout: TIMEOUT,
    execute,
    [client.customFetch]: (url, { body, ...init }) =>
      reach(outgoing, url, { ...init, body: body as URLSearchParams | null }),
  });
  requireVouched(server.serverMetadata(), address.origin);
  return server;
}

/** Calls an OAuth server. Throws UNREACHABLE if no answer comes, or only that the server is down. */
export async function reach(outgoing: OutgoingFetch, address: string, init?: OutgoingInit): Promise<Response> {
  const answer = await outgoing(address, init).catch((cause: unknown) => {
    throw new SsoRefusal('UNREACHABLE', { cause });
  });
  if (answer.status >= 500) throw new SsoRefusal('UNREACHABLE');
  return answer;
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const;

/**
 * Throws ENDPOINT_REFUSED unless every endpoint that we would call, or send the browser to, is on the origin that the metadata came from, or
 * named there by https. Plain http elsewhere would give the client secret and the code to whoever is in between.
 */
function requireVouched(metadata: client.ServerMetadata, origin: string): void {
  for (const endpoint of ENDPOINTS) {
    const address = metadata[endpoint];
    if (address === undefined) continue;
    const url = URL.canParse(address) ? new URL(address) : null;
    const isVouched = url?.protocol === 'https:' || url?.origin === origin;
    if (!isVouched || url?.username || url?.password) throw new SsoRefusal('ENDPOINT_REFUSED');
  }
}

/** In the header, the default of OpenID Connect Core 1.0 (9), unless the server accepts secrets in the body only. */
function bySecret(secret: string): client.ClientAuth {
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const inBody = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    (inBody ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret))(server, ...rest);
  };
}

/** Returns the address that asks the server to authorize us; the browser is sent there. `parameters` come on top of the common ones. */
export async function authorizationUrl(
  server: client.Configuration,
  connection: Connection,
  { state, nonce, codeVerifier }: PendingSignIn,
  { publicUrl, parameters }: { publicUrl: string; parameters: Record<string, string> },
): Promise<URL> {
  return client.buildAuthorizationUrl(server, {
    redirect_uri: callbackUrl(publicUrl, connection),
    response_type: 'code',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...parameters,
  });
}

export interface ExchangedTokens {
  tokens: client.TokenEndpointResponse;
  /** Claims of the ID token, after its checks. */
  claims: client.IDToken;
}

/**
 * Exchanges the code that the server sent back for its tokens. `search` is the query with which the browser returned. Throws for a wrong
 * state, issuer, nonce, audience, signature or algorithm, for an expired token or one without a subject, and if the server refused the sign-in.
 */
export async function exchangeCode(
  server: client.Configuration,
  connection: Connection,
  { state, nonce, codeVerifier }: PendingSignIn,
  { publicUrl, search }: { publicUrl: string; search: string },
): Promise<ExchangedTokens> {
  const tokens = await client.authorizationCodeGrant(server, new URL(callbackUrl(publicUrl, connection) + search), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined || !isSubject(claims.sub)) throw new SsoRefusal('NO_SUBJECT');
  return { tokens, claims };
}

/** At most 255 ASCII characters (OpenID Connect Core 1.0, 2). An empty one would be the same for everyone. */
const isSubject = (sub: string): boolean => /^[\x20-\x7e]{1,255}$/.test(sub) && sub.trim() !== '';

/** Returns the email address if the server has verified it. */
export const verifiedEmail = ({ email, email_verified: isVerified }: Record<string, unknown>): string | null =>
  isVerified === true && typeof email === 'string' ? email : null;
