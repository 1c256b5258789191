import type { Me } from '#contract/accounts.ts';
import type { Permission } from '#contract/permissions.ts';

/** Set in this tab once an error page was shown; for all tabs, the session in which the toast was shown. */
const STORED = 'tidings-mfa-toast-over';
let suppressed = false;

/** One sign-in of one user, in every tab of the browser. */
const sessionOf = ({ user, sessionEndsAt }: Me): string => `${user.id} ${sessionEndsAt}`;

const isSuppressed = (me: Me): boolean => {
  try {
    return suppressed || sessionStorage.getItem(STORED) !== null || localStorage.getItem(STORED) === sessionOf(me);
  } catch {
    return suppressed;
  }
};

/** Keeps the toast from being shown in this tab: after an error it would only distract. */
export const suppressMfaToast = (): void => {
  suppressed = true;
  try {
    sessionStorage.setItem(STORED, 'over');
  } catch {
    // Storage is blocked: this lasts until the page is closed.
  }
};

/** Remembers that the toast was shown: once for each sign-in, not once for each tab. */
export const rememberMfaToast = (me: Me): void => {
  try {
    localStorage.setItem(STORED, sessionOf(me));
  } catch {
    // Storage is blocked: other tabs show it too.
  }
};

/** Whether to offer the user two-step verification. */
export const offersMfa = (me: Me, can: (permission: Permission) => boolean): boolean =>
  can('canViewMfaOptIn') && !me.mfaOptedIn && !me.user.isSSO && !isSuppressed(me);
