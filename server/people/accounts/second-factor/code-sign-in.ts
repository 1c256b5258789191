import { UNLOCK_REQUESTED } from '#contract/errors.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { mailLink } from '../letters/send-letters.ts';
import { managedElsewhere } from '../managed-elsewhere.ts';
import {
  type AccountState,
  enter,
  passwordIsOld,
  refusalOf,
  type SignedIn,
  type Visitor,
} from '../sign-in/begin-session.ts';
import { forgetChallenges, takeTry } from './code-step.ts';
import { stepOf } from './codes.ts';
import { useRecoveryCode } from './recovery-codes.ts';

export interface CodeRequest extends Visitor {
  challengeToken: string | undefined;
  /** A time-based code or a recovery code. */
  code: string;
  publicUrl: string;
}

interface Factor extends AccountState {
  username: string;
  secret: string | null;
  lastStep: string | null;
}

/** Nothing where the organisation has taken the sign-in over since the password was given. */
async function lockFactor(tx: Queryable, userId: string): Promise<Factor | undefined> {
  const { rows } = await tx.query<Factor>(sql`
    select username, mfa_secret as secret, mfa_last_step as "lastStep", disabled_at as "disabledAt",
      activated_at as "activatedAt", current_login_at as "currentLoginAt", password_changed_at as "passwordChangedAt"
    from users u where id = ${userId} and not ${managedElsewhere} for no key update`);
  return rows[0];
}

/** Whether the code is right; it is then used up. Of the user's row, which the caller has locked. */
async function takeCode(tx: Queryable, userId: string, factor: Factor, code: string, now: Date) {
  const lastStep = factor.lastStep === null ? null : Number(factor.lastStep);
  const step = factor.secret === null ? null : stepOf(code.replaceAll(/\s/g, ''), factor.secret, lastStep, now);
  if (step !== null) {
    await tx.query(sql`update users set mfa_last_step = ${step} where id = ${userId}`);
    return 'password and code' as const;
  }
  return (await useRecoveryCode(tx, userId, code, now)) ? ('password and recovery code' as const) : null;
}

/**
 * The second step of a sign-in. Throws NOT_SIGNED_IN where no step before it stands (begin again), WRONG_CODE, LOCKED after 15
 * tries a day (the link that unlocks is mailed), and what stands against the account.
 */
export async function signInByCode(db: Database, request: CodeRequest, now: Date): Promise<SignedIn> {
  const { challengeToken, code, publicUrl } = request;
  const asked = challengeToken === undefined ? null : await takeTry(db, challengeToken, now);
  if (asked === null) throw new ApiError('NOT_SIGNED_IN');
  const { userId, isLocked } = asked;
  if (isLocked) {
    await db.transaction((tx) => mailLink(tx, { userId, reason: 'locked', publicUrl }, now));
    throw new ApiError('LOCKED', { message: UNLOCK_REQUESTED });
  }
  return db.transaction(async (tx) => {
    const factor = await lockFactor(tx, userId);
    if (factor === undefined) throw new ApiError('NOT_SIGNED_IN');
    const refusal = refusalOf(factor, now);
    if (refusal !== null) throw new ApiError(refusal);
    const way = await takeCode(tx, userId, factor, code, now);
    if (way === null) throw new ApiError('WRONG_CODE');
    await forgetChallenges(tx, userId);
    const mustChangePassword = passwordIsOld(factor.passwordChangedAt, now);
    return enter(tx, { userId, username: factor.username, way, mustChangePassword }, request, now);
  });
}
