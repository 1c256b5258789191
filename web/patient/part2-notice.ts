import type { PatientDetails } from '#contract/patient-details.ts';
import type { Patient } from '#contract/patients.ts';

/** Has to accompany each record of a 42 CFR Part 2 facility that is shown or printed (42 CFR 2.32(a)(2)). */
export const PART2_NOTICE = '42 CFR part 2 prohibits unauthorized use or disclosure of these records.';

/** Whether the patient's row or page shows what a 42 CFR Part 2 facility reported. */
export const showsPart2 = (patient: Patient): boolean =>
  ((patient as Partial<PatientDetails>).hasPart2Records ||
    (patient.currentPing?.facility ?? patient.currentPingEncounter?.admittingFacility)?.isPart2Facility) ??
  false;
