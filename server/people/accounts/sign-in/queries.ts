import type { KnownDevice } from '#contract/users.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { managedElsewhere } from '../managed-elsewhere.ts';
import type { AccountState } from './account-state.ts';

/** The user whose username was typed, before the password is checked. */
export interface Candidate extends AccountState {
  id: string;
  /** Null also where the organization lets no password in: whether one is right must not show. */
  passwordHash: string | null;
  isManagedElsewhere: boolean;
  mfaOptedIn: boolean;
  /** Guesses counted since the owner last signed in or set a password. */
  guesses: number;
  knowsDevice: boolean;
}

/** Returns who signs in under the username, from the browser with this device hash; null without an account. */
export async function findCandidate(db: Queryable, username: string, deviceHash: Buffer): Promise<Candidate | null> {
  const { rows } = await db.query<Candidate>(sql`
    select u.id, case when not ${managedElsewhere} then u.password_hash end as "passwordHash", u.password_changed_at as "passwordChangedAt",
      u.activated_at as "activatedAt", u.disabled_at as "disabledAt", u.current_login_at as "currentLoginAt",
      ${managedElsewhere} as "isManagedElsewhere",
      u.mfa_opted_in as "mfaOptedIn", u.guesses_since_owner_acted as guesses,
      exists (select from devices d where d.token_hash = ${deviceHash} and d.user_id = u.id) as "knowsDevice"
    from users u where u.username = ${username}`);
  return rows[0] ?? null;
}

/**
 * Locks the user's row if the password still has this hash; null if it was changed since. A password change then waits for this
 * transaction, and afterwards ends the session that it began.
 */
export async function lockPassword(
  tx: Queryable,
  userId: string,
  passwordHash: string | null,
): Promise<Pick<Candidate, 'mfaOptedIn'> | null> {
  const { rows } = await tx.query<Pick<Candidate, 'mfaOptedIn'>>(sql`
    select mfa_opted_in as "mfaOptedIn" from users
    where id = ${userId} and password_hash = ${passwordHash} for no key update`);
  return rows[0] ?? null;
}

/** Counts a sign-in and moves its date: current becomes previous. */
export async function recordSignIn(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query(sql`
    update users set previous_login_at = current_login_at, current_login_at = ${now},
      first_login_at = coalesce(first_login_at, ${now}), successful_logins = successful_logins + 1
    where id = ${userId}`);
}

/** `name`: of the browser, for the user who decides which devices to keep. */
export async function rememberDevice(
  db: Queryable,
  { hash, userId, name }: { hash: Buffer; userId: string; name: string },
  now: Date,
): Promise<void> {
  await db.query(sql`
    insert into devices (token_hash, user_id, name, created_at, last_used_at) values (${hash}, ${userId}, ${name}, ${now}, ${now})
    on conflict (token_hash) do update set last_used_at = ${now}, name = ${name}`);
}

/** Returns the browsers that the user has signed in from, latest first. */
export async function listDevices(db: Queryable, userId: string): Promise<KnownDevice[]> {
  const { rows } = await db.query<KnownDevice>(sql`
    select name, last_used_at as "lastUsedDate" from devices where user_id = ${userId} order by last_used_at desc`);
  return rows;
}

/** Makes every browser unknown and returns how many there were. */
export async function forgetDevices(tx: Queryable, userId: string): Promise<number> {
  return (await tx.query(sql`delete from devices where user_id = ${userId}`)).rowCount;
}
