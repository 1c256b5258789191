/** Stays that are never a readmission: labor and births, and planned treatment. */
import type { RuleVisit } from './rule-visit.ts';

/** PV1-4: labor and delivery, newborn; HL7 table 0007 and UB-04. */
const LABOR_TYPES = new Set(['L', 'N', '4']);
/** ICD-10-CM: false labor, preterm labor and complications of labor, delivery, its outcome, liveborn infants. Bleeding after a delivery (O72, O73) is not among them. */
const LABOR_CODES = /^(O47|O6\d|O7[014-7]|O80|O82|Z37|Z38)/i;

/** Whether the stay is for labor, true or false, or a birth. */
export const isLaborOrBirth = ({ admissionType, diagnosisCodes, purpose }: RuleVisit): boolean =>
  purpose === 'LABOR' ||
  LABOR_TYPES.has(typeOf(admissionType)) ||
  diagnosisCodes.some((code) => LABOR_CODES.test(code));

/** PV1-4: elective in HL7 table 0007 and in UB-04, and in words. */
const ELECTIVE = new Set(['C', '3', 'EL', 'ELECTIVE', 'PLANNED', 'SCHEDULED']);
/** ICD-10-CM: encounter for radiotherapy, chemotherapy or immunotherapy. */
const CANCER_TREATMENT = /^Z51\.?(0|1[12]?)$/i;

/** Whether the admission was elective or is for chemotherapy, immunotherapy or radiotherapy. */
export const isElective = ({ admissionType, diagnosisCodes, purpose }: RuleVisit): boolean =>
  purpose === 'CANCER_TREATMENT' ||
  ELECTIVE.has(typeOf(admissionType)) ||
  CANCER_TREATMENT.test(diagnosisCodes[0] ?? '');

const typeOf = (admissionType: string | null): string => (admissionType ?? '').trim().toUpperCase();
