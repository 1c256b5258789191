import type { SsoConnection } from '#contract/admin.ts';
import { hashOf, newToken } from '#server/people/accounts/token-hash.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { deleteChallenge, insertChallenge } from './queries.ts';

/** A sign-in at the other side is finished within this time, in milliseconds, or begun anew. */
export const CHALLENGE_LIFE = 10 * 60 * 1000;

/**
 * What the two legs of one sign-in have in common. All of it follows from the state and from the browser's cookie, which together only
 * that browser can show; the database knows a hash of the two and can tell none of it.
 */
export interface Challenge {
  /** Goes through the other side and comes back: OAuth's `state`, SAML's `RelayState`. */
  state: string;
  /** Stands in the ID token (OpenID Connect Core 1.0, 3.1.2.1). */
  nonce: string;
  /** PKCE (RFC 7636): 43 characters. */
  codeVerifier: string;
  /** SAML: the ID of our request, which the assertion answers. */
  requestId: string;
}

interface Begun {
  kind: SsoConnection['kind'];
  connectionId: string;
  /** The browser's own secret (`browser-cookie.ts`). */
  browser: string;
  /** Where the user wanted to go. */
  returnTo: string;
}

export async function beginChallenge(db: Queryable, begun: Begun, now: Date): Promise<Challenge> {
  const { browser, ...rest } = begun;
  const state = newToken();
  await insertChallenge(db, { ...rest, hash: hashOf(`${browser} ${state}`), now, life: CHALLENGE_LIFE });
  return challengeOf(browser, state);
}

/** The challenge that this browser began with this state, once; null for another browser or a second time. One that is late counts no longer. */
export async function takeChallenge(
  db: Queryable,
  { kind, browser, state }: { kind: Begun['kind']; browser: string | undefined; state: string | undefined },
  now: Date,
): Promise<(Challenge & Pick<Begun, 'connectionId' | 'returnTo'> & { isLate: boolean }) | null> {
  if (browser === undefined || state === undefined) return null;
  const found = await deleteChallenge(db, kind, hashOf(`${browser} ${state}`), now);
  return found === null ? null : { ...found, ...challengeOf(browser, state) };
}

function challengeOf(browser: string, state: string): Challenge {
  const derive = (what: string) => hashOf(`${browser} ${state} ${what}`);
  return {
    state,
    nonce: derive('nonce').toString('base64url'),
    codeVerifier: derive('code verifier').toString('base64url'),
    requestId: `_${derive('request').toString('hex')}`,
  };
}
