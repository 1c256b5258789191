/** The pages that show no patient, by the path under an experience's base. Any other page may. */
const WITHOUT_PATIENTS = /^\/(dashboard|hospital|ehr)\/(admin(\/.*)?|user-profile|whats-new)\/?$/;

export const maySeePatients = (pathname: string): boolean => !WITHOUT_PATIENTS.test(pathname);

/** Whether this document has loaded a support widget that is not allowed on pages with patients. */
export const hasConfinedWidget = (): boolean =>
  document.querySelector('script[data-support-widget="confined"]') !== null;
