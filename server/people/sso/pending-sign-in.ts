import type { SsoConnection } from '#contract/admin.ts';
import { hashOf, newToken } from '#server/people/accounts/token-hash.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { deletePendingSignIn, insertPendingSignIn } from './queries.ts';

/** Milliseconds in which a sign-in at the identity provider has to be finished. */
export const PENDING_LIFE = 10 * 60 * 1000;

/**
 * The values that tie the two halves of a single sign-on together: sending the browser away, and taking it back. All are derived from the
 * state and the browser's cookie, which only that browser can present together. The database holds a hash of the two, from which none of
 * them can be derived.
 */
export interface PendingSignIn {
  /** Sent to the identity provider and returned by it: OAuth's `state`, SAML's `RelayState`. */
  state: string;
  /** Repeated in the ID token (OpenID Connect Core 1.0, 3.1.2.1). */
  nonce: string;
  /** PKCE (RFC 7636): 43 characters. */
  codeVerifier: string;
  /** SAML: the ID of our request, which the assertion answers. */
  requestId: string;
}

interface Begun {
  kind: SsoConnection['kind'];
  connectionId: string;
  /** The browser's secret (`browser-cookie.ts`). */
  browser: string;
  /** The page that the user wanted. */
  returnTo: string;
  /** The administrator who tests the connection; null if someone signs in. */
  testerId: string | null;
}

export async function beginPendingSignIn(db: Queryable, begun: Begun, now: Date): Promise<PendingSignIn> {
  const { browser, ...rest } = begun;
  const state = newToken();
  await insertPendingSignIn(db, { ...rest, hash: hashOf(`${browser} ${state}`), now, life: PENDING_LIFE });
  return pendingSignInOf(browser, state);
}

/**
 * Takes the sign-in that this browser began with this state; null for another browser and the second time. A late one is returned for its
 * page only and must not sign anyone in.
 */
export async function takePendingSignIn(
  db: Queryable,
  { kind, browser, state }: { kind: Begun['kind']; browser: string | undefined; state: string | undefined },
  now: Date,
): Promise<(PendingSignIn & Pick<Begun, 'connectionId' | 'returnTo' | 'testerId'> & { isLate: boolean }) | null> {
  if (browser === undefined || state === undefined) return null;
  const found = await deletePendingSignIn(db, kind, hashOf(`${browser} ${state}`), now);
  return found === null ? null : { ...found, ...pendingSignInOf(browser, state) };
}

function pendingSignInOf(browser: string, state: string): PendingSignIn {
  const derive = (what: string) => hashOf(`${browser} ${state} ${what}`);
  return {
    state,
    nonce: derive('nonce').toString('base64url'),
    codeVerifier: derive('code verifier').toString('base64url'),
    requestId: `_${derive('request').toString('hex')}`,
  };
}
