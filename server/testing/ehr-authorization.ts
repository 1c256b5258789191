import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** Settings that a test may change between two calls. */
export interface AuthorizationSettings {
  clientId: string;
  clientSecret: string;
  /** The launch context, sent along with the ID token. */
  context: Record<string, unknown>;
  /** Context of single launches, by the launch value that the EHR passed; overrides `context`. */
  launches: Map<string, Record<string, unknown>>;
  /** Overrides claims of the ID token. */
  claims: JWTPayload;
  /** Replaces the signing: returns the ID token to send. */
  forge: ((claims: JWTPayload) => Promise<string> | string) | null;
}

/** The SMART authorization server of a test EHR: authorization codes with PKCE, and signed ID tokens. */
export async function authorizationServer(settings: AuthorizationSettings) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const codes = new Map<string, URLSearchParams>();
  const accessTokens = new Set<string>();

  /** Whether the request proves the PKCE verifier, the client secret and the redirect URI of its code. */
  function isGranted(asked: URLSearchParams, body: URLSearchParams, authorization: string | undefined): boolean {
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const client = `${encodeURIComponent(settings.clientId)}:${encodeURIComponent(settings.clientSecret)}`;
    return (
      asked.get('code_challenge') === challenge &&
      authorization === `Basic ${Buffer.from(client.replaceAll('%20', '+')).toString('base64')}` &&
      asked.get('redirect_uri') === body.get('redirect_uri')
    );
  }

  return {
    jwks: { keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: 'ehr' }] },

    isAccessToken: (token: string): boolean => accessTokens.has(token),

    /** Returns where to send the browser: the user is signed in at the EHR and consents to everything. */
    authorize(query: URLSearchParams): string {
      const code = randomUUID();
      codes.set(code, query);
      const back = new URL(query.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', query.get('state') ?? '');
      return back.href;
    },

    /** Returns the answer of the token endpoint, or null if it refuses. */
    async grant(issuer: string, body: URLSearchParams, authorization: string | undefined) {
      const code = body.get('code') ?? '';
      const asked = codes.get(code);
      codes.delete(code);
      if (asked === undefined || !isGranted(asked, body, authorization)) return null;
      const now = Math.floor(Date.now() / 1000);
      const nonce = asked.get('nonce') ?? '';
      const own = { iss: issuer, aud: settings.clientId, sub: 'u-1', iat: now, exp: now + 300, nonce };
      const claims = { ...own, ...settings.claims };
      const sign = () => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'ehr' }).sign(privateKey);
      const accessToken = randomUUID();
      accessTokens.add(accessToken);
      const idToken = settings.forge === null ? await sign() : await settings.forge(claims);
      const context = { ...settings.context, ...settings.launches.get(asked.get('launch') ?? '') };
      return { access_token: accessToken, token_type: 'Bearer', expires_in: 300, id_token: idToken, ...context };
    },
  };
}
