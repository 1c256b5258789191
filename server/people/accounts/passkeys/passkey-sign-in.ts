import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { noteRefusedUser } from '#server/people/audit/audited-call.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { mailLink } from '../letters/send-letters.ts';
import { whyClosed } from '../sign-in/account-state.ts';
import { beginSession, type SignedIn, type Visitor } from '../sign-in/begin-session.ts';
import { hashOf } from '../token-hash.ts';
import { provePasskey } from './passkey-proof.ts';
import { recordPasskeyUse } from './queries.ts';
import { relyingParty } from './relying-party.ts';

/** In milliseconds. The sign-in page offers passkeys in the username field and may be open for a while. */
const LIFE = 10 * 60 * 1000;

/** Returns what the browser needs to ask for any passkey of this site: no username, and a challenge that works once. */
export async function beginPasskeySignIn(db: Queryable, publicUrl: string, now: Date) {
  const { id: rpID } = relyingParty(publicUrl);
  const options = await generateAuthenticationOptions({ rpID, timeout: LIFE, userVerification: 'required' });
  await db.query(sql`
    insert into sign_in_challenges (token_hash, kind, created_at, expires_at)
    values (${hashOf(options.challenge)}, 'PASSKEY', ${now}, ${new Date(now.getTime() + LIFE)})`);
  return options;
}

export interface PasskeyRequest extends Visitor {
  /** AuthenticationResponseJSON, as the browser sends it. */
  response: Record<string, unknown>;
  publicUrl: string;
}

/**
 * Signs in by passkey, which counts as both factors: the device, and fingerprint, face or PIN. It works while the password is locked.
 * Throws PASSKEY_REFUSED, the reason of `whyClosed`, and MANAGED_ELSEWHERE, because a passkey must not bypass the organization's sign-in.
 */
export async function signInByPasskey(db: Database, request: PasskeyRequest, now: Date): Promise<SignedIn> {
  const { response, publicUrl } = request;
  const outcome = await db.transaction(async (tx) => {
    const proved = await provePasskey(tx, { response, publicUrl }, now);
    if (proved === null) return { refusal: 'PASSKEY_REFUSED' as const, userId: null };
    const { passkey, counter } = proved;
    const { userId, username, isManagedElsewhere } = passkey;
    const refusal = whyClosed(passkey, now) ?? (isManagedElsewhere ? ('MANAGED_ELSEWHERE' as const) : null);
    if (refusal !== null) return { refusal, userId };
    await recordPasskeyUse(tx, passkey.id, counter, now);
    return beginSession(tx, { userId, username, way: 'passkey' }, request, now);
  });
  if (!('refusal' in outcome)) return outcome;
  const { refusal, userId } = outcome;
  if (userId !== null) noteRefusedUser(userId);
  if (userId !== null && (refusal === 'PASSWORD_EXPIRED' || refusal === 'USER_NOT_ACTIVATED')) {
    const reason = refusal === 'PASSWORD_EXPIRED' ? 'inactive' : 'not-activated';
    await db.transaction((tx) => mailLink(tx, { userId, reason, publicUrl }, now));
  }
  throw new ApiError(refusal);
}
