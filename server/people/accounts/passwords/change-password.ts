import { auditOwnAccount } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { findToken, useToken } from '../letters/mailed-tokens.ts';
import { mailNotice } from '../letters/send-letters.ts';
import { deletePasskeys } from '../passkeys/queries.ts';
import { endCodeSteps } from '../second-factor/code-step.ts';
import { endSessionsOf } from '../sessions/queries.ts';
import { unlockAccount } from '../sign-in/lockout.ts';
import { confirmPassword } from '../sign-in/password-check.ts';
import { forgetDevices } from '../sign-in/queries.ts';
import { setPassword } from './set-password.ts';

export interface PasswordByToken {
  token: string;
  password: string;
  /** Whether passkeys and known browsers stay. Whoever stole the account may have added some of them. */
  keepDevices: boolean;
  publicUrl: string;
  requestId: string;
}

/**
 * Sets a password with a mailed token: activates and unlocks the account, ends all of the user's sessions, removes passkeys and known browsers
 * unless they are kept, and notifies the owner by mail. Throws NOT_FOUND for a token that is unknown, used or expired, and what `setPassword`
 * throws; the token can then be used again.
 */
export async function setPasswordByToken(
  db: Database,
  { token, password, keepDevices, publicUrl, requestId }: PasswordByToken,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const owner = await findToken(tx, token, now);
    if (owner === null || !(await useToken(tx, token, owner.userId, now))) throw new ApiError('NOT_FOUND');
    const { userId, username, purpose } = owner;
    await setPassword(tx, { userId, username, password }, now);
    await tx.query(sql`update users set activated_at = coalesce(activated_at, ${now}) where id = ${userId}`);
    await unlockAccount(tx, userId, username);
    await endCodeSteps(tx, userId);
    await endSessionsOf(tx, userId, now);
    const passkeys = keepDevices ? 0 : await deletePasskeys(tx, userId);
    const devices = keepDevices ? 0 : await forgetDevices(tx, userId);
    if (purpose !== 'ACCOUNT_ACTIVATION') {
      const what = `Your password was set with a link from an email. ${whatWasRemoved(keepDevices, passkeys)}`;
      await mailNotice(tx, { userId, what, publicUrl }, now);
    }
    const detail = { purpose, passkeys, devices };
    await auditOwnAccount(tx, userId, { action: 'password.set', detail, requestId, now });
  });
}

function whatWasRemoved(keepDevices: boolean, passkeys: number): string {
  if (keepDevices) return 'Your passkeys and known devices were kept.';
  return passkeys === 0
    ? 'All devices have to sign in again.'
    : `All devices have to sign in again, and ${passkeys === 1 ? 'your passkey was' : `${passkeys} passkeys were`} removed.`;
}

export interface PasswordChange {
  userId: string;
  username: string;
  sessionHash: Buffer;
  currentPassword: string;
  newPassword: string;
  deviceToken: string | undefined;
  publicUrl: string;
  requestId: string;
}

/**
 * Changes a signed-in user's password. The user's other sessions end, this one loses its restrictions, and a mail notifies the owner. Throws
 * what `confirmPassword` and `setPassword` throw.
 */
export async function changePassword(db: Database, change: PasswordChange, now: Date): Promise<void> {
  const { userId, username, sessionHash, currentPassword, newPassword, publicUrl, requestId } = change;
  await confirmPassword(db, { ...change, password: currentPassword }, now);
  await db.transaction(async (tx) => {
    await setPassword(tx, { userId, username, password: newPassword }, now);
    await endCodeSteps(tx, userId);
    await endSessionsOf(tx, userId, now, sessionHash);
    await tx.query(sql`update sessions set must_change_password = false where token_hash = ${sessionHash}`);
    await mailNotice(tx, { userId, what: 'Your password was changed.', publicUrl }, now);
    await auditOwnAccount(tx, userId, { action: 'password.change', requestId, now });
  });
}
