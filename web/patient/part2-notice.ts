import type { Patient } from '#contract/patients.ts';

export { PART2_NOTICE } from '#contract/part2.ts';

/** Whether the patient's row or page shows what a 42 CFR Part 2 facility reported, or what follows from it. */
export const showsPart2 = (patient: Patient): boolean =>
  (patient.hasPart2Records ||
    (patient.currentPing?.facility ?? patient.currentPingEncounter?.admittingFacility)?.isPart2Facility) ??
  false;
