import { UNLOCK_REQUESTED } from '#contract/errors.ts';
import { noteRefusedUser } from '#server/people/audit/audited-call.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { mailLink } from '../letters/send-letters.ts';
import { managedElsewhere } from '../managed-elsewhere.ts';
import { type AccountState, isPasswordExpired, whyClosed } from '../sign-in/account-state.ts';
import { beginSession, type SignedIn, type Visitor } from '../sign-in/begin-session.ts';
import { countCodeTry, endCodeSteps } from './code-step.ts';
import { timeStepOf } from './codes.ts';
import { useRecoveryCode } from './recovery-codes.ts';

export interface CodeRequest extends Visitor {
  codeStepToken: string | undefined;
  /** A time-based code or a recovery code. */
  code: string;
  publicUrl: string;
}

interface Factor extends AccountState {
  username: string;
  secret: string | null;
  lastStep: string | null;
}

/** Returns undefined if the organization has taken over the sign-in since the password was checked. */
async function lockFactor(tx: Queryable, userId: string): Promise<Factor | undefined> {
  const { rows } = await tx.query<Factor>(sql`
    select username, mfa_secret as secret, mfa_last_step as "lastStep", disabled_at as "disabledAt",
      activated_at as "activatedAt", current_login_at as "currentLoginAt", password_changed_at as "passwordChangedAt"
    from users u where id = ${userId} and not ${managedElsewhere} for no key update`);
  return rows[0];
}

/** Uses the code up and returns how the user signed in; null if it is wrong. The caller has locked the user's row. */
async function takeCode(tx: Queryable, userId: string, factor: Factor, code: string, now: Date) {
  const lastStep = factor.lastStep === null ? null : Number(factor.lastStep);
  const timeStep = factor.secret === null ? null : timeStepOf(code.replaceAll(/\s/g, ''), factor.secret, lastStep, now);
  if (timeStep !== null) {
    await tx.query(sql`update users set mfa_last_step = ${timeStep} where id = ${userId}`);
    return 'password and code' as const;
  }
  return (await useRecoveryCode(tx, userId, code, now)) ? ('password and recovery code' as const) : null;
}

/**
 * The second step of a sign-in. Throws NOT_SIGNED_IN if the first step is missing or over; WRONG_CODE; LOCKED after 15 tries in a day, after
 * mailing a link to unlock; and the reason of `whyClosed`.
 */
export async function signInByCode(db: Database, request: CodeRequest, now: Date): Promise<SignedIn> {
  const { codeStepToken, code, publicUrl } = request;
  const step = codeStepToken === undefined ? null : await countCodeTry(db, codeStepToken, now);
  if (step === null) throw new ApiError('NOT_SIGNED_IN');
  const { userId, isLocked } = step;
  noteRefusedUser(userId);
  if (isLocked) {
    await db.transaction((tx) => mailLink(tx, { userId, reason: 'locked', publicUrl }, now));
    throw new ApiError('LOCKED', { message: UNLOCK_REQUESTED });
  }
  return db.transaction(async (tx) => {
    const factor = await lockFactor(tx, userId);
    if (factor === undefined) throw new ApiError('NOT_SIGNED_IN');
    const closed = whyClosed(factor, now);
    if (closed !== null) throw new ApiError(closed);
    const way = await takeCode(tx, userId, factor, code, now);
    if (way === null) throw new ApiError('WRONG_CODE');
    await endCodeSteps(tx, userId);
    const mustChangePassword = isPasswordExpired(factor.passwordChangedAt, now);
    return beginSession(tx, { userId, username: factor.username, way, mustChangePassword }, request, now);
  });
}
