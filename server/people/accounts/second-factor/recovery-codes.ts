/** Recovery codes, for a day without the phone: ten, each good for one sign-in. 49 random bits each, stored as a hash. */
import { randomInt } from 'node:crypto';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { hashOf } from '../token-hash.ts';

const CODES = 10;
/** Leaves out characters that look alike, such as i, l and 1. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

const piece = (): string => Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

const hashOfCode = (userId: string, code: string): Buffer =>
  hashOf(`${userId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);

/** Replaces a user's codes and returns the new ones, to be shown once. */
export async function renewRecoveryCodes(tx: Queryable, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => `${piece()}-${piece()}`);
  await deleteRecoveryCodes(tx, userId);
  await tx.query(sql`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}, unnest(${codes.map((code) => hashOfCode(userId, code))}::bytea[])`);
  return codes;
}

/** Uses a code up; false if it is wrong or already used. Spaces, dashes and case do not matter. */
export async function useRecoveryCode(tx: Queryable, userId: string, code: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update recovery_codes set used_at = ${now}
    where user_id = ${userId} and code_hash = ${hashOfCode(userId, code)} and used_at is null`);
  return rowCount > 0;
}

export async function deleteRecoveryCodes(tx: Queryable, userId: string): Promise<void> {
  await tx.query(sql`delete from recovery_codes where user_id = ${userId}`);
}
