import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { mailLink } from '../letters/send-letters.ts';
import { passwordMatches } from '../passwords/password-hash.ts';
import { clearGuesses, countGuess, deviceHashOf, lockPlace, type Place, placeOf } from './lockout.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { findCandidate } from './queries.ts';

/**
 * Counts a guess (`lockout.ts`) and compares the password. 'locked' means that it was not compared, or was wrong and the last one allowed.
 * After 'right' the caller clears the guesses.
 */
export async function checkPassword(
  db: Database,
  user: { id: string; passwordHash: string | null } | null,
  { place, password }: { place: Place; password: string },
  now: Date,
): Promise<'right' | 'wrong' | 'locked'> {
  const guess = await countGuess(db, place, user?.id ?? null, now);
  if (guess === 'locked') return 'locked';
  if ((await passwordMatches(user?.passwordHash ?? null, password)) && user !== null) return 'right';
  if (!guess.isLast) return 'wrong';
  await lockPlace(db, place, now);
  return 'locked';
}

export interface Confirmation {
  userId: string;
  username: string;
  password: string;
  deviceToken: string | undefined;
  publicUrl: string;
}

/**
 * Confirms a signed-in user's password. Wrong guesses count as at sign-in, because someone else may have found the page open. Throws
 * WRONG_PASSWORD; LOCKED, after mailing a link to unlock; MANAGED_ELSEWHERE if the account has no password, or the organization signs
 * the user in.
 */
export function confirmPassword(db: Database, confirmation: Confirmation, now: Date): Promise<void> {
  const { userId, username, password, deviceToken = '', publicUrl } = confirmation;
  return oneAtATime(`${username} confirms`, async () => {
    const deviceHash = deviceHashOf(deviceToken, username);
    const candidate = await findCandidate(db, username, deviceHash);
    if (candidate === null || candidate.passwordHash === null || candidate.isManagedElsewhere)
      throw new ApiError('MANAGED_ELSEWHERE');
    const place = placeOf(username, deviceHash, candidate.knowsDevice);
    const outcome = await checkPassword(db, candidate, { place, password }, now);
    if (outcome === 'wrong') throw new ApiError('WRONG_PASSWORD', { message: 'Incorrect password. Try again.' });
    if (outcome === 'locked') {
      await db.transaction((tx) => mailLink(tx, { userId, reason: 'locked', publicUrl }, now));
      throw new ApiError('LOCKED');
    }
    await db.transaction((tx) => clearGuesses(tx, place, userId));
  });
}
