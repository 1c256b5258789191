import type { Me } from '#contract/accounts.ts';
import type { Permission } from '#contract/permissions.ts';

/** Set in this tab once the toast was shown, or an error page was. */
const STORED = 'tidings-mfa-toast-over';
let suppressed = false;

const isSuppressed = (): boolean => {
  try {
    return suppressed || sessionStorage.getItem(STORED) !== null;
  } catch {
    return suppressed;
  }
};

/** Keeps the toast from being shown again in this tab: once is enough, and after an error it would only distract. */
export const suppressMfaToast = (): void => {
  suppressed = true;
  try {
    sessionStorage.setItem(STORED, 'over');
  } catch {
    // Storage is blocked: this lasts until the page is closed.
  }
};

/** Whether to offer the user two-step verification. */
export const offersMfa = (me: Me, can: (permission: Permission) => boolean): boolean =>
  can('canViewMfaOptIn') && !me.mfaOptedIn && !me.user.isSSO && !isSuppressed();
