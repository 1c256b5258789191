/** Sign-in through an external identity provider (OpenID Connect Core 1.0, 3.1: code flow; PKCE: RFC 7636). */
import * as client from 'openid-client';
import type { Identity } from './find-or-link-user.ts';
import { discoverProvider } from './oauth-client.ts';
import type { Challenge } from './pending-sign-in.ts';
import type { Connection } from './queries.ts';
import { SsoRefusal } from './refusal.ts';
import { callbackUrl } from './sso-urls.ts';

async function configure(connection: Connection, publicUrl: string): Promise<client.Configuration> {
  const provider = await discoverProvider(new URL(connection.issuer), connection, publicUrl);
  // The library lets some providers name another issuer than was asked for: theirs stands for any customer of theirs.
  if (provider.serverMetadata().issuer.replace(/\/$/, '') !== connection.issuer) throw new SsoRefusal('ISSUER_DIFFERS');
  return provider;
}

/** The address at the provider to send the browser to. */
export async function oidcStart(
  connection: Connection,
  { state, nonce, codeVerifier }: Challenge,
  { publicUrl, username }: { publicUrl: string; username: string | undefined },
): Promise<URL> {
  return client.buildAuthorizationUrl(await configure(connection, publicUrl), {
    redirect_uri: callbackUrl(publicUrl, connection),
    response_type: 'code',
    scope: 'openid email',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(username === undefined ? {} : { login_hint: username }),
  });
}

/**
 * Whom the provider has signed in. `search`: the query with which it sent the browser back. Throws for a wrong state, issuer, nonce,
 * audience, signature or algorithm, an expired token, and where the provider itself refused.
 */
export async function oidcIdentity(
  connection: Connection,
  { state, nonce, codeVerifier }: Challenge,
  { publicUrl, search }: { publicUrl: string; search: string },
): Promise<Identity> {
  const provider = await configure(connection, publicUrl);
  const back = new URL(callbackUrl(publicUrl, connection) + search);
  const tokens = await client.authorizationCodeGrant(provider, back, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new SsoRefusal('NO_SUBJECT');
  const asksMore = claims['email'] === undefined && provider.serverMetadata().userinfo_endpoint !== undefined;
  const about = asksMore ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub) : claims;
  const { email, email_verified: isVerified } = about;
  return { subject: claims.sub, email: isVerified === true && typeof email === 'string' ? email : null };
}
