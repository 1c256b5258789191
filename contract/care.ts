/** Care-team records with their care plans, and instructions with their forms (docs/decisions/0055). */
import { z } from 'zod';
import { CARE_LIMITS, FORM_TYPES } from './care-limits.ts';
import { id, instant, longText, plainText } from './primitives.ts';

/** Records or instructions of a group about one patient. */
export const MOST_CARE_RECORDS = 50;

/** A person of a patient's care team, as a group entered them. The names of the fields are the specification's. */
export const careTeamRecord = z.object({
  id,
  /** The listing of the patient by the group that entered the record. */
  rosterPatientId: id,
  groupId: id,
  groupName: z.string(),
  organizationName: z.string(),
  program: z.string().nullable(),
  userCreatedDate: instant,
  contactName: z.string(),
  contactJobTitle: z.string().nullable(),
  contactPhone: z.string().nullable(),
  contactEmail: z.string().nullable(),
  contactFax: z.string().nullable(),
  /** The care plan. Null without canViewCarePlans for the group that wrote it, as for other groups. */
  content: z.string().nullable(),
  /** Whether there is a care plan, so that other teams know whom to ask. Null without canViewCarePlans. */
  hasCarePlan: z.boolean().nullable(),
  /** Whom to call first, by the group that entered the record. */
  isCalledFirst: z.boolean(),
  modifiedAt: instant,
  version: z.string(),
  /** Whether the user may change and end it. */
  editable: z.boolean(),
});
export type CareTeamRecord = z.infer<typeof careTeamRecord>;

/** A program that has enrolled the patient. The names of the fields are the specification's. */
export const programOfPatient = z.object({ organization: z.string(), programName: z.string() });
export type ProgramOfPatient = z.infer<typeof programOfPatient>;

/** A number that can be called, as people write it: with an extension, or none at all. */
const phone = plainText(CARE_LIMITS.phone)
  .trim()
  .refine((text) => text === '' || text.replace(/\D/g, '').length >= 7, 'Enter a phone number of at least 7 digits.');
const email = plainText(CARE_LIMITS.email)
  .trim()
  .refine((text) => text === '' || z.email().safeParse(text).success, 'Enter an email address.');

/** What a user enters. An absent field becomes empty, except for the care plan, which stays as it was. */
export const careTeamEntry = z.object({
  program: plainText(CARE_LIMITS.program).trim().nullish(),
  contactName: plainText(CARE_LIMITS.name).trim().min(1, 'Enter a name.'),
  contactJobTitle: plainText(CARE_LIMITS.title).trim().nullish(),
  contactPhone: phone.nullish(),
  contactEmail: email.nullish(),
  contactFax: phone.nullish(),
  content: longText(CARE_LIMITS.plan).trim().nullish(),
  isCalledFirst: z.boolean().default(false),
});
export type CareTeamEntry = z.infer<typeof careTeamEntry>;

/** The version that was read. A change that sends it back is refused if there is a newer one; without it, the change is made in any case. */
export const version = z.string().regex(/^\d{1,9}$/, 'Must be a version.');

export const INSTRUCTION_KINDS = ['ADMIT', 'DISCHARGE'] as const;

/** A file that belongs to an instruction. */
export const careForm = z.object({
  documentKey: id,
  fileName: z.string(),
  contentType: z.enum(FORM_TYPES),
  /** Bytes. */
  size: z.number().int(),
});

/** A care instruction. The first four fields are the specification's. */
export const careInstruction = z.object({
  id,
  instruction: z.string(),
  groupId: id,
  /** From 1, within the group. */
  instructionOrder: z.number().int(),
  groupName: z.string(),
  organizationName: z.string(),
  form: careForm.nullable(),
  modifiedAt: instant,
  version: z.string(),
  /** Whether the user may change and end it. */
  editable: z.boolean(),
});
export type CareInstruction = z.infer<typeof careInstruction>;

export const instructions = z.object({
  admitInstructions: z.array(careInstruction),
  dischargeInstructions: z.array(careInstruction),
});
export type Instructions = z.infer<typeof instructions>;

export const instructionText = longText(CARE_LIMITS.instruction).trim().min(1, 'Enter the instruction.');
