/**
 * How often a password may be guessed (decisions.md, "Lockout"): three wrong ones in a row from one place lock the account for
 * that place, and a hundred in all for every place, until its owner acts. A place is a browser that the user has signed in from, or
 * all others together. Names that nobody has are locked alike, so that a lock does not tell which names exist.
 */
import { WRONG_PASSWORDS_BEFORE_LOCK } from '#contract/constants.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { hashOf } from '../tokens.ts';

export const GUESSES_PER_ACCOUNT = 100;

export interface Place {
  /** The hash of the username. */
  account: Buffer;
  /** The hash of a known device, or empty for all unknown ones. */
  place: Buffer;
}

/**
 * Takes one guess before it is evaluated, so that guesses made at the same time count too. Returns whether it would be the last
 * one if it is wrong, or 'locked' where none is left. `userId` is null for a name that nobody has.
 */
export async function takeGuess(
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
  // Nothing more for a place that is locked: strangers may knock ten thousand times.
  if (guess === undefined) return 'locked';
  const counted = await db.query(sql`
    update users set guesses_since_owner_acted = guesses_since_owner_acted + 1
    where id = ${userId} and guesses_since_owner_acted < ${GUESSES_PER_ACCOUNT}`);
  if (userId !== null && counted.rowCount === 0) return 'locked';
  return { isLast: guess.wrong_in_a_row >= WRONG_PASSWORDS_BEFORE_LOCK };
}

/** Notes when the place was locked: the guess that was the last one was wrong. */
export async function lockPlace(db: Queryable, { account, place }: Place, now: Date): Promise<void> {
  await db.query(sql`update sign_in_places set locked_at = ${now} where account = ${account} and place = ${place}`);
}

/**
 * The password was right: the place starts afresh, and so does the account's count, for its owner has acted. The account first, as with
 * whoever sets a password: two that locked them the other way round would wait for each other.
 */
export async function forgetGuesses(db: Queryable, { account, place }: Place, userId: string): Promise<void> {
  await db.query(sql`update users set guesses_since_owner_acted = 0 where id = ${userId}`);
  await db.query(sql`delete from sign_in_places where account = ${account} and place = ${place}`);
}

/** Whether the next guess from this place would not be evaluated any more. */
export async function isLocked(db: Queryable, { account, place }: Place, guesses: number): Promise<boolean> {
  if (guesses >= GUESSES_PER_ACCOUNT) return true;
  const { rowCount } = await db.query(sql`
    select from sign_in_places
    where account = ${account} and place = ${place} and wrong_in_a_row >= ${WRONG_PASSWORDS_BEFORE_LOCK}`);
  return rowCount > 0;
}

/** Unlocks an account in all places: its owner has acted. */
export async function unlockAccount(db: Queryable, userId: string, username: string): Promise<void> {
  await db.query(sql`delete from sign_in_places where account = ${hashOf(username)}`);
  await db.query(sql`update users set guesses_since_owner_acted = 0 where id = ${userId}`);
}
