/** Cohorts: what a patient belongs to, and the people who look after the patient, as rosters list them. */
import { z } from 'zod';

/**
 * Names something that rosters name and that has no row of its own, such as a program or a care coordinator: 16 hexadecimal digits, the same
 * for the same name within an organization, whatever the patient (docs/decisions/0056).
 */
export const derivedId = z.string().regex(/^[0-9a-f]{16}$/, 'Must be 16 hexadecimal digits.');

export const COHORT_TYPES = ['HL7_PROGRAM', 'PROGRAM', 'PRACTICE', 'OWNING_ORG'] as const;

/** A program or practice, or the organization that lists the patient with it. An HL7 program is the organization's of the acting team. */
export const cohort = z.object({
  id: derivedId,
  /** The organization's cohort; null for an organization. */
  parentId: derivedId.nullable(),
  name: z.string(),
  type: z.enum(COHORT_TYPES),
  metaData: z.object({
    /** The state of the group that lists the patient. */
    state: z.string().nullable(),
    /** Of HL7 programs only, as are the other two. */
    admittingFacilityName: z.string().nullable(),
    payer: z.string().nullable(),
    validTo: z.string().nullable(),
  }),
});
export type Cohort = z.infer<typeof cohort>;

export const provider = z.object({
  id: derivedId,
  firstName: z.string(),
  lastName: z.string(),
  fullName: z.string(),
  npi: z.string().nullable(),
  telephone: z.string().nullable(),
});

export const providerDetails = provider.extend({
  title: z.string().nullable(),
  fax: z.string().nullable(),
  email: z.string().nullable(),
  /** An address for Direct secure messaging. */
  directMessage: z.string().nullable(),
  /** The practice, if the roster names one. */
  cohortId: derivedId.nullable(),
  /** In the roster's words, such as 'Primary care'. */
  providerType: z.string().nullable(),
});
export type ProviderDetails = z.infer<typeof providerDetails>;

export const careCoordinator = z.object({ id: derivedId, fullName: z.string(), telephone: z.string().nullable() });

export const careCoordinatorDetails = careCoordinator.extend({
  title: z.string().nullable(),
  fax: z.string().nullable(),
  email: z.string().nullable(),
  /** The program, or else the organization. */
  cohortId: derivedId,
  /** What to call about, in the roster's words, such as 'Admissions'. */
  eventType: z.string().nullable(),
});
export type CareCoordinatorDetails = z.infer<typeof careCoordinatorDetails>;

/** An insurance, in the words in which lists show it. */
export const insurancePlan = z.object({ id: derivedId, value: z.string() });

export const insurancePlanDetails = insurancePlan.extend({
  /** IN1-3; null for a plan that a roster lists. */
  insurerId: z.string().nullable(),
  /** The listing with the plan; null for a plan of a visit. */
  rosterPatientId: z.string().nullable(),
  /** The group that lists it no longer lists the patient. */
  canceled: z.boolean(),
  /** IN1-2.1 */
  code: z.string().nullable(),
  /** The company in the name that a roster of the team uses for it, if one does; otherwise as sent. */
  insuranceTranslatedName: z.string(),
  /** IN1-4, else IN1-3, or as the roster lists it. */
  insuranceCompanyName: z.string(),
  /** Whether it is `currentPayor`. */
  selected: z.boolean(),
  /** IN1-2.2 */
  insurancePlanName: z.string().nullable(),
  /** From 1: in the order of the visit's IN1 segments, then of the rosters. */
  insurancePlanOrder: z.number().int(),
  /** IN1-15, as sent. */
  type: z.string().nullable(),
  /** IN1-36 or IN1-49. */
  memberId: z.string().nullable(),
});
export type InsurancePlanDetails = z.infer<typeof insurancePlanDetails>;
