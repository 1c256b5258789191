import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { withPurpose } from '#server/platform/database/with-purpose.ts';
import { hashOf } from '../token-hash.ts';
import { type KnownPasskey, lockPasskey } from './queries.ts';
import { relyingParty } from './relying-party.ts';

export interface PasskeyAssertion {
  /** AuthenticationResponseJSON, as the browser sends it. */
  response: Record<string, unknown>;
  publicUrl: string;
}

/**
 * Returns the passkey that signed a challenge of ours, with its new counter; null if anything is wrong. The challenge is used up either way,
 * so the caller has to commit. Locks the passkey and its user.
 */
export async function provePasskey(
  tx: Queryable,
  assertion: PasskeyAssertion,
  now: Date,
): Promise<{ passkey: KnownPasskey; counter: number } | null> {
  const id = assertion.response['id'];
  const passkey = typeof id === 'string' ? await lockPasskey(tx, id) : null;
  const counter = passkey && (await verify(tx, passkey, assertion, now));
  return passkey === null || counter === null ? null : { passkey, counter };
}

/** Returns the authenticator's new counter, or null if anything is wrong. A counter that does not increase means that the key was copied. */
async function verify(
  tx: Queryable,
  { publicKey, counter, transports }: KnownPasskey,
  { response, publicUrl }: PasskeyAssertion,
  now: Date,
): Promise<number | null> {
  const { id, origin } = relyingParty(publicUrl);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => takeChallenge(tx, challenge, now),
      expectedOrigin: origin,
      expectedRPID: id,
      credential: {
        id: String(response['id']),
        publicKey: new Uint8Array(publicKey),
        counter: Number(counter),
        transports,
      },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    // Only our own errors, such as an unreachable database, have `retryable`; the library's mean a refused passkey.
    if (error instanceof Error && 'retryable' in error) throw error;
    return null;
  }
}

async function takeChallenge(tx: Queryable, challenge: string, now: Date): Promise<boolean> {
  // It belongs to no user: the browser asked for it before anyone was known.
  const { rowCount } = await withPurpose(tx, 'sign-in', () =>
    tx.query(sql`
      delete from sign_in_challenges where token_hash = ${hashOf(challenge)} and kind = 'PASSKEY' and expires_at > ${now}`),
  );
  return rowCount > 0;
}
