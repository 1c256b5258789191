import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { mailLink } from '../letters/send-letters.ts';
import { passwordMatches } from '../passwords/password-hash.ts';
import { hashOf } from '../token-hash.ts';
import { forgetGuesses, lockPlace, type Place, takeGuess } from './lockout.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { findCandidate } from './queries.ts';

const NOWHERE_KNOWN = Buffer.alloc(0);

/** What stands of a browser for a user: `devices.token_hash`. */
export const deviceHashOf = (deviceToken: string, username: string): Buffer => hashOf(`${deviceToken} ${username}`);

/** From where a password is guessed: a device that the user has signed in from, or all others together. */
export const placeOf = (username: string, deviceHash: Buffer, knowsDevice: boolean): Place => ({
  account: hashOf(username),
  place: knowsDevice ? deviceHash : NOWHERE_KNOWN,
});

/**
 * Evaluates a password once it is counted (`lockout-queries.ts`). 'locked': it was not evaluated, or was the last one and wrong. Who is
 * right has the guesses of the place forgotten by the caller.
 */
export async function guessPassword(
  db: Database,
  user: { id: string; passwordHash: string | null } | null,
  { place, password }: { place: Place; password: string },
  now: Date,
): Promise<'right' | 'wrong' | 'locked'> {
  const guess = await takeGuess(db, place, user?.id ?? null, now);
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
 * Asks a signed-in user for the password once more; guesses count as at the sign-in, for whoever finds a page open. Throws
 * WRONG_PASSWORD; LOCKED, and mails the link that unlocks; MANAGED_ELSEWHERE where there is no password.
 */
export function confirmPassword(db: Database, asked: Confirmation, now: Date): Promise<void> {
  const { userId, username, password, deviceToken = '', publicUrl } = asked;
  return oneAtATime(`${username} confirms`, async () => {
    const deviceHash = deviceHashOf(deviceToken, username);
    const candidate = await findCandidate(db, username, deviceHash);
    if (candidate === null || candidate.passwordHash === null) throw new ApiError('MANAGED_ELSEWHERE');
    const place = placeOf(username, deviceHash, candidate.knowsDevice);
    const answer = await guessPassword(db, candidate, { place, password }, now);
    if (answer === 'wrong') throw new ApiError('WRONG_PASSWORD', { message: 'The password is not right.' });
    if (answer === 'locked') {
      await db.transaction((tx) => mailLink(tx, { userId, reason: 'locked', publicUrl }, now));
      throw new ApiError('LOCKED');
    }
    await db.transaction((tx) => forgetGuesses(tx, place, userId));
  });
}
