/** Whether an account may be signed in to, and how long its password is still good. */
import { INACTIVITY_LOCK_DAYS, PASSWORD_EXPIRES_AFTER_DAYS } from '#contract/constants.ts';
import { DAY } from '#contract/durations.ts';
import type { ErrorKey } from '#contract/errors.ts';

const daysBetween = (from: string, to: Date): number => Math.floor((to.getTime() - Date.parse(from)) / DAY);

/** The dates that decide whether an account is open, as ISO 8601. */
export interface AccountState {
  disabledAt: string | null;
  activatedAt: string | null;
  currentLoginAt: string | null;
  passwordChangedAt: string | null;
}

/** Returns why the account is closed even to someone with the right password; null if it is open. */
export function whyClosed(
  state: AccountState,
  now: Date,
): Extract<ErrorKey, 'USER_DISABLED' | 'USER_NOT_ACTIVATED' | 'PASSWORD_EXPIRED'> | null {
  if (state.disabledAt !== null) return 'USER_DISABLED';
  if (state.activatedAt === null) return 'USER_NOT_ACTIVATED';
  // Setting a password by mailed link counts as activity too: it opens an account that 90 idle days had locked.
  const activity = [state.activatedAt, state.currentLoginAt, state.passwordChangedAt].filter((at) => at !== null);
  const last = activity.reduce((latest, at) => (at > latest ? at : latest));
  return daysBetween(last, now) >= INACTIVITY_LOCK_DAYS ? 'PASSWORD_EXPIRED' : null;
}

export const isPasswordExpired = (changedAt: string | null, now: Date): boolean =>
  changedAt !== null && daysBetween(changedAt, now) >= PASSWORD_EXPIRES_AFTER_DAYS;

/** Returns 0 once the password has expired, and null for an account without a password (single sign-on). */
export const daysUntilExpiration = (changedAt: string | null, now: Date): number | null =>
  changedAt === null ? null : Math.max(0, PASSWORD_EXPIRES_AFTER_DAYS - daysBetween(changedAt, now));
