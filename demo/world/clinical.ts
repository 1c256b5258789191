import { ageOf, type Person } from './people.ts';
import type { Random } from './random.ts';

/** Diagnoses, payers and units of the region's visits. ICD-10-CM codes are public; the short texts are our own. */
export interface Condition {
  code: string;
  text: string;
  /** What the patient says on arrival (PV2-3). */
  complaint: string;
  /** The Medicare severity diagnosis related group of a hospital stay for it, which the hospital sends at the discharge. */
  drg?: string;
  /** The youngest age in years at which the region has it. */
  youngest?: number;
}

/** Returns one of the conditions that the person's age allows. */
export function conditionFor(
  { random, person }: { random: Random; person: Person },
  conditions: readonly Condition[],
): Condition {
  return random.pick(conditions.filter(({ youngest = 0 }) => youngest <= ageOf(person)));
}

export const MINOR_CONDITIONS: readonly Condition[] = [
  { code: 'S93.401A', text: 'Sprain of right ankle', complaint: 'ANKLE PAIN' },
  { code: 'R07.9', text: 'Chest pain, cause unknown', complaint: 'CHEST PAIN' },
  { code: 'J06.9', text: 'Acute upper respiratory infection', complaint: 'COUGH' },
  { code: 'N39.0', text: 'Urinary tract infection', complaint: 'BURNING URINATION' },
  { code: 'R51.9', text: 'Headache', complaint: 'HEADACHE' },
  { code: 'S61.411A', text: 'Cut of right hand', complaint: 'HAND LACERATION' },
  { code: 'K52.9', text: 'Gastroenteritis, not infectious', complaint: 'VOMITING' },
  { code: 'M54.50', text: 'Low back pain', complaint: 'BACK PAIN' },
  { code: 'R55', text: 'Fainting and collapse', complaint: 'SYNCOPE' },
  { code: 'F41.9', text: 'Anxiety disorder', complaint: 'PALPITATIONS' },
  { code: 'W19.XXXA', text: 'Fall', complaint: 'FALL AT HOME' },
];

export const MAJOR_CONDITIONS: readonly Condition[] = [
  {
    code: 'I50.23',
    text: 'Acute on chronic systolic heart failure',
    complaint: 'SHORTNESS OF BREATH',
    drg: '291',
    youngest: 45,
  },
  { code: 'J44.1', text: 'COPD with acute exacerbation', complaint: 'DIFFICULTY BREATHING', drg: '190', youngest: 45 },
  { code: 'J18.9', text: 'Pneumonia', complaint: 'FEVER AND COUGH', drg: '193' },
  { code: 'A41.9', text: 'Sepsis', complaint: 'FEVER, CONFUSION', drg: '871' },
  {
    code: 'S72.001A',
    text: 'Fracture of neck of right femur',
    complaint: 'HIP PAIN AFTER FALL',
    drg: '535',
    youngest: 60,
  },
  { code: 'I63.9', text: 'Cerebral infarction', complaint: 'WEAKNESS ONE SIDE', drg: '064', youngest: 45 },
  { code: 'N17.9', text: 'Acute kidney failure', complaint: 'WEAKNESS', drg: '682' },
  { code: 'E11.65', text: 'Type 2 diabetes with hyperglycemia', complaint: 'HIGH BLOOD SUGAR', drg: '637' },
  { code: 'I48.91', text: 'Atrial fibrillation', complaint: 'PALPITATIONS', drg: '308', youngest: 40 },
  { code: 'K92.2', text: 'Gastrointestinal bleeding', complaint: 'BLACK STOOL', drg: '377' },
  { code: 'U07.1', text: 'COVID-19', complaint: 'FEVER, SHORTNESS OF BREATH', drg: '177' },
  { code: 'I21.4', text: 'Non-ST elevation myocardial infarction', complaint: 'CHEST PAIN', drg: '280', youngest: 40 },
];

export const REHABILITATION_CONDITIONS: readonly Condition[] = [
  { code: 'Z47.1', text: 'Aftercare after joint replacement', complaint: 'REHABILITATION', youngest: 50 },
  { code: 'M62.81', text: 'Muscle weakness', complaint: 'WEAKNESS' },
  { code: 'I69.351', text: 'Hemiplegia after stroke', complaint: 'REHABILITATION', youngest: 45 },
];

/** Of stays at the substance-use treatment program. */
export const WITHDRAWAL_CONDITIONS: readonly Condition[] = [
  { code: 'F10.230', text: 'Alcohol dependence with withdrawal', complaint: 'ALCOHOL WITHDRAWAL', drg: '897' },
  { code: 'F11.23', text: 'Opioid dependence with withdrawal', complaint: 'OPIOID WITHDRAWAL', drg: '897' },
];
/** Of counseling there. */
export const DEPENDENCE_CONDITIONS: readonly Condition[] = [
  { code: 'F10.20', text: 'Alcohol dependence', complaint: 'COUNSELING' },
  { code: 'F11.20', text: 'Opioid dependence', complaint: 'COUNSELING' },
];

export interface Payer {
  code: string;
  company: string;
  plan: string;
  /** IN1-15 */
  type: string;
}

export const MEDICARE: Payer = { code: 'MCRA', company: 'Federal Medicare', plan: 'Part A', type: 'MCR' };
/** Of people with Medicare: the federal plan, or a private one in its place. */
export const MEDICARE_PAYERS: readonly Payer[] = [
  MEDICARE,
  { code: 'NPMA', company: 'Northern Pines Health Plan', plan: 'Pines Advantage', type: 'MA' },
];
/** Of everyone else. */
export const PAYERS: readonly Payer[] = [
  { code: 'NPHP', company: 'Northern Pines Health Plan', plan: 'Pines Choice PPO', type: 'PPO' },
  { code: 'GLMU', company: 'Great Lantern Mutual', plan: 'Lantern Gold', type: 'HMO' },
  { code: 'BAYC', company: 'Bay Commons Medicaid', plan: 'Commons Care', type: 'MCD' },
  { code: 'SELF', company: 'Self pay', plan: 'None', type: 'SELF' },
];

export const INPATIENT_UNITS = ['3W', '4EAST', '5N', 'ICU', 'CCU', 'MEDSURG', 'ORTHO'] as const;
/** Withdrawal management first, then residential care. */
export const TREATMENT_UNITS = ['DETOX', 'RESIDENTIAL'] as const;
export const SNF_UNITS = ['MAPLE', 'CEDAR', 'REHAB'] as const;
