/** What a hospital's chart says about a person at the end of a stay: allergies, medications, problems, results. Invented, and the same for the same visit. */

import { PROVIDER_NAMES } from './names.ts';
import { makeRandom, type Random } from './random.ts';
import type { Visit, VisitState } from './visit.ts';

export interface Medication {
  name: string;
  /** RxNorm */
  code: string;
  dose: string;
  unit: string;
  route: string;
  /** Hours between doses. */
  every: number;
}

export interface Result {
  name: string;
  /** LOINC */
  code: string;
  value: string;
  unit: string;
  low: string;
  high: string;
  flag: 'H' | 'L' | 'N';
}

export interface Chart {
  author: string;
  allergies: { name: string; code: string; reaction: string; severity: string }[];
  medications: Medication[];
  /** Stopped during the stay. */
  stopped: Medication[];
  problems: { name: string; code: string; since: number }[];
  results: Result[];
  vitals: Result[];
  course: string;
  instructions: string[];
}

const medication = (
  name: string,
  code: string,
  dose: string,
  unit: string,
  every = 24,
  route = 'Oral',
): Medication => ({ name, code, dose, unit, route, every });
const CHRONIC: readonly Medication[] = [
  medication('Lisinopril 10 MG Oral Tablet', '314076', '10', 'mg'),
  medication('Atorvastatin 40 MG Oral Tablet', '617311', '40', 'mg'),
  medication('Metformin 500 MG Oral Tablet', '861007', '500', 'mg', 12),
  medication('Amlodipine 5 MG Oral Tablet', '197361', '5', 'mg'),
  medication('Levothyroxine 0.05 MG Oral Tablet', '966247', '50', 'ug'),
  medication('Omeprazole 20 MG Delayed Release Oral Capsule', '198051', '20', 'mg'),
  medication('Aspirin 81 MG Oral Tablet', '243670', '81', 'mg'),
];
/** Started at the discharge, by the first letter of the diagnosis. */
const NEW: Readonly<Record<string, readonly Medication[]>> = {
  I: [
    medication('Furosemide 40 MG Oral Tablet', '313988', '40', 'mg'),
    medication('Metoprolol 25 MG Oral Tablet', '866924', '25', 'mg', 12),
  ],
  J: [
    medication('Albuterol 0.09 MG/ACTUAT Inhaler', '745752', '2', 'puffs', 6, 'Inhaled'),
    medication('Prednisone 20 MG Oral Tablet', '312615', '40', 'mg'),
  ],
  A: [medication('Amoxicillin 875 MG / Clavulanate 125 MG Oral Tablet', '562508', '1', 'tablet', 12)],
  S: [
    medication('Acetaminophen 500 MG Oral Tablet', '198440', '1000', 'mg', 8),
    medication('Enoxaparin 40 MG Injection', '854235', '40', 'mg', 24, 'Subcutaneous'),
  ],
  E: [medication('Insulin Glargine 100 UNT/ML', '311041', '14', 'units', 24, 'Subcutaneous')],
  N: [medication('Sodium Bicarbonate 650 MG Oral Tablet', '198861', '650', 'mg', 8)],
  K: [medication('Pantoprazole 40 MG Oral Tablet', '314200', '40', 'mg', 12)],
};
const ALLERGIES: readonly Chart['allergies'][number][] = [
  { name: 'Penicillin', code: '7980', reaction: 'Hives', severity: 'Moderate' },
  { name: 'Sulfamethoxazole', code: '10180', reaction: 'Rash', severity: 'Mild' },
  { name: 'Codeine', code: '2670', reaction: 'Nausea', severity: 'Mild' },
  { name: 'Latex', code: '111088007', reaction: 'Itching', severity: 'Moderate' },
  { name: 'Iodinated contrast', code: '385420005', reaction: 'Shortness of breath', severity: 'Severe' },
];
const HISTORY: readonly (readonly [string, string])[] = [
  ['Essential hypertension', 'I10'],
  ['Type 2 diabetes without complications', 'E11.9'],
  ['Hyperlipidemia', 'E78.5'],
  ['Chronic kidney disease, stage 3', 'N18.30'],
  ['Hypothyroidism', 'E03.9'],
  ['Osteoarthritis of knee', 'M17.9'],
];
type Test = readonly [name: string, code: string, unit: string, low: number, high: number, digits: number];
const TESTS: readonly Test[] = [
  ['Hemoglobin', '718-7', 'g/dL', 12, 16, 1],
  ['White blood cells', '6690-2', '10*3/uL', 4.5, 11, 1],
  ['Platelets', '777-3', '10*3/uL', 150, 400, 0],
  ['Sodium', '2951-2', 'mmol/L', 135, 145, 0],
  ['Potassium', '2823-3', 'mmol/L', 3.5, 5.1, 1],
  ['Creatinine', '2160-0', 'mg/dL', 0.6, 1.3, 2],
  ['Glucose', '2345-7', 'mg/dL', 70, 140, 0],
];
const VITALS: readonly Test[] = [
  ['Systolic blood pressure', '8480-6', 'mm[Hg]', 110, 148, 0],
  ['Diastolic blood pressure', '8462-4', 'mm[Hg]', 62, 88, 0],
  ['Heart rate', '8867-4', '/min', 62, 96, 0],
  ['Oxygen saturation', '59408-5', '%', 92, 99, 0],
  ['Body temperature', '8310-5', '[degF]', 97, 99.4, 1],
];
const INSTRUCTIONS = [
  'Take your medications as listed. Bring the list to each visit.',
  'Call your doctor if you gain more than 3 pounds in a day or 5 pounds in a week.',
  'See your primary care provider within 7 days.',
  'Return to the emergency department for chest pain, trouble breathing, or confusion.',
  'Follow a low-salt diet.',
];

const measured = (random: Random, [name, code, unit, low, high, digits]: Test, spread: number): Result => {
  const range = high - low;
  const value = low - range * spread + random.next() * range * (1 + 2 * spread);
  const flag = value < low ? 'L' : value > high ? 'H' : 'N';
  return { name, code, unit, low: String(low), high: String(high), value: value.toFixed(digits), flag };
};

/** Returns the chart of a person at the end of a visit. What is chronic follows from the person, the rest from the visit. */
export function chartOf(
  seed: string,
  { id }: Visit,
  { person, diagnoses, attending, reason }: VisitState,
  isAdult: boolean,
): Chart {
  const lasting = makeRandom(`${seed}/chart/${person}`);
  const random = makeRandom(`${seed}/chart/${id}`);
  const allergies = lasting.chance(0.45) ? lasting.shuffle(ALLERGIES).slice(0, lasting.int(1, 2)) : [];
  const chronic = isAdult ? lasting.shuffle(CHRONIC).slice(0, lasting.int(1, 5)) : [];
  const history = isAdult ? lasting.shuffle(HISTORY).slice(0, lasting.int(1, 4)) : [];
  const [principal] = diagnoses;
  const added = NEW[principal?.condition.code[0] ?? ''] ?? [];
  const stopped = chronic.length > 2 && random.chance(0.4) ? chronic.slice(0, 1) : [];
  return {
    author: PROVIDER_NAMES[attending]?.join(' ') ?? 'Attending physician',
    allergies,
    medications: [...chronic.slice(stopped.length), ...added],
    stopped,
    problems: [
      ...[...new Map(diagnoses.map(({ condition }) => [condition.code, condition])).values()].map(({ text, code }) => ({
        name: text,
        code,
        since: 0,
      })),
      ...history.map(([name, code]) => ({ name, code, since: lasting.int(1, 15) })),
    ],
    results: TESTS.map((test) => measured(random, test, 0.25)),
    vitals: VITALS.map((test) => measured(random, test, 0.05)),
    course: `Came in with ${reason.toLowerCase()}. ${principal ? `Treated for ${principal.condition.text.toLowerCase()}.` : ''} ${random.pick(
      [
        'Improved with treatment and was stable on the day of discharge.',
        'Seen by physical therapy, who found the patient safe to leave with a walker.',
        'Family was at the bedside and took part in planning the discharge.',
      ],
    )}`,
    instructions: random.shuffle(INSTRUCTIONS).slice(0, 3),
  };
}
