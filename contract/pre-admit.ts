/** Held patients (pre-admit): people whom a facility expects, for 72 hours (docs/decisions/0083). */
import { z } from 'zod';
import { SETTINGS } from './event-codes.ts';
import { GENDERS, isLastFour, lastFourOfSsn, NOT_LAST_FOUR } from './pre-admit-words.ts';
import { day, id, instant, patientId, plainText, zipCode } from './primitives.ts';

export * from './pre-admit-words.ts';

export const heldPatient = z.object({
  id,
  groupId: id,
  groupName: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  gender: z.enum(GENDERS),
  dob: day,
  zip: z.string().nullable(),
  createdDate: instant,
  /** Whole hours until the hold ends, rounded up. */
  hoursLeft: z.number().int().min(0),
  /** The organizations that list the person; empty if the match is not automatic. */
  owningOrgNames: z.array(z.string()),
  /** The last four digits; null if none were given. */
  ssn: z.string().nullable(),
  /** As in the look-up: a facility whose visits may be shown reported the person as dead, and whether it took that back. */
  deceased: z.boolean(),
  isDeathInDoubt: z.boolean(),
});
export type HeldPatient = z.infer<typeof heldPatient>;

export const newHeldPatient = z
  .object({
    groupId: id,
    firstName: plainText(100).trim().min(1, 'Enter a first name.'),
    lastName: plainText(100).trim().min(1, 'Enter a last name.'),
    gender: z.enum(GENDERS),
    /** MM/DD/YYYY or YYYY-MM-DD. */
    dob: z.string().trim().max(10),
    zip: zipCode.nullish(),
    /** Four digits, or all nine, of which the last four are kept. */
    ssn: plainText(11)
      .trim()
      .transform(lastFourOfSsn)
      .refine((text) => text === '' || isLastFour(text), NOT_LAST_FOUR)
      .nullish(),
  })
  .strict();
export type NewHeldPatient = z.infer<typeof newHeldPatient>;

/** What the facility sees of the person while it holds them. */
export const heldLookUp = z.object({
  /** Whether the matcher is sure who it is, and something of them may be shown. If not, everything else is empty. */
  isMatched: z.boolean(),
  /** A facility whose visits may be shown reported the person as dead, on which day, and whether it took that back. */
  deceased: z.boolean(),
  deceasedDate: day.nullable(),
  isDeathInDoubt: z.boolean(),
  programs: z.array(z.object({ organization: z.string(), program: z.string() })),
  instructions: z.array(z.object({ organization: z.string(), instruction: z.string() })),
  careTeam: z.array(
    z.object({
      organization: z.string(),
      name: z.string(),
      title: z.string().nullable(),
      phone: z.string().nullable(),
    }),
  ),
  visits: z.array(
    z.object({
      facility: z.string(),
      isPart2Facility: z.boolean(),
      setting: z.enum(SETTINGS),
      admittedDate: instant.nullable(),
      dischargedDate: instant.nullable(),
      isOpen: z.boolean(),
    }),
  ),
});
export type HeldLookUp = z.infer<typeof heldLookUp>;

/** A hold that an admission ended. */
export const heldAdmission = z.object({
  id,
  groupName: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  dob: day,
  admittedDate: instant,
  /** The facility canceled the admission (A11). The hold is not back. */
  isCanceled: z.boolean(),
  /** The patient's page; null if the facility doesn't list the patient any more. */
  patientId: patientId.nullable(),
});
export type HeldAdmission = z.infer<typeof heldAdmission>;
