import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { LinkReason } from '../letters/letter-texts.ts';
import { linkLimitReached, mailLink } from '../letters/send-letters.ts';
import { beginCodeStep } from '../second-factor/code-step.ts';
import { newToken } from '../token-hash.ts';
import { isPasswordExpired, whyClosed } from './account-state.ts';
import { beginSession, type SignedIn, type Visitor } from './begin-session.ts';
import { clearGuesses, deviceHashOf, type Place, placeOf } from './lockout.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { checkPassword } from './password-check.ts';
import { type Candidate, findCandidate, lockPassword } from './queries.ts';
import { secondFactorPolicy } from './second-factor-policy.ts';

export interface SignInDeps {
  db: Database;
  isProduction: boolean;
}

export interface SignInRequest extends Visitor {
  /** In lower case. */
  username: string;
  password: string;
  /** Base address of the links in mails. */
  publicUrl: string;
}

/** The password was right and a verification code is still needed; the token goes into the browser's cookie. */
export interface CodeNeeded {
  next: 'mfa';
  codeStepToken: string;
}

/**
 * Signs in by password. Throws WRONG_PASSWORD, also for a username without an account or whose organization demands single sign-on, and after
 * the same work; LOCKED; and, only if the password was right, USER_DISABLED, USER_NOT_ACTIVATED, PASSWORD_EXPIRED (90 days without a sign-in), or PASSKEY_REQUIRED if policy demands a
 * second factor and a passkey is the only one: the password alone must not be enough to add another. If a link can fix the problem, it
 * is mailed. Sign-ins from one place take turns, so that five windows with the right password do not count as guessing, and the owner
 * does not wait behind a stranger's guesses.
 */
export async function signIn(deps: SignInDeps, request: SignInRequest, now: Date): Promise<SignedIn | CodeNeeded> {
  const { username } = request;
  const { db } = deps;
  const visitor = { ...request, deviceToken: request.deviceToken ?? newToken() };
  const deviceHash = deviceHashOf(visitor.deviceToken, username);
  const candidate = await findCandidate(db, username, deviceHash);
  const place = placeOf(username, deviceHash, candidate?.knowsDevice ?? false);
  return oneAtATime(`${username} ${place.place.toString('hex')}`, () =>
    signInFromPlace(deps, visitor, { candidate, place }, now),
  );
}

async function signInFromPlace(
  deps: SignInDeps,
  request: SignInRequest,
  { candidate, place }: { candidate: Candidate | null; place: Place },
  now: Date,
): Promise<SignedIn | CodeNeeded> {
  const { db } = deps;
  const { username, password, publicUrl } = request;
  const mail = (id: string, reason: LinkReason) =>
    db.transaction((tx) => mailLink(tx, { userId: id, reason, publicUrl }, now));

  const outcome = await checkPassword(db, candidate, { place, password }, now);
  if (outcome === 'wrong') throw new ApiError('WRONG_PASSWORD');
  if (outcome === 'locked' || candidate === null) {
    if (candidate !== null) await mailUnlockLink(db, candidate, request, now);
    throw new ApiError('LOCKED');
  }
  const userId = candidate.id;
  const closed = whyClosed(candidate, now);
  if (closed !== null) {
    await db.transaction((tx) => clearGuesses(tx, place, userId));
    if (closed === 'USER_NOT_ACTIVATED') await mail(userId, 'not-activated');
    if (closed === 'PASSWORD_EXPIRED') await mail(userId, 'inactive');
    throw new ApiError(closed);
  }
  const mustChangePassword = isPasswordExpired(candidate.passwordChangedAt, now);
  const signedIn = await db.transaction<SignedIn | CodeNeeded | 'passkey'>(async (tx) => {
    // The candidate was read before this sign-in's turn came; the password may have changed since.
    const user = await lockPassword(tx, userId, candidate.passwordHash);
    if (user === null) throw new ApiError('WRONG_PASSWORD');
    await clearGuesses(tx, place, userId);
    if (user.mfaOptedIn) return { next: 'mfa', codeStepToken: await beginCodeStep(tx, userId, now) };
    const { isRequired, hasPasskey } = await secondFactorPolicy(tx, userId, deps);
    if (isRequired && hasPasskey) return 'passkey';
    return beginSession(
      tx,
      { userId, username, way: 'password', mustChangePassword, mustEnroll: isRequired },
      request,
      now,
    );
  });
  // Thrown after the commit: the password was right, so the guess must not stay counted.
  if (signedIn === 'passkey') throw new ApiError('PASSKEY_REQUIRED');
  return signedIn;
}

/** Mails the owner a link to unlock. A disabled or not activated account gets none. */
async function mailUnlockLink(
  db: Database,
  { id, disabledAt, activatedAt }: { id: string; disabledAt: string | null; activatedAt: string | null },
  { publicUrl, requestId }: SignInRequest,
  now: Date,
): Promise<void> {
  if (disabledAt !== null || activatedAt === null || (await linkLimitReached(db, id, 'ACCOUNT_UNLOCK', now))) return;
  await db.transaction(async (tx) => {
    const isMailed = await mailLink(tx, { userId: id, reason: 'locked', publicUrl }, now);
    if (!isMailed) return;
    const entry = { action: 'sign-in.locked', subject: 'user', subjectId: id, requestId, now } as const;
    await writeAuditAs(tx, { userId: null }, entry);
  });
}
