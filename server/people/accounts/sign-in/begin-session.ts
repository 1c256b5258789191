/** The last step of every sign-in: the session. */
import { auditOwnAccount } from '#server/people/audit/write-audit.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { nameDevice } from '../sessions/device-name.ts';
import { endSession } from '../sessions/queries.ts';
import { createSession } from '../sessions/sessions.ts';
import { hashOf, newToken } from '../token-hash.ts';
import { deviceHashOf } from './lockout.ts';
import { recordSignIn, rememberDevice } from './queries.ts';

/** What the browser sends with a sign-in, and the request's id for the audit log. */
export interface Visitor {
  deviceToken: string | undefined;
  sessionToken: string | undefined;
  userAgent: string | undefined;
  /** The browser's address. */
  address: string;
  requestId: string;
}

export type SignInWay = 'password' | 'password and code' | 'password and recovery code' | 'passkey' | 'sso' | 'ehr';

export interface SignedIn {
  next: 'home' | 'change-password' | 'enroll';
  sessionToken: string;
  deviceToken: string;
}

/**
 * Begins a session for a user who has proved their identity. Ends the session that the browser had, remembers the device, counts the
 * sign-in and writes the audit entry. With `mustChangePassword` the session accepts little but a new password, and with `mustEnroll`
 * little but a second factor.
 */
export async function beginSession(
  tx: Queryable,
  user: { userId: string; username: string; way: SignInWay; mustChangePassword?: boolean; mustEnroll?: boolean },
  visitor: Visitor,
  now: Date,
): Promise<SignedIn> {
  const { userId, username, way, mustChangePassword = false, mustEnroll = false } = user;
  const deviceToken = visitor.deviceToken ?? newToken();
  await recordSignIn(tx, userId, now);
  const device = nameDevice(visitor.userAgent);
  await rememberDevice(tx, { hash: deviceHashOf(deviceToken, username), userId, name: device }, now);
  if (visitor.sessionToken !== undefined) await endSession(tx, hashOf(visitor.sessionToken), now);
  const { address } = visitor;
  const sessionToken = await createSession(tx, userId, now, { device, address, mustChangePassword, mustEnroll });
  await auditOwnAccount(tx, userId, { action: 'sign-in', detail: { way }, requestId: visitor.requestId, now });
  const next = mustChangePassword ? 'change-password' : mustEnroll ? 'enroll' : 'home';
  return { next, sessionToken, deviceToken };
}
