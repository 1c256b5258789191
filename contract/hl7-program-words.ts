/** HL7-based programs: their limits and their words. Free of schemas, because the browser loads it with the forms. */
import { SETTING_LABELS, type Setting } from './event-codes.ts';
import { FACILITY_TYPE_LABELS, type FacilityType } from './groups.ts';

/** Where a discharge leads, by groups of UB-04 patient discharge status codes (`DESTINATION_CODES`). */
export const DESTINATION_LABELS = {
  HOME: 'Home, without services',
  HOME_HEALTH: 'Home with home health',
  NURSING_FACILITY: 'Nursing facility',
  CUSTODIAL_CARE: 'Custodial or supportive care',
  REHABILITATION: 'Inpatient rehabilitation',
  LONG_TERM_CARE: 'Long-term acute care',
  HOSPICE: 'Hospice',
  HOSPITAL: 'Another hospital',
} as const;
export type DischargeDestination = keyof typeof DESTINATION_LABELS;
export const DISCHARGE_DESTINATIONS = Object.keys(DESTINATION_LABELS) as DischargeDestination[];

/** The codes with a planned readmission (81 to 95) are among them. */
export const DESTINATION_CODES: Readonly<Record<DischargeDestination, readonly string[]>> = {
  HOME: ['01', '81'],
  HOME_HEALTH: ['06', '86'],
  NURSING_FACILITY: ['03', '83', '61', '89', '64', '92'],
  CUSTODIAL_CARE: ['04', '84'],
  REHABILITATION: ['62', '90'],
  LONG_TERM_CARE: ['63', '91'],
  HOSPICE: ['50', '51'],
  HOSPITAL: ['02', '82', '05', '85', '43', '88', '65', '93', '66', '94'],
};

/** How many programs an organization may define. */
export const MOST_PROGRAMS = 50;
export const MOST_DIAGNOSES = 200;
export const MOST_DRGS = 100;
/** In days. */
export const VALIDITY_LIMITS = [1, 365] as const;
export const DEFAULT_VALIDITY = 90;
export const PROGRAM_TEXTS = {
  hl7BasedProgramName: { max: 120, required: 'Enter a name.', tooLong: 'Use at most 120 characters.' },
  payer: { max: 100 },
} as const;

/** ICD-10-CM, whole or its beginning from the three characters of a category on. */
export const DIAGNOSIS_PATTERN = /^[A-Z]\d[0-9A-Z](\.?[0-9A-Z]{1,4})?$/;
/** MS-DRG. */
export const DRG_PATTERN = /^\d{3}$/;

/** What a stay has to be like, so that its discharge enrolls the patient. What is null or empty is not asked. */
export interface ProgramConditions {
  admittingFacilityId: string | null;
  admittingFacilityType: FacilityType | null;
  /** A code stands for all codes that begin with it: I50 for I50.9. */
  diagnosesDefinition: { codes: readonly string[]; principalOnly: boolean } | null;
  drgCodes: readonly string[];
  /** All its words are in the name, plan or code of the stay's first payer. */
  payer: string | null;
  /** The kind of care at the discharge. */
  dischargeSetting: Setting | null;
  dischargedTo: DischargeDestination | null;
  /** In days; the day of discharge is the first. */
  validityPeriod: number;
}

/** Whether it asks for anything: a program without conditions would enroll everyone who is discharged. */
export const hasConditions = (program: Omit<ProgramConditions, 'validityPeriod'>): boolean =>
  program.admittingFacilityId !== null ||
  program.admittingFacilityType !== null ||
  program.diagnosesDefinition !== null ||
  program.drgCodes.length > 0 ||
  program.payer !== null ||
  program.dischargeSetting !== null ||
  program.dischargedTo !== null;
export const NO_CONDITIONS = 'Set at least one condition. Otherwise everyone who is discharged would be enrolled.';

/** A condition as a label and its value. */
export type ConditionInWords = readonly [label: string, value: string];

/** Returns what a definition asks for, one condition after the other. */
export function conditionsInWords(
  program: Omit<ProgramConditions, 'admittingFacilityId'> & { admittingFacilityName: string | null },
): ConditionInWords[] {
  const { admittingFacilityName, admittingFacilityType, diagnosesDefinition, drgCodes, payer } = program;
  const { dischargeSetting, dischargedTo } = program;
  const all: (ConditionInWords | null)[] = [
    admittingFacilityName === null ? null : ['Admitting facility', admittingFacilityName],
    admittingFacilityType && ['Facility type', FACILITY_TYPE_LABELS[admittingFacilityType]],
    diagnosesDefinition && [
      diagnosesDefinition.principalOnly ? 'Principal diagnosis' : 'Diagnosis',
      diagnosesDefinition.codes.join(', '),
    ],
    drgCodes.length > 0 ? ['DRG', drgCodes.join(', ')] : null,
    payer === null ? null : ['Payer', payer],
    dischargeSetting && ['Discharge setting', SETTING_LABELS[dischargeSetting]],
    dischargedTo && ['Discharged to', DESTINATION_LABELS[dischargedTo]],
  ];
  return all.filter((each) => each !== null);
}
