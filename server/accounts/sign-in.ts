import { INACTIVITY_LOCK_DAYS, PASSWORD_EXPIRES_AFTER_DAYS } from '#contract/constants.ts';
import type { ErrorKey } from '#contract/errors.ts';
import { ApiError } from '#server/api-error.ts';
import type { Database } from '#server/database/pool.ts';
import { forgetGuesses, lockPlace, type Place, takeGuess } from './lockout-queries.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { passwordMatches } from './passwords.ts';
import { type Candidate, findCandidate, noteSignIn, rememberDevice } from './queries.ts';
import { endSession } from './session-queries.ts';
import { createSession } from './sessions.ts';
import { hashOf, newToken } from './tokens.ts';

export interface SignInRequest {
  /** In lower case. */
  username: string;
  password: string;
  /** What the browser's cookies say, if anything. */
  deviceToken: string | undefined;
  sessionToken: string | undefined;
}

export interface SignedIn {
  next: 'home' | 'change-password';
  sessionToken: string;
  deviceToken: string;
}

const DAY = 24 * 60 * 60 * 1000;
const NOWHERE_KNOWN = Buffer.alloc(0);

/** Whole days from an instant to another. */
export const daysBetween = (from: string, to: Date): number => Math.floor((to.getTime() - Date.parse(from)) / DAY);

/**
 * Signs in by password. Throws WRONG_PASSWORD, alike and after the same work for a name that nobody has; LOCKED; and, to those who
 * know the password only, USER_DISABLED, USER_NOT_ACTIVATED, PASSWORD_EXPIRED (90 days without a sign-in). Attempts on one account take
 * turns: somebody with the right password in five windows at once is not somebody who guesses.
 */
export function signIn(db: Database, request: SignInRequest, now: Date): Promise<SignedIn> {
  return oneAtATime(request.username, () => attempt(db, request, now));
}

async function attempt(db: Database, request: SignInRequest, now: Date): Promise<SignedIn> {
  const { username, password } = request;
  const deviceToken = request.deviceToken ?? newToken();
  const deviceHash = hashOf(`${deviceToken} ${username}`);
  const candidate = await findCandidate(db, username, deviceHash);
  const place: Place = { account: hashOf(username), place: candidate?.knowsDevice ? deviceHash : NOWHERE_KNOWN };

  const guess = await takeGuess(db, place, candidate?.id ?? null, now);
  if (guess === 'locked') throw new ApiError('LOCKED');
  const matches = await passwordMatches(candidate?.passwordHash ?? null, password);
  if (candidate === null || !matches) {
    if (!guess.isLast) throw new ApiError('WRONG_PASSWORD');
    await lockPlace(db, place, now);
    throw new ApiError('LOCKED');
  }

  const refusal = refusalOf(candidate, now);
  const sessionToken = await db.transaction(async (tx) => {
    await forgetGuesses(tx, place, candidate.id);
    if (refusal !== null) return null;
    await noteSignIn(tx, candidate.id, now);
    await rememberDevice(tx, deviceHash, candidate.id, now);
    if (request.sessionToken !== undefined) await endSession(tx, hashOf(request.sessionToken), now);
    return createSession(tx, candidate.id, now);
  });
  if (sessionToken === null) throw new ApiError(refusal ?? 'INTERNAL');
  return { next: passwordIsOld(candidate, now) ? 'change-password' : 'home', sessionToken, deviceToken };
}

function refusalOf(candidate: Candidate, now: Date): ErrorKey | null {
  if (candidate.disabledAt !== null) return 'USER_DISABLED';
  if (candidate.activatedAt === null) return 'USER_NOT_ACTIVATED';
  const lastSignIn = candidate.currentLoginAt ?? candidate.activatedAt;
  return daysBetween(lastSignIn, now) >= INACTIVITY_LOCK_DAYS ? 'PASSWORD_EXPIRED' : null;
}

const passwordIsOld = ({ passwordChangedAt }: Candidate, now: Date): boolean =>
  passwordChangedAt !== null && daysBetween(passwordChangedAt, now) >= PASSWORD_EXPIRES_AFTER_DAYS;
