import type { User } from '#contract/accounts.ts';
import { experienceBase } from '#contract/experiences.ts';

/** Of this tab: it was opened out of an EHR's frame, to be the whole application. */
const FULL = 'tidings-full-app';

/** Whether another page, an EHR's, shows us in a frame of its own. */
export const isFramed = (): boolean => window.self !== window.top;

/** From now on this tab has header and navigation. */
export const openInFull = (): void => {
  try {
    sessionStorage.setItem(FULL, '1');
  } catch {
    // Storage is blocked: the pages stay bare.
  }
};
const isInFull = (): boolean => {
  try {
    return !isFramed() && sessionStorage.getItem(FULL) !== null;
  } catch {
    return false;
  }
};

/** Whether pages stand without header and navigation, for an EHR shows its own around them (ux.md, 2.1). */
export const isBare = ({ applicationExperience }: User): boolean =>
  experienceBase(applicationExperience) === '/ehr' && !isInFull();

/** Whether an EHR shows what is at this address: it is light, whatever the system's colours are. */
export const isInEhr = (): boolean => isFramed() || (/^\/ehr(\/|$)/.test(location.pathname) && !isInFull());
