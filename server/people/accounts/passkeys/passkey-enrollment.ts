import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Passkey } from '#contract/users.ts';
import type { SessionUser } from '#server/people/access/session-user.ts';
import { auditOwnAccount } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { mailNotice } from '../letters/send-letters.ts';
import { refuseManagedElsewhere } from '../managed-elsewhere.ts';
import { beginPending, deletePending, tryPending } from '../pending-enrollment.ts';
import { liftEnrollment } from '../sessions/queries.ts';
import { credentialsOf, deletePasskey, insertPasskey } from './queries.ts';
import { ALGORITHMS, relyingParty } from './relying-party.ts';

const KIND = 'PASSKEY_ENROLMENT';
/** In milliseconds. */
const LIFE = 5 * 60 * 1000;

/**
 * Returns what the browser needs to create a passkey that is found without a username and asks for fingerprint, face or PIN. Throws
 * MANAGED_ELSEWHERE if the organization signs the user in.
 */
export async function beginPasskey(db: Database, user: SessionUser, publicUrl: string, now: Date) {
  await refuseManagedElsewhere(db, user.userId);
  const options = await generateRegistrationOptions({
    rpName: 'Tidings',
    rpID: relyingParty(publicUrl).id,
    userName: user.username,
    userID: new TextEncoder().encode(`tidings user ${user.userId}`),
    timeout: LIFE,
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: await credentialsOf(db, user.userId),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await beginPending(db, { kind: KIND, user, detail: { challenge: options.challenge }, life: LIFE }, now);
  return options;
}

export interface PasskeyAnswer {
  name: string;
  /** RegistrationResponseJSON, as the browser sends it. */
  response: Record<string, unknown>;
  publicUrl: string;
  requestId: string;
}

/**
 * Adds the passkey that the browser created. Throws BAD_REQUEST if it was created for another site, too late, or is already registered;
 * MANAGED_ELSEWHERE.
 */
export async function addPasskey(
  db: Database,
  user: SessionUser,
  { name, response, publicUrl, requestId }: PasskeyAnswer,
  now: Date,
): Promise<Passkey> {
  const { userId } = user;
  const pending = await tryPending<{ challenge: string }>(db, { kind: KIND, user, tries: 1 }, now);
  const credential = pending && (await verify(response, pending.challenge, publicUrl));
  if (credential === null) throw new ApiError('BAD_REQUEST', { message: "The passkey couldn't be added. Try again." });
  return db.transaction(async (tx) => {
    await refuseManagedElsewhere(tx, userId);
    await deletePending(tx, { kind: KIND, user });
    const { id: credentialId, publicKey, counter, transports = [] } = credential;
    const added = await insertPasskey(tx, { userId, name, credentialId, publicKey, counter, transports }, now);
    if (added === null) throw new ApiError('BAD_REQUEST', { message: 'This passkey is already registered.' });
    await liftEnrollment(tx, userId);
    await mailNotice(tx, { userId, what: 'A passkey was added to your account.', publicUrl }, now);
    await auditOwnAccount(tx, userId, { action: 'passkey.add', detail: { passkeyId: added.id }, requestId, now });
    return added;
  });
}

/** Returns null for anything that the library refuses, whatever the reason. */
async function verify(response: Record<string, unknown>, expectedChallenge: string, publicUrl: string) {
  const { id, origin } = relyingParty(publicUrl);
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return registrationInfo?.credential ?? null;
  } catch {
    return null;
  }
}

/** Removes a passkey and notifies the owner. Throws NOT_FOUND. */
export async function removePasskey(
  db: Database,
  { userId, id, publicUrl, requestId }: { userId: string; id: string; publicUrl: string; requestId: string },
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await deletePasskey(tx, userId, id))) throw new ApiError('NOT_FOUND');
    await mailNotice(tx, { userId, what: 'A passkey was removed from your account.', publicUrl }, now);
    await auditOwnAccount(tx, userId, { action: 'passkey.remove', detail: { passkeyId: id }, requestId, now });
  });
}
