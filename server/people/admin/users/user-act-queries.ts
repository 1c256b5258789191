import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

export async function setDisabled(db: Queryable, userId: string, disabledAt: Date | null): Promise<void> {
  await db.query(sql`update users set disabled_at = ${disabledAt} where id = ${userId}`);
}

/** Mailed links that were not used yet work no longer. */
export async function dropTokens(db: Queryable, userId: string): Promise<void> {
  await db.query(sql`delete from account_tokens where user_id = ${userId} and used_at is null`);
}

/** Removes the time-based second factor with its recovery codes, and all passkeys. */
export async function clearSecondFactors(db: Queryable, userId: string): Promise<void> {
  await db.query(sql`
    update users set mfa_secret = null, mfa_last_step = null, mfa_opted_in = false where id = ${userId}`);
  await db.query(sql`delete from recovery_codes where user_id = ${userId}`);
  await db.query(sql`delete from passkeys where user_id = ${userId}`);
}
