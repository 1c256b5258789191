import { SESSION_COOKIE } from '#contract/constants.ts';

/** Returns the cookie's name; over https with the `__Host-` prefix, so that no sibling domain can set the cookie (RFC 6265bis, 4.1.3.2). */
export const sessionCookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE;

/** The user whom a session belongs to. */
export interface SessionUser {
  readonly userId: string;
  readonly username: string;
  /** SHA-256 of the session's token, which is all that the server stores of it. */
  readonly sessionHash: Buffer;
  /** The session began with an expired password, so only routes marked `withOldPassword` accept it. */
  readonly mustChangePassword: boolean;
}

/** Looks sessions up; implemented by `server/people/accounts/sessions/sessions.ts`. */
export interface Sessions {
  /** Returns the token's user, or null if the session has ended. `active`: the user made the call, so it restarts the idle time-out. */
  find(token: string, active: boolean): Promise<SessionUser | null>;
}
