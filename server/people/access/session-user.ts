import { SESSION_COOKIE } from '#contract/constants.ts';

/** Over https the name begins so that a browser takes the cookie from this very host alone, not from a sibling (RFC 6265bis, 4.1.3.2). */
export const sessionCookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE;

/** A signed-in user, as the session says. */
export interface SessionUser {
  readonly userId: string;
  readonly username: string;
  /** SHA-256 of the session's token: what the session is known by on the server. */
  readonly sessionHash: Buffer;
  /** The session was begun with an expired password: few routes are open to it (`withOldPassword`). */
  readonly mustChangePassword: boolean;
}

/** Where sessions are kept (`server/people/accounts/sessions/sessions.ts`). */
export interface Sessions {
  /**
   * Who holds this token, or null where no session stands under it. `active`: the call is the user's own doing, so that the
   * session's idle time begins anew.
   */
  find(token: string, active: boolean): Promise<SessionUser | null>;
}
