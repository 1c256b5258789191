/** A signed-in user, as the session says. */
export interface SessionUser {
  readonly userId: string;
  readonly username: string;
  /** SHA-256 of the session's token: what the session is known by on the server. */
  readonly sessionHash: Buffer;
}

/** Where sessions are kept (`server/accounts/sessions.ts`). */
export interface Sessions {
  /**
   * Who holds this token, or null where no session stands under it. `active`: the call is the user's own doing, so that the
   * session's idle time begins anew.
   */
  find(token: string, active: boolean): Promise<SessionUser | null>;
}
