import type { Me } from '#contract/accounts.ts';
import type { Permission } from '#contract/permissions.ts';

/** In this browser tab: the toast was shown, or an error page was seen. */
const STORED = 'tidings-mfa-toast-over';
let over = false;

const isOver = (): boolean => {
  try {
    return over || sessionStorage.getItem(STORED) !== null;
  } catch {
    return over;
  }
};

/** From now on the enrolment toast does not show any more: once is enough, and after an error it would only disturb. */
export const withoutMfaToast = (): void => {
  over = true;
  try {
    sessionStorage.setItem(STORED, 'over');
  } catch {
    // Storage is blocked: it holds until the page is left.
  }
};

/** Whether a user is asked to enrol a second factor (specification, first file, "MFA enrolment toast"). */
export const asksForMfa = (me: Me, can: (permission: Permission) => boolean): boolean =>
  can('canViewMfaOptIn') && !me.mfaOptedIn && !me.user.isSSO && !isOver();
