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

/** Signs in at the provider's own pages, agrees, and returns the address that leads back to us. */
export async function atProvider(address: string, login: string): Promise<string> {
  const cookies = new Map<string, string>();
  let next = address;
  let form: URLSearchParams | null = null;
  for (let steps = 0; steps < 12 && !next.startsWith('http://tidings.test'); steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const init: RequestInit = form === null ? {} : { method: 'POST', body: form };
    const response: Response = await fetch(next, { ...init, headers: { cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) {
      next = new URL(location, next).href;
      form = null;
    } else {
      const page = await response.text();
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
      next = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', next).href;
      form = new URLSearchParams({ prompt, login, password: 'theirs' });
    }
  }
  return next;
}
