import type { Passkey } from '#contract/users.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { managedElsewhere } from '../managed-elsewhere.ts';
import type { AccountState } from '../sign-in/account-state.ts';

export interface NewPasskey {
  userId: string;
  name: string;
  /** Base64url, as the browser sends it. */
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
}

/** Returns null if the credential is already registered, by any user. */
export async function insertPasskey(tx: Queryable, passkey: NewPasskey, now: Date): Promise<Passkey | null> {
  const { userId, name, credentialId, publicKey, counter, transports } = passkey;
  const { rows } = await tx.query<Passkey>(sql`
    insert into passkeys (user_id, credential_id, public_key, counter, transports, name, created_at)
    values (${userId}, ${credentialId}, ${Buffer.from(publicKey)}, ${counter}, ${transports}::text[], ${name}, ${now})
    on conflict (credential_id) do nothing
    returning id, name, created_at as "createdDate", last_used_at as "lastUsedDate"`);
  return rows[0] ?? null;
}

export async function listPasskeys(db: Queryable, userId: string): Promise<Passkey[]> {
  const { rows } = await db.query<Passkey>(sql`
    select id, name, created_at as "createdDate", last_used_at as "lastUsedDate"
    from passkeys where user_id = ${userId} order by id`);
  return rows;
}

export async function credentialsOf(db: Queryable, userId: string): Promise<{ id: string; transports: string[] }[]> {
  const { rows } = await db.query<{ id: string; transports: string[] }>(
    sql`select credential_id as id, transports from passkeys where user_id = ${userId}`,
  );
  return rows;
}

/** Returns false if the user has no such passkey. */
export async function deletePasskey(tx: Queryable, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql`delete from passkeys where id = ${id} and user_id = ${userId}`);
  return rowCount > 0;
}

/** Deletes all passkeys of a user and returns how many there were. */
export async function deletePasskeys(tx: Queryable, userId: string): Promise<number> {
  return (await tx.query(sql`delete from passkeys where user_id = ${userId}`)).rowCount;
}

export interface KnownPasskey extends AccountState {
  id: string;
  userId: string;
  username: string;
  isManagedElsewhere: boolean;
  publicKey: Buffer;
  counter: string;
  transports: string[];
}

/**
 * Returns a passkey with the account that it opens, and locks both rows: no other sign-in reads the same counter, and no connection links the
 * account before the transaction ends.
 */
export async function lockPasskey(tx: Queryable, credentialId: string): Promise<KnownPasskey | null> {
  const { rows } = await tx.query<KnownPasskey>(sql`
    select p.id, p.user_id as "userId", u.username, ${managedElsewhere} as "isManagedElsewhere", p.public_key as "publicKey", p.counter, p.transports,
      u.disabled_at as "disabledAt", u.activated_at as "activatedAt", u.current_login_at as "currentLoginAt",
      u.password_changed_at as "passwordChangedAt"
    from passkeys p join users u on u.id = p.user_id where p.credential_id = ${credentialId} for no key update`);
  return rows[0] ?? null;
}

export async function recordPasskeyUse(tx: Queryable, id: string, counter: number, now: Date): Promise<void> {
  await tx.query(sql`update passkeys set counter = ${counter}, last_used_at = ${now} where id = ${id}`);
}
