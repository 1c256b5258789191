import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';
import { managedElsewhere } from '../managed-elsewhere.ts';
import type { AccountState } from '../sign-in/account-state.ts';
import { mfaSecretOf } from '../stored-secrets.ts';
import { timeStepOf } from './codes.ts';
import { useRecoveryCode } from './recovery-codes.ts';

/** A user's authenticator app, with the account that it opens. */
export interface Factor extends AccountState {
  username: string;
  /** Encrypted. */
  secret: string | null;
  lastStep: string | null;
}

/** Returns undefined if the organization has taken over the sign-in since the password was checked. Locks the user's row. */
export async function lockFactor(tx: Queryable, userId: string): Promise<Factor | undefined> {
  const { rows } = await tx.query<Factor>(sql`
    select username, mfa_secret as secret, mfa_last_step as "lastStep", disabled_at as "disabledAt",
      activated_at as "activatedAt", current_login_at as "currentLoginAt", password_changed_at as "passwordChangedAt"
    from users u where id = ${userId} and not ${managedElsewhere} for no key update`);
  return rows[0];
}

/** Uses up a time-based or recovery code and returns which of the two it was; null if it is wrong. The caller has locked the user's row. */
export async function takeCode(
  tx: Queryable,
  secrets: SecretBox,
  { userId, factor, code }: { userId: string; factor: Factor; code: string },
  now: Date,
): Promise<'code' | 'recovery code' | null> {
  const lastStep = factor.lastStep === null ? null : Number(factor.lastStep);
  const secret = factor.secret === null ? null : secrets.open(factor.secret, mfaSecretOf(userId));
  const timeStep = secret === null ? null : timeStepOf(code.replaceAll(/\s/g, ''), secret, lastStep, now);
  if (timeStep !== null) {
    await tx.query(sql`update users set mfa_last_step = ${timeStep} where id = ${userId}`);
    return 'code';
  }
  return (await useRecoveryCode(tx, userId, code, now)) ? 'recovery code' : null;
}
