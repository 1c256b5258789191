import { renderSVG } from 'uqr';
import type { RouteAnswer } from '#contract/routes.ts';
import type { SessionUser } from '#server/people/access/session-user.ts';
import { auditOwnAccount } from '#server/people/audit/write-audit.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { refuseManagedElsewhere } from '../managed-elsewhere.ts';
import { beginPending, deletePending, tryPending } from '../pending-enrollment.ts';
import { newSecret, otpauthUrl, timeStepOf } from './codes.ts';
import { deleteRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts';

const KIND = 'MFA_ENROLMENT';
/** In milliseconds: long enough to find the phone and install an app. */
const LIFE = 15 * 60 * 1000;
const TRIES = 10;

/**
 * Begins to set up two-step verification: a secret that counts once a code confirms it. Throws BAD_REQUEST if it is already set up, and
 * MANAGED_ELSEWHERE if the organization signs the user in, because Tidings would never ask for the code.
 */
export async function beginEnrolment(
  db: Database,
  user: SessionUser,
  issuer: string,
  now: Date,
): Promise<RouteAnswer<'POST /api/users/optIntoMfa'>> {
  await refuseManagedElsewhere(db, user.userId);
  const { rows } = await db.query(sql`select from users where id = ${user.userId} and mfa_opted_in`);
  if (rows.length > 0) throw alreadySetUp();
  const secret = newSecret();
  await beginPending(db, { kind: KIND, user, detail: { secret }, life: LIFE }, now);
  const url = otpauthUrl(secret, user.username, issuer);
  const qrCode = `data:image/svg+xml;base64,${Buffer.from(renderSVG(url, { border: 4 })).toString('base64')}`;
  return { secret, otpauthUrl: url, qrCode };
}

const alreadySetUp = (): ApiError =>
  new ApiError('BAD_REQUEST', { message: 'Two-step verification is already set up. Turn it off first.' });

/**
 * Turns two-step verification on with a code from the app and returns the recovery codes. Throws WRONG_CODE; NOT_FOUND if nothing was begun or
 * it has expired; MANAGED_ELSEWHERE; BAD_REQUEST if another session has set it up in the meantime, which only the password can undo.
 */
export async function confirmEnrolment(
  db: Database,
  user: SessionUser,
  { code, requestId }: { code: string; requestId: string },
  now: Date,
): Promise<string[]> {
  const pending = await tryPending<{ secret: string }>(db, { kind: KIND, user, tries: TRIES }, now);
  if (pending === null) throw new ApiError('NOT_FOUND');
  const step = timeStepOf(code, pending.secret, null, now);
  if (step === null) throw new ApiError('WRONG_CODE');
  return db.transaction(async (tx) => {
    await refuseManagedElsewhere(tx, user.userId);
    await deletePending(tx, { kind: KIND, user });
    const { rowCount } = await tx.query(sql`
      update users set mfa_opted_in = true, mfa_secret = ${pending.secret}, mfa_last_step = ${step}
      where id = ${user.userId} and not mfa_opted_in`);
    if (rowCount === 0) throw alreadySetUp();
    await auditOwnAccount(tx, user.userId, { action: 'mfa.enrol', requestId, now });
    return renewRecoveryCodes(tx, user.userId);
  });
}

/** Turns two-step verification off and deletes its recovery codes. The caller has confirmed the password. */
export async function removeFactor(
  tx: Queryable,
  { userId, requestId }: { userId: string; requestId: string },
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update users set mfa_opted_in = false, mfa_secret = null, mfa_last_step = null where id = ${userId}`);
  await deleteRecoveryCodes(tx, userId);
  await auditOwnAccount(tx, userId, { action: 'mfa.remove', requestId, now });
}
