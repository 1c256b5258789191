import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { LinkReason } from '../letters/letter-texts.ts';
import { isEnough, mailLink } from '../letters/send-letters.ts';
import { beginChallenge } from '../second-factor/code-step.ts';
import { newToken } from '../token-hash.ts';
import { enter, passwordIsOld, refusalOf, type SignedIn, type Visitor } from './begin-session.ts';
import { forgetGuesses, type Place } from './lockout.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { deviceHashOf, guessPassword, placeOf } from './password-check.ts';
import { type Candidate, findCandidate, lockPassword } from './queries.ts';

export interface SignInRequest extends Visitor {
  /** In lower case. */
  username: string;
  password: string;
  /** Where the links of mails lead. */
  publicUrl: string;
}

/** The password was right, a code is still wanted; the token is for the browser's cookie. */
export interface CodeWanted {
  next: 'mfa';
  challengeToken: string;
}

/**
 * Signs in by password. Throws WRONG_PASSWORD, alike and after the same work for a name that nobody has; LOCKED; and, to those who
 * know the password only, USER_DISABLED, USER_NOT_ACTIVATED, PASSWORD_EXPIRED (90 days without a sign-in). Those that a link can mend mail
 * it. Attempts from one place take turns: somebody with the right password in five windows at once is not somebody who guesses, and
 * nobody waits behind a stranger's guesses.
 */
export async function signIn(db: Database, request: SignInRequest, now: Date): Promise<SignedIn | CodeWanted> {
  const { username } = request;
  const visitor = { ...request, deviceToken: request.deviceToken ?? newToken() };
  const deviceHash = deviceHashOf(visitor.deviceToken, username);
  const candidate = await findCandidate(db, username, deviceHash);
  const place = placeOf(username, deviceHash, candidate?.knowsDevice ?? false);
  return oneAtATime(`${username} ${place.place.toString('hex')}`, () =>
    attempt(db, visitor, { candidate, place }, now),
  );
}

async function attempt(
  db: Database,
  request: SignInRequest,
  { candidate, place }: { candidate: Candidate | null; place: Place },
  now: Date,
): Promise<SignedIn | CodeWanted> {
  const { username, password, publicUrl } = request;
  const mail = (id: string, reason: LinkReason) =>
    db.transaction((tx) => mailLink(tx, { userId: id, reason, publicUrl }, now));

  const answer = await guessPassword(db, candidate, { place, password }, now);
  if (answer === 'wrong') throw new ApiError('WRONG_PASSWORD');
  if (answer === 'locked' || candidate === null) {
    if (candidate !== null) await noteLock(db, candidate, request, now);
    throw new ApiError('LOCKED');
  }
  const userId = candidate.id;
  const refusal = refusalOf(candidate, now);
  if (refusal !== null) {
    await db.transaction((tx) => forgetGuesses(tx, place, userId));
    if (refusal === 'USER_NOT_ACTIVATED') await mail(userId, 'not-activated');
    if (refusal === 'PASSWORD_EXPIRED') await mail(userId, 'inactive');
    throw new ApiError(refusal);
  }
  const mustChangePassword = passwordIsOld(candidate.passwordChangedAt, now);
  return db.transaction(async (tx) => {
    // The candidate was read before this attempt's turn came.
    const user = await lockPassword(tx, userId, candidate.passwordHash);
    if (user === null) throw new ApiError('WRONG_PASSWORD');
    await forgetGuesses(tx, place, userId);
    if (user.mfaOptedIn) return { next: 'mfa', challengeToken: await beginChallenge(tx, userId, now) };
    return enter(tx, { userId, username, way: 'password', mustChangePassword }, request, now);
  });
}

/** A link that unlocks goes to whoever is there to get it; a disabled account stays as it is. */
async function noteLock(
  db: Database,
  { id, disabledAt, activatedAt }: { id: string; disabledAt: string | null; activatedAt: string | null },
  { publicUrl, requestId }: SignInRequest,
  now: Date,
): Promise<void> {
  if (disabledAt !== null || activatedAt === null || (await isEnough(db, id, 'ACCOUNT_UNLOCK', now))) return;
  await db.transaction(async (tx) => {
    const isMailed = await mailLink(tx, { userId: id, reason: 'locked', publicUrl }, now);
    if (!isMailed) return;
    const entry = { action: 'sign-in.locked', subject: 'user', subjectId: id, requestId, now } as const;
    await writeAuditAs(tx, { userId: null }, entry);
  });
}
