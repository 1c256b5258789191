import type { PatientDetails } from '#contract/patient-details.ts';
import type { Patient } from '#contract/patients.ts';

export { PART2_NOTICE } from '#contract/part2.ts';

/** Whether the patient's row or page shows what a 42 CFR Part 2 facility reported. */
export const showsPart2 = (patient: Patient): boolean =>
  ((patient as Partial<PatientDetails>).hasPart2Records ||
    (patient.currentPing?.facility ?? patient.currentPingEncounter?.admittingFacility)?.isPart2Facility) ??
  false;
