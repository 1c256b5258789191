/** The last step of every way in: the session. */
import { INACTIVITY_LOCK_DAYS, PASSWORD_EXPIRES_AFTER_DAYS } from '#contract/constants.ts';
import type { ErrorKey } from '#contract/errors.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { deviceWords } from '../sessions/device-name.ts';
import { endSession } from '../sessions/queries.ts';
import { createSession } from '../sessions/sessions.ts';
import { hashOf, newToken } from '../token-hash.ts';
import { deviceHashOf } from './password-check.ts';
import { noteSignIn, rememberDevice } from './queries.ts';

/** What the browser that signs in brings along, and the request's id for the audit. */
export interface Visitor {
  deviceToken: string | undefined;
  sessionToken: string | undefined;
  userAgent: string | undefined;
  requestId: string;
}

export type SignInWay = 'password' | 'password and code' | 'password and recovery code' | 'passkey' | 'sso' | 'ehr';

export interface SignedIn {
  next: 'home' | 'change-password';
  sessionToken: string;
  deviceToken: string;
}

const DAY = 24 * 60 * 60 * 1000;

/** Whole days from an instant to another. */
export const daysBetween = (from: string, to: Date): number => Math.floor((to.getTime() - Date.parse(from)) / DAY);

/** What an account's state is judged by. Instants as ISO 8601. */
export interface AccountState {
  disabledAt: string | null;
  activatedAt: string | null;
  currentLoginAt: string | null;
  passwordChangedAt: string | null;
}

/** Why the owner of an account may not come in, whatever he or she proves; null where nothing stands against it. */
export function refusalOf(
  state: AccountState,
  now: Date,
): Extract<ErrorKey, 'USER_DISABLED' | 'USER_NOT_ACTIVATED' | 'PASSWORD_EXPIRED'> | null {
  if (state.disabledAt !== null) return 'USER_DISABLED';
  if (state.activatedAt === null) return 'USER_NOT_ACTIVATED';
  // A password that was set by mail is the owner's doing too: it opens an account that 90 days had locked.
  const acts = [state.activatedAt, state.currentLoginAt, state.passwordChangedAt].filter((at) => at !== null);
  const last = acts.reduce((latest, at) => (at > latest ? at : latest));
  return daysBetween(last, now) >= INACTIVITY_LOCK_DAYS ? 'PASSWORD_EXPIRED' : null;
}

export const passwordIsOld = (changedAt: string | null, now: Date): boolean =>
  changedAt !== null && daysBetween(changedAt, now) >= PASSWORD_EXPIRES_AFTER_DAYS;

/**
 * Begins a session for a user who has proved who he or she is: ends the one that the browser had, remembers the device, counts the
 * sign-in, writes the audit. `mustChangePassword`: the session is good for little else.
 */
export async function enter(
  tx: Queryable,
  user: { userId: string; username: string; way: SignInWay; mustChangePassword?: boolean },
  visitor: Visitor,
  now: Date,
): Promise<SignedIn> {
  const { userId, username, way, mustChangePassword = false } = user;
  const deviceToken = visitor.deviceToken ?? newToken();
  await noteSignIn(tx, userId, now);
  await rememberDevice(tx, deviceHashOf(deviceToken, username), userId, now);
  if (visitor.sessionToken !== undefined) await endSession(tx, hashOf(visitor.sessionToken), now);
  const device = deviceWords(visitor.userAgent);
  const sessionToken = await createSession(tx, userId, now, { device, mustChangePassword });
  const entry = { action: 'sign-in', subject: 'user', subjectId: userId, detail: { way } } as const;
  await writeAuditAs(tx, { userId }, { ...entry, requestId: visitor.requestId, now });
  return { next: mustChangePassword ? 'change-password' : 'home', sessionToken, deviceToken };
}
