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
/** PV1-4: emergency, accident and trauma in both tables, and in words. */
const EMERGENCY = new Set(['E', 'A', '1', '5', 'EM', 'ER', 'EMERGENCY', 'TRAUMA']);
/** ICD-10-CM: encounter for radiotherapy, chemotherapy or immunotherapy. */
const CANCER_TREATMENT = /^Z51\.?(0|1[12]?)$/i;

/** Whether the stay is for chemotherapy, immunotherapy or radiotherapy. */
export const isCancerTreatment = ({ diagnosisCodes, purpose }: RuleVisit): boolean =>
  purpose === 'CANCER_TREATMENT' || CANCER_TREATMENT.test(diagnosisCodes[0] ?? '');

/** Whether the admission was elective or is for treatment that is always planned. An emergency was not planned, for any treatment. */
export const isPlanned = (visit: RuleVisit): boolean => {
  const type = typeOf(visit.admissionType);
  return ELECTIVE.has(type) || (!EMERGENCY.has(type) && isCancerTreatment(visit));
};

const typeOf = (admissionType: string | null): string => (admissionType ?? '').trim().toUpperCase();
