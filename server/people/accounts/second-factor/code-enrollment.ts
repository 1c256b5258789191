import { renderSVG } from 'uqr';
import type { RouteAnswer } from '#contract/routes.ts';
import type { SessionUser } from '#server/people/access/session-user.ts';
import { auditOwnAccount } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';
import { mailNotice } from '../letters/send-letters.ts';
import { refuseManagedElsewhere } from '../managed-elsewhere.ts';
import { beginPending, deletePending, tryPending } from '../pending-enrollment.ts';
import { liftEnrollment } from '../sessions/queries.ts';
import { mfaSecretOf } from '../stored-secrets.ts';
import { newSecret, otpauthUrl, timeStepOf } from './codes.ts';
import { deleteRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts';

const KIND = 'MFA_ENROLMENT';
/** In milliseconds: long enough to find the phone and install an app. */
const LIFE = 15 * 60 * 1000;
const TRIES = 10;

export interface EnrollmentDeps {
  db: Database;
  secrets: SecretBox;
  publicUrl: string;
}

/**
 * Begins to set up two-step verification: a secret that counts once a code confirms it. Throws BAD_REQUEST if it is already set up, and
 * MANAGED_ELSEWHERE if the organization signs the user in, because Tidings would never ask for the code.
 */
export async function beginEnrolment(
  { db, secrets }: EnrollmentDeps,
  user: SessionUser,
  issuer: string,
  now: Date,
): Promise<RouteAnswer<'POST /api/users/optIntoMfa'>> {
  await refuseManagedElsewhere(db, user.userId);
  const { rows } = await db.query(sql`select from users where id = ${user.userId} and mfa_opted_in`);
  if (rows.length > 0) throw alreadySetUp();
  const secret = newSecret();
  await beginPending(
    db,
    { kind: KIND, user, detail: { secret: secrets.seal(secret, mfaSecretOf(user.userId)) }, life: LIFE },
    now,
  );
  const url = otpauthUrl(secret, user.username, issuer);
  const qrCode = `data:image/svg+xml;base64,${Buffer.from(renderSVG(url, { border: 4 })).toString('base64')}`;
  return { secret, otpauthUrl: url, qrCode };
}

const alreadySetUp = (): ApiError =>
  new ApiError('BAD_REQUEST', { message: 'Two-step verification is already set up. Turn it off first.' });

/**
 * Turns two-step verification on with a code from the app, notifies the owner and returns the recovery codes. Throws WRONG_CODE; NOT_FOUND if nothing was begun or
 * it has expired; MANAGED_ELSEWHERE; BAD_REQUEST if another session has set it up in the meantime, which only the password can undo.
 */
export async function confirmEnrolment(
  { db, secrets, publicUrl }: EnrollmentDeps,
  user: SessionUser,
  { code, requestId }: { code: string; requestId: string },
  now: Date,
): Promise<string[]> {
  const pending = await tryPending<{ secret: string }>(db, { kind: KIND, user, tries: TRIES }, now);
  if (pending === null) throw new ApiError('NOT_FOUND');
  const step = timeStepOf(code, secrets.open(pending.secret, mfaSecretOf(user.userId)), null, now);
  if (step === null) throw new ApiError('WRONG_CODE');
  return db.transaction(async (tx) => {
    await refuseManagedElsewhere(tx, user.userId);
    await deletePending(tx, { kind: KIND, user });
    const { rowCount } = await tx.query(sql`
      update users set mfa_opted_in = true, mfa_secret = ${pending.secret}, mfa_last_step = ${step}
      where id = ${user.userId} and not mfa_opted_in`);
    if (rowCount === 0) throw alreadySetUp();
    await liftEnrollment(tx, user.userId);
    const what = 'Two-step verification was turned on for your account.';
    await mailNotice(tx, { userId: user.userId, what, publicUrl }, now);
    await auditOwnAccount(tx, user.userId, { action: 'mfa.enrol', requestId, now });
    return renewRecoveryCodes(tx, user.userId);
  });
}

/** Replaces the recovery codes, notifies the owner and returns the new ones. Throws BAD_REQUEST if two-step verification is off. */
export function replaceRecoveryCodes(
  { db, publicUrl }: EnrollmentDeps,
  { userId, requestId }: { userId: string; requestId: string },
  now: Date,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    const { rowCount } = await tx.query(sql`select from users where id = ${userId} and mfa_opted_in for no key update`);
    if (rowCount === 0)
      throw new ApiError('BAD_REQUEST', { message: 'Two-step verification is off. Turn it on first.' });
    const what = 'New recovery codes were made for your account. The earlier ones no longer work.';
    await mailNotice(tx, { userId, what, publicUrl }, now);
    await auditOwnAccount(tx, userId, { action: 'mfa.renew-codes', requestId, now });
    return renewRecoveryCodes(tx, userId);
  });
}

/** Turns two-step verification off, deletes its recovery codes and notifies the owner. Does nothing if it is off. */
export function removeFactor(
  { db, publicUrl }: EnrollmentDeps,
  { userId, requestId }: { userId: string; requestId: string },
  now: Date,
): Promise<void> {
  return db.transaction(async (tx) => {
    const { rowCount } = await tx.query(sql`
      update users set mfa_opted_in = false, mfa_secret = null, mfa_last_step = null
      where id = ${userId} and mfa_opted_in`);
    if (rowCount === 0) return;
    await deleteRecoveryCodes(tx, userId);
    const what = 'Two-step verification was turned off for your account.';
    await mailNotice(tx, { userId, what, publicUrl }, now);
    await auditOwnAccount(tx, userId, { action: 'mfa.remove', requestId, now });
  });
}
