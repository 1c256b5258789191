/** What a stay is for, as far as it decides whether it is a readmission: labor and births never are, and planned treatment isn't either. */
import type { VisitState } from '#server/record/fold/visit-state.ts';
import type { RuleVisit } from './rule-visit.ts';

/** In words, where the sender gives no code. */
export type Purpose = 'LABOR' | 'CANCER_TREATMENT';

const LABOR_WORDS =
  /\blabou?r\b|\bnewborn\b|\blive ?born\b|\bcesarean\b|\bc[- ]section\b|\bchild ?birth\b|\bvaginal delivery\b/i;
const TREATMENT_WORDS =
  /^\s*((admission|admit|here|scheduled|elective|inpatient|maintenance|for|cycle \d+) )*(chemo|immunotherap|radiotherap|radiation therap)/i;
/** A complication of the treatment is no planned stay. */
const COMPLICATION = /induced|toxicity|complication|reaction|related|fever|sepsis|neutropeni/i;

/** Returns the purpose that the admit reason (PV2-3) or a diagnosis without a code names. */
export function purposeOf({ diagnoses, admitReason }: Pick<VisitState, 'diagnoses' | 'admitReason'>): Purpose | null {
  const texts = [admitReason, ...diagnoses.filter(({ code }) => !code.trim()).map(({ description }) => description)];
  for (const text of texts) {
    if (!text) continue;
    if (LABOR_WORDS.test(text)) return 'LABOR';
    if (TREATMENT_WORDS.test(text) && !COMPLICATION.test(text)) return 'CANCER_TREATMENT';
  }
  return null;
}

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
