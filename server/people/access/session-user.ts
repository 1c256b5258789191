import { SESSION_COOKIE } from '#contract/constants.ts';

/** Returns a cookie's name; over https with the `__Host-` prefix, so that no sibling domain can set the cookie (RFC 6265bis, 4.1.3.2). */
export const cookieName = (name: string, publicUrl: string): string =>
  publicUrl.startsWith('https:') ? `__Host-${name}` : name;

/** Returns the name of the session's cookie. */
export const sessionCookieName = (publicUrl: string): string => cookieName(SESSION_COOKIE, publicUrl);

/** The user whom a session belongs to. */
export interface SessionUser {
  readonly userId: string;
  readonly username: string;
  /** SHA-256 of the session's token, which is all that the server stores of it. */
  readonly sessionHash: Buffer;
  /** The session began with an expired password, so only routes marked `withOldPassword` accept it. */
  readonly mustChangePassword: boolean;
  /** The session began without the second factor that policy requires, so only routes marked `withoutFactor` accept it. */
  readonly mustEnroll: boolean;
  /** The user proved their identity in this session within the last five minutes, which routes marked `fresh` require. */
  readonly isFresh: boolean;
  /** When the call was made, by the server's clock. */
  readonly at: Date;
  /** When the session ends, however active the user is. */
  readonly endsAt: Date;
  /** Minutes without activity after which it ends. */
  readonly inactivityMinutes: number;
}

/** Looks sessions up; implemented by `server/people/accounts/sessions/sessions.ts`. */
export interface Sessions {
  /** Returns the token's user, or null if the session has ended. `active`: the user made the call, so it restarts the idle time-out. */
  find(token: string, active: boolean): Promise<SessionUser | null>;
}
