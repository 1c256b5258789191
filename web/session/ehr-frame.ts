import type { User } from '#contract/accounts.ts';
import { experienceBase } from '#contract/experiences.ts';

/** Set in a tab that was opened from an EHR's frame as the full application. */
const FULL_APP_KEY = 'tidings-full-app';

/** Whether another page, an EHR's, shows this one in a frame. */
export const isFramed = (): boolean => window.self !== window.top;

/** Gives this tab header and navigation from now on. */
export const openFullApp = (): void => {
  try {
    sessionStorage.setItem(FULL_APP_KEY, '1');
  } catch {
    // Storage is blocked: the pages stay without header and navigation.
  }
};
const isFullApp = (): boolean => {
  try {
    return !isFramed() && sessionStorage.getItem(FULL_APP_KEY) !== null;
  } catch {
    return false;
  }
};

/** Whether this user's pages have no header and navigation, because an EHR shows its own around them. */
export const isEmbedded = ({ applicationExperience }: User): boolean =>
  experienceBase(applicationExperience) === '/ehr' && !isFullApp();

/** Whether an EHR shows this address, judged without knowing the user. Its pages are light, whatever the system's color scheme is. */
export const isInEhr = (): boolean => isFramed() || (/^\/ehr(\/|$)/.test(location.pathname) && !isFullApp());
