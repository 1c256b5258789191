import { renderSVG } from 'uqr';
import type { RouteAnswer } from '#contract/routes.ts';
import type { SessionUser } from '#server/people/access/session-user.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { refuseManagedElsewhere } from '../managed-elsewhere.ts';
import { findPending, putPending, takePending } from '../pending-enrollment.ts';
import { newSecret, otpauthUrl, stepOf } from './codes.ts';
import { forgetRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts';

const KIND = 'MFA_ENROLMENT';
/** In milliseconds: long enough to find the phone and install an app. */
const LIFE = 15 * 60 * 1000;
const TRIES = 10;

/**
 * Begins to enrol: a secret that counts only once it is confirmed by a code. Throws BAD_REQUEST where one is in use; MANAGED_ELSEWHERE
 * where the organisation signs the user in, for nobody would ever ask for the code.
 */
export async function beginEnrolment(
  db: Database,
  user: SessionUser,
  issuer: string,
  now: Date,
): Promise<RouteAnswer<'POST /api/users/optIntoMfa'>> {
  await refuseManagedElsewhere(db, user.userId);
  const { rows } = await db.query(sql`select from users where id = ${user.userId} and mfa_opted_in`);
  if (rows.length > 0) throw isThereAlready();
  const secret = newSecret();
  await putPending(db, { kind: KIND, user, detail: { secret }, life: LIFE }, now);
  const url = otpauthUrl(secret, user.username, issuer);
  const qrCode = `data:image/svg+xml;base64,${Buffer.from(renderSVG(url, { border: 4 })).toString('base64')}`;
  return { secret, otpauthUrl: url, qrCode };
}

const isThereAlready = (): ApiError =>
  new ApiError('BAD_REQUEST', { message: 'A second factor is set up already. Remove it first.' });

/**
 * Confirms by a code of the app; answers the recovery codes. Throws WRONG_CODE; NOT_FOUND where nothing was begun, or too long ago;
 * MANAGED_ELSEWHERE; BAD_REQUEST where another session has set one up meanwhile, which only who knows the password takes away.
 */
export async function confirmEnrolment(
  db: Database,
  user: SessionUser,
  { code, requestId }: { code: string; requestId: string },
  now: Date,
): Promise<string[]> {
  const pending = await findPending<{ secret: string }>(db, { kind: KIND, user, tries: TRIES }, now);
  if (pending === null) throw new ApiError('NOT_FOUND');
  const step = stepOf(code, pending.secret, null, now);
  if (step === null) throw new ApiError('WRONG_CODE');
  return db.transaction(async (tx) => {
    await refuseManagedElsewhere(tx, user.userId);
    await takePending(tx, { kind: KIND, user });
    const { rowCount } = await tx.query(sql`
      update users set mfa_opted_in = true, mfa_secret = ${pending.secret}, mfa_last_step = ${step}
      where id = ${user.userId} and not mfa_opted_in`);
    if (rowCount === 0) throw isThereAlready();
    await audit(tx, user.userId, 'mfa.enrol', requestId, now);
    return renewRecoveryCodes(tx, user.userId);
  });
}

/** Takes the second factor away, with its recovery codes; who asks for it has confirmed the password. */
export async function removeFactor(
  tx: Queryable,
  { userId, requestId }: { userId: string; requestId: string },
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update users set mfa_opted_in = false, mfa_secret = null, mfa_last_step = null where id = ${userId}`);
  await forgetRecoveryCodes(tx, userId);
  await audit(tx, userId, 'mfa.remove', requestId, now);
}

const audit = (tx: Queryable, userId: string, action: string, requestId: string, now: Date): Promise<void> =>
  writeAuditAs(tx, { userId }, { action, subject: 'user', subjectId: userId, requestId, now });
