import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { mailLink } from '../letters/send-letters.ts';
import { enter, refusalOf, type SignedIn, type Visitor } from '../sign-in/begin-session.ts';
import { hashOf } from '../token-hash.ts';
import { type KnownPasskey, lockPasskey, notePasskeyUse } from './queries.ts';
import { relyingParty } from './relying-party.ts';

/** In milliseconds: a page that offers passkeys beside the username field may stand open for a while. */
const LIFE = 10 * 60 * 1000;

/** What the browser needs to ask for a passkey of whoever sits there: no username, a challenge that works once. */
export async function beginPasskeySignIn(db: Queryable, publicUrl: string, now: Date) {
  const { id: rpID } = relyingParty(publicUrl);
  const options = await generateAuthenticationOptions({ rpID, timeout: LIFE, userVerification: 'required' });
  await db.query(sql`
    insert into sign_in_challenges (token_hash, kind, created_at, expires_at)
    values (${hashOf(options.challenge)}, 'PASSKEY', ${now}, ${new Date(now.getTime() + LIFE)})`);
  return options;
}

export interface PasskeyRequest extends Visitor {
  /** AuthenticationResponseJSON, as the browser gives it. */
  response: Record<string, unknown>;
  publicUrl: string;
}

/**
 * Signs in by passkey, which is two factors in one (something one has, a finger, face or PIN). Locks of the password do not matter. Throws
 * PASSKEY_REFUSED, what stands against the account, and MANAGED_ELSEWHERE: where the organisation signs in, nothing here goes past it.
 */
export async function signInByPasskey(db: Database, request: PasskeyRequest, now: Date): Promise<SignedIn> {
  const { response, publicUrl } = request;
  const outcome = await db.transaction(async (tx) => {
    const passkey = typeof response['id'] === 'string' ? await lockPasskey(tx, response['id']) : null;
    const counter = passkey && (await verify(tx, passkey, request, now));
    if (passkey === null || counter === null) return { refusal: 'PASSKEY_REFUSED' as const, userId: null };
    const { userId, username, isManagedElsewhere } = passkey;
    const refusal = refusalOf(passkey, now) ?? (isManagedElsewhere ? ('MANAGED_ELSEWHERE' as const) : null);
    if (refusal !== null) return { refusal, userId };
    await notePasskeyUse(tx, passkey.id, counter, now);
    return enter(tx, { userId, username, way: 'passkey' }, request, now);
  });
  if (!('refusal' in outcome)) return outcome;
  const { refusal, userId } = outcome;
  if (userId !== null && (refusal === 'PASSWORD_EXPIRED' || refusal === 'USER_NOT_ACTIVATED')) {
    const reason = refusal === 'PASSWORD_EXPIRED' ? 'inactive' : 'not-activated';
    await db.transaction((tx) => mailLink(tx, { userId, reason, publicUrl }, now));
  }
  throw new ApiError(refusal);
}

/** The authenticator's new counter; null where anything is not as it should be. A counter that went back is a copy of the key. */
async function verify(
  tx: Queryable,
  { publicKey, counter, transports }: KnownPasskey,
  { response, publicUrl }: PasskeyRequest,
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
    // Ours, such as a database that is away; the library's own errors are plain.
    if (error instanceof Error && 'retryable' in error) throw error;
    return null;
  }
}

async function takeChallenge(tx: Queryable, challenge: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    delete from sign_in_challenges where token_hash = ${hashOf(challenge)} and kind = 'PASSKEY' and expires_at > ${now}`);
  return rowCount > 0;
}
