import { UNLOCK_REQUESTED } from '#contract/errors.ts';
import { noteRefusedUser } from '#server/people/audit/audited-call.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';
import { mailLink } from '../letters/send-letters.ts';
import { isPasswordExpired, whyClosed } from '../sign-in/account-state.ts';
import { beginSession, type SignedIn, type Visitor } from '../sign-in/begin-session.ts';
import { countCodeTry, endCodeSteps } from './code-step.ts';
import { lockFactor, takeCode } from './take-code.ts';

export interface CodeRequest extends Visitor {
  codeStepToken: string | undefined;
  /** A time-based code or a recovery code. */
  code: string;
  publicUrl: string;
}

/**
 * The second step of a sign-in. Throws NOT_SIGNED_IN if the first step is missing or over; WRONG_CODE; LOCKED after 15 tries in a day, after
 * mailing a link to unlock; and the reason of `whyClosed`.
 */
export async function signInByCode(
  { db, secrets }: { db: Database; secrets: SecretBox },
  request: CodeRequest,
  now: Date,
): Promise<SignedIn> {
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
    const kind = await takeCode(tx, secrets, { userId, factor, code }, now);
    if (kind === null) throw new ApiError('WRONG_CODE');
    await endCodeSteps(tx, userId);
    const mustChangePassword = isPasswordExpired(factor.passwordChangedAt, now);
    const way = kind === 'code' ? 'password and code' : 'password and recovery code';
    return beginSession(tx, { userId, username: factor.username, way, mustChangePassword }, request, now);
  });
}
