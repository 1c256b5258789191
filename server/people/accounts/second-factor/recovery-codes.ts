/** Recovery codes: ten for a day without the phone, each for once. 49 bits each, kept as a hash. */
import { randomInt } from 'node:crypto';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { hashOf } from '../token-hash.ts';

const HOW_MANY = 10;
/** None that looks like another. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

const piece = (): string => Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

const hashOfCode = (userId: string, code: string): Buffer =>
  hashOf(`${userId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);

/** Replaces a user's codes; the new ones are shown once. */
export async function renewRecoveryCodes(tx: Queryable, userId: string): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, () => `${piece()}-${piece()}`);
  await forgetRecoveryCodes(tx, userId);
  await tx.query(sql`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}, unnest(${codes.map((code) => hashOfCode(userId, code))}::bytea[])`);
  return codes;
}

/** Uses a code up; false where it is none, or was used. However it is typed: spaces, dashes and case do not matter. */
export async function useRecoveryCode(tx: Queryable, userId: string, code: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update recovery_codes set used_at = ${now}
    where user_id = ${userId} and code_hash = ${hashOfCode(userId, code)} and used_at is null`);
  return rowCount > 0;
}

export async function forgetRecoveryCodes(tx: Queryable, userId: string): Promise<void> {
  await tx.query(sql`delete from recovery_codes where user_id = ${userId}`);
}
