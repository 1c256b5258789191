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

/**
 * ICD-10-CM: conditions that come on suddenly, as principal diagnosis. Modeled on CMS's Planned Readmission Algorithm, version 4.0, table PR.4; left out
 * is what people are also admitted for by appointment. Sepsis and intestinal infections; crises of diabetes, fluids and electrolytes; TIA;
 * infarction, embolism, endocarditis, cardiac arrest, stroke, acute heart failure; influenza, pneumonia, acute bronchitis, exacerbated COPD, respiratory
 * failure; bleeding or perforated ulcers, appendicitis, ileus, peritonitis, gastrointestinal bleeding; acute kidney failure and urinary
 * infections; shock and syncope; head injury, hip fracture, poisoning.
 */
const ACUTE =
  /^(A0[0-9]|A4[01]|E1[0-3]\.?[01]|E8[67]|G45|I2[126]|I3[03]|I46|I50\.?[2-4][13]|I6[0-3]|J09|J1[0-8]|J2[0-2]|J44\.?[01]|J80|J96\.?[02]|K2[5-8]\.?[0-3]|K3[5-7]|K56|K65|K92\.?[0-2]|N10|N17|N39\.?0|R55|R57|R65\.?2|S06|S72\.?[0-2]\w*[A-C]$|T(3[6-9]|4\d|50)\.?\w*A$)/i;

/**
 * Whether the admission was elective, for no condition that comes on suddenly: some systems call every admission without an ED visit elective. Or whether it is for
 * treatment that is always planned. An emergency was not planned, for any treatment.
 */
export const isPlanned = (visit: RuleVisit): boolean => {
  const type = typeOf(visit.admissionType);
  if (ELECTIVE.has(type)) return !ACUTE.test(visit.diagnosisCodes[0] ?? '');
  return !EMERGENCY.has(type) && isCancerTreatment(visit);
};

const typeOf = (admissionType: string | null): string => (admissionType ?? '').trim().toUpperCase();
