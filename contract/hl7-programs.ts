/** Programs in which a discharge enrolls patients, as the messages of their stays say: definitions, enrollments and previews. */
import { z } from 'zod';
import { versionRead } from './admin.ts';
import { derivedId } from './cohorts.ts';
import { SETTINGS } from './event-codes.ts';
import { FACILITY_TYPES } from './groups.ts';
import {
  DIAGNOSIS_PATTERN,
  DISCHARGE_DESTINATIONS,
  DRG_PATTERN,
  hasConditions,
  MOST_DIAGNOSES,
  MOST_DRGS,
  NO_CONDITIONS,
  PROGRAM_TEXTS,
  VALIDITY_LIMITS,
} from './hl7-program-words.ts';
import { day, id, instant, instantOrDay, patientId, plainText } from './primitives.ts';

export * from './hl7-program-words.ts';

const named = plainText(PROGRAM_TEXTS.hl7BasedProgramName.max, PROGRAM_TEXTS.hl7BasedProgramName.tooLong)
  .trim()
  .min(1, PROGRAM_TEXTS.hl7BasedProgramName.required);
const diagnosisCode = z
  .string()
  .max(20)
  .trim()
  .toUpperCase()
  .regex(DIAGNOSIS_PATTERN, 'Must be an ICD-10-CM code or its beginning, such as I50 or I50.9.');
const drgCode = z.string().regex(DRG_PATTERN, 'Must be a DRG of three digits, such as 291.');

const conditions = {
  admittingFacilityId: id.nullable(),
  admittingFacilityType: z.enum(FACILITY_TYPES).nullable(),
  diagnosesDefinition: z
    .object({
      codes: z.array(diagnosisCode).min(1, 'Enter at least one code.').max(MOST_DIAGNOSES),
      /** Only the first diagnosis counts: final before working before admitting, the principal one first. */
      principalOnly: z.boolean(),
    })
    .nullable(),
  drgCodes: z.array(drgCode).max(MOST_DRGS),
  payer: plainText(PROGRAM_TEXTS.payer.max).trim().min(1, 'Enter a payer, or leave it out.').nullable(),
  dischargeSetting: z.enum(SETTINGS).nullable(),
  dischargedTo: z.enum(DISCHARGE_DESTINATIONS).nullable(),
  /** In days; the day of discharge is the first. */
  validityPeriod: z.number().int().min(VALIDITY_LIMITS[0]).max(VALIDITY_LIMITS[1]),
};

const noConditions = { path: ['conditions'], message: NO_CONDITIONS };
export const programConditions = z.object(conditions).refine(hasConditions, noConditions);
export const programFields = z
  .object({ hl7BasedProgramName: named, ...conditions })
  .refine(hasConditions, noConditions);
export type ProgramFields = z.infer<typeof programFields>;
export const programChange = z
  .object({ hl7BasedProgramName: named, ...conditions, ...versionRead })
  .refine(hasConditions, noConditions);

/** A definition as patients' pages show it. The names of the fields are the specification's; `dischargedTo` is ours. */
export const programDefinition = z.object({
  hl7BasedProgramName: z.string(),
  admittingFacilityName: z.string().nullable(),
  admittingFacilityType: conditions.admittingFacilityType,
  diagnosesDefinition: z.object({ codes: z.array(z.string()), principalOnly: z.boolean() }).nullable(),
  drgCodes: z.array(z.string()),
  payer: z.string().nullable(),
  dischargeSetting: conditions.dischargeSetting,
  dischargedTo: conditions.dischargedTo,
  validityPeriod: z.number().int(),
});
export type ProgramDefinition = z.infer<typeof programDefinition>;

/** A definition as administrators edit it. */
export const adminProgram = programDefinition.extend({
  id,
  admittingFacilityId: id.nullable(),
  /** Changes whenever the definition changes. */
  version: z.string(),
});
export type AdminProgram = z.infer<typeof adminProgram>;

/** A program that the patient is in now. */
export const programOfMessages = z.object({
  id: derivedId,
  hl7BasedProgramName: z.string(),
  /** Of the stay that enrolled the patient. */
  admittingFacilityName: z.string().nullable(),
  /** The stay's first payer; null without canViewAllPatientDetails. */
  payer: z.string().nullable(),
  /** The last day. */
  validTo: instantOrDay.nullable(),
});
export type ProgramOfMessages = z.infer<typeof programOfMessages>;

/** The same with the definition, and the stay that enrolled the patient. */
export const programEnrollment = programOfMessages.extend({
  definition: programDefinition,
  /** The day of the discharge. */
  validFrom: day,
  encounterId: id,
  /** The stay's DRG, as sent. */
  drg: z.string().nullable(),
  /** The facility is subject to 42 CFR Part 2; the notice has to be shown. */
  isPart2: z.boolean(),
});
export type ProgramEnrollment = z.infer<typeof programEnrollment>;

export const facilityOption = z.object({
  id,
  name: z.string(),
  facilityType: z.enum(FACILITY_TYPES).nullable(),
  state: z.string().nullable(),
});
export type FacilityOption = z.infer<typeof facilityOption>;

/** Which of the team's present patients a definition would have enrolled. */
export const programPreview = z.object({
  /** The team's patients, and how many of them were looked at: a fixed part of more than 5,000. */
  people: z.number().int(),
  checked: z.number().int(),
  /** Enrolled today. */
  now: z.number().int(),
  /** Enrolled by a discharge in the past year, each patient once, and the discharges that would have enrolled them. */
  year: z.number().int(),
  discharges: z.number().int(),
  /** Discharges by month, the oldest first: the last twelve and the running one. */
  months: z.array(z.object({ month: z.string().regex(/^\d{4}-\d\d$/), discharges: z.number().int() })),
  /** The discharge of the first stay that is known of them; null if there is none. */
  firstDischargeAt: instant.nullable(),
  /** The discharge of the first stay with a DRG, and how many of the year's inpatient discharges have one; other visits have none. */
  firstDrgAt: instant.nullable(),
  withDrg: z.number().int(),
  inpatientDischarges: z.number().int(),
  /** First payers of the discharges that would have enrolled someone, the most frequent first; empty without canViewAllPatientDetails. */
  payers: z.array(z.object({ payer: z.string(), discharges: z.number().int() })),
  /** The latest of them. */
  examples: z.array(
    z.object({
      patientId,
      name: z.string(),
      dateOfBirth: day.nullable(),
      facilityName: z.string(),
      isPart2: z.boolean(),
      dischargedOn: day,
      drg: z.string().nullable(),
      validTo: day,
    }),
  ),
});
export type ProgramPreview = z.infer<typeof programPreview>;
