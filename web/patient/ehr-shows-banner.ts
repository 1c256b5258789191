import type { User } from '#contract/accounts.ts';

/** Returns whether the EHR around the page shows this patient's identity, so that a second banner would only repeat it. */
export const ehrShowsBanner = ({ needPatientBanner, patientId }: User, id: string): boolean =>
  !needPatientBanner && patientId !== null && patientId.split('_')[0] === id.split('_')[0];
