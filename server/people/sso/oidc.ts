/** Sign-in through an external identity provider (OpenID Connect Core 1.0, 3.1: code flow). */
import * as client from 'openid-client';
import { z } from 'zod';
import type { Identity } from './find-or-link-user.ts';
import {
  authorizationUrl,
  discoverServer,
  exchangeCode,
  type OAuthDeps,
  reach,
  verifiedEmail,
} from './oauth-client.ts';
import type { PendingSignIn } from './pending-sign-in.ts';
import { personName } from './person-name.ts';
import type { Connection } from './queries.ts';
import { SsoRefusal } from './refusal.ts';

async function discoverProvider(
  connection: Pick<Connection, 'issuer' | 'clientId' | 'clientSecret'>,
  deps: OAuthDeps,
): Promise<client.Configuration> {
  const provider = await discoverServer(new URL(connection.issuer), connection, deps);
  // The library accepts another issuer from some multi-tenant providers. It would vouch for users of every tenant.
  if (provider.serverMetadata().issuer.replace(/\/$/, '') !== connection.issuer) throw new SsoRefusal('ISSUER_DIFFERS');
  return provider;
}

/** Throws unless the provider answers now as this issuer, with keys that sign its ID tokens: UNREACHABLE, NO_KEYS, and as `discoverServer` does. */
export async function checkProvider(
  { issuer, clientId }: Pick<Connection, 'issuer' | 'clientId'>,
  deps: OAuthDeps,
): Promise<void> {
  const provider = await discoverProvider({ issuer, clientId, clientSecret: null }, deps);
  const { jwks_uri: address } = provider.serverMetadata();
  const found = address === undefined ? null : KEYS.safeParse(await readJson(await reach(deps.outgoing, address)));
  if (!found?.success) throw new SsoRefusal('NO_KEYS');
}

const KEYS = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) });

const readJson = (answer: Response): Promise<unknown> => answer.json().catch(() => null);

/** Returns the provider's address that the browser is sent to. */
export async function oidcStart(
  connection: Connection,
  pending: PendingSignIn,
  { username, ...deps }: OAuthDeps & { username: string | undefined },
): Promise<URL> {
  const provider = await discoverProvider(connection, deps);
  const hint: Record<string, string> = username === undefined ? {} : { login_hint: username };
  const parameters = { scope: 'openid email profile', ...hint };
  return authorizationUrl(provider, connection, pending, { publicUrl: deps.publicUrl, parameters });
}

/** Returns the person whom the provider has signed in. Throws as `exchangeCode` does. */
export async function oidcIdentity(
  connection: Connection,
  pending: PendingSignIn,
  answer: OAuthDeps & { search: string },
): Promise<Identity> {
  const provider = await discoverProvider(connection, answer);
  const { tokens, claims } = await exchangeCode(provider, connection, pending, answer);
  const isComplete = ['email', 'given_name', 'family_name'].every((claim) => claims[claim] !== undefined);
  const needsUserInfo = !isComplete && provider.serverMetadata().userinfo_endpoint !== undefined;
  const more = needsUserInfo ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub) : {};
  // Address and verification belong together, so both come from the same place.
  const email = verifiedEmail(claims['email'] === undefined ? more : claims);
  const all: Record<string, unknown> = { ...more, ...claims };
  return { subject: claims.sub, email, name: personName(all['given_name'], all['family_name']) };
}
