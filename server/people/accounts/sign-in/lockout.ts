/**
 * How often a password may be guessed. Three wrong guesses in a row from one place lock the account for that place, and a hundred guesses
 * from anywhere lock it everywhere, until its owner acts. A place is a browser that the user has signed in from, or all other browsers
 * together; so a stranger's guesses do not lock the owner out. Usernames without an account lock in the same way, so that a lock does not
 * reveal which usernames exist.
 */
import { WRONG_PASSWORDS_BEFORE_LOCK } from '#contract/constants.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { hashOf } from '../token-hash.ts';

export const GUESSES_PER_ACCOUNT = 100;
const UNKNOWN_DEVICES = Buffer.alloc(0);

export interface Place {
  /** Hash of the username. */
  account: Buffer;
  /** Hash of a known device; empty for all unknown devices together. */
  place: Buffer;
}

/** Returns what the server stores of a browser for one user (`devices.token_hash`). */
export const deviceHashOf = (deviceToken: string, username: string): Buffer => hashOf(`${deviceToken} ${username}`);

export const placeOf = (username: string, deviceHash: Buffer, knowsDevice: boolean): Place => ({
  account: hashOf(username),
  place: knowsDevice ? deviceHash : UNKNOWN_DEVICES,
});

/**
 * Counts a guess before the password is compared, so that parallel guesses count too. Returns whether it is the last one if it is wrong,
 * or 'locked' if none is left. `userId` is null for a username without an account.
 */
export async function countGuess(
  db: Queryable,
  { account, place }: Place,
  userId: string | null,
  now: Date,
): Promise<'locked' | { isLast: boolean }> {
  const taken = await db.query<{ wrong_in_a_row: number }>(sql`
    insert into sign_in_places as p (account, place, wrong_in_a_row, tried_at) values (${account}, ${place}, 1, ${now})
    on conflict (account, place) do update set wrong_in_a_row = p.wrong_in_a_row + 1, tried_at = ${now}
      where p.wrong_in_a_row < ${WRONG_PASSWORDS_BEFORE_LOCK}
    returning p.wrong_in_a_row`);
  const [guess] = taken.rows;
  // A locked place costs one statement and nothing more, however often strangers try.
  if (guess === undefined) return 'locked';
  const counted = await db.query(sql`
    update users set guesses_since_owner_acted = guesses_since_owner_acted + 1
    where id = ${userId} and guesses_since_owner_acted < ${GUESSES_PER_ACCOUNT}`);
  if (userId !== null && counted.rowCount === 0) return 'locked';
  return { isLast: guess.wrong_in_a_row >= WRONG_PASSWORDS_BEFORE_LOCK };
}

/** Records when the place was locked, after its last guess was wrong. */
export async function lockPlace(db: Queryable, { account, place }: Place, now: Date): Promise<void> {
  await db.query(sql`update sign_in_places set locked_at = ${now} where account = ${account} and place = ${place}`);
}

/**
 * Resets the place's and the account's counts after a right password. The account is updated first, in the same order as when a password is
 * set, because the opposite order would deadlock with it.
 */
export async function clearGuesses(db: Queryable, { account, place }: Place, userId: string): Promise<void> {
  await db.query(sql`update users set guesses_since_owner_acted = 0 where id = ${userId}`);
  await db.query(sql`delete from sign_in_places where account = ${account} and place = ${place}`);
}

/** Returns whether the next guess from this place would be refused unseen. */
export async function isLocked(db: Queryable, { account, place }: Place, guesses: number): Promise<boolean> {
  if (guesses >= GUESSES_PER_ACCOUNT) return true;
  const { rowCount } = await db.query(sql`
    select from sign_in_places
    where account = ${account} and place = ${place} and wrong_in_a_row >= ${WRONG_PASSWORDS_BEFORE_LOCK}`);
  return rowCount > 0;
}

/** Unlocks an account in every place, after its owner has acted. */
export async function unlockAccount(db: Queryable, userId: string, username: string): Promise<void> {
  await db.query(sql`delete from sign_in_places where account = ${hashOf(username)}`);
  await db.query(sql`update users set guesses_since_owner_acted = 0 where id = ${userId}`);
}
