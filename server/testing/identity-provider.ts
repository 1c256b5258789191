import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import { listen } from './http-server.ts';

export interface IdentityProviderClient {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/**
 * Starts a real OpenID provider with its own key. Its sign-in page accepts every name in `emails` with any password; the subject
 * is the name.
 */
export async function startIdentityProvider(
  clients: readonly IdentityProviderClient[],
  emails: ReadonlyMap<string, { email: string; isVerified: boolean; name?: readonly [first: string, last: string] }>,
  port?: number,
): Promise<{ issuer: string; close: () => Promise<void> }> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'identity' };
  const { url, close } = await listen((issuer) => {
    const provider = new Provider(issuer, {
      clients: clients.map(({ clientId, clientSecret, redirectUri }) => ({
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
      })),
      jwks: { keys: [key] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
      pkce: { required: () => true },
      cookies: { keys: ['a key of the provider alone'] },
      findAccount: (_context, accountId) => {
        const known = emails.get(accountId);
        if (known === undefined) return undefined;
        const [first, last] = known.name ?? [];
        const names = { given_name: first, family_name: last };
        const claims = { sub: accountId, email: known.email, email_verified: known.isVerified, ...names };
        return { accountId, claims: () => claims };
      },
    });
    const handle = provider.callback();
    return (request, response) => void handle(request, response);
  }, port);
  return { issuer: url, close };
}
