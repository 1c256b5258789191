/**
 * A single patient: everything that lists leave out, so that a page of rows stays light. The names of the fields are the specification's;
 * docs/fields.md says where each comes from.
 */
import { z } from 'zod';
import { careInstruction, programOfPatient } from './care.ts';
import { careCoordinatorDetails, cohort, insurancePlanDetails, providerDetails } from './cohorts.ts';
import { EVENT_CODES, SETTINGS } from './event-codes.ts';
import { GROUP_TYPES } from './groups.ts';
import { programOfMessages } from './hl7-programs.ts';
import { diagnosis, encounter, patient } from './patients.ts';
import { ping } from './pings.ts';
import { day, id, instant, instantOrDay } from './primitives.ts';
import { AGREEMENTS, REVIEW_FIELDS } from './reviews.ts';

export const diagnosisDetails = diagnosis.extend({
  /** DG1-6: admitting, working or final; null if the sender does not say. */
  type: z.enum(['A', 'W', 'F']).nullable(),
  /** DG1-3.3 or DG1-3.6, such as I10. */
  codeSystem: z.string().nullable(),
  /** The day of the first message with this type. */
  since: day.optional(),
  /** The types that it had in the visit before, oldest first. */
  before: z.array(z.object({ type: z.enum(['A', 'W', 'F']), since: day })).optional(),
});
export type DiagnosisDetails = z.infer<typeof diagnosisDetails>;

/** An earlier stay because of which a visit has a flag. */
const stayBefore = z.object({
  triggerEncounterId: id,
  triggerEncounterGroupId: id,
  triggerEncounterGroup: z.string(),
  triggerEncounterDiagnosis: diagnosisDetails.nullable(),
  /** Of an inpatient stay the admission; of a stay in skilled nursing its end, null while the resident is on leave. */
  triggerDate: instantOrDay.nullable(),
  lastEventDate: instantOrDay.nullable(),
  lastEventType: z.enum(EVENT_CODES).nullable(),
});

export const encounterDetails = encounter.extend({
  diagnosis: diagnosisDetails.nullable(),
  allEncounterDiagnoses: z.array(diagnosisDetails),
  /** The facility that the patient came from: of the stay before this one in the same episode. */
  admittedFromLocation: z.string().nullable(),
  /** PV1-4, as sent. */
  admissionType: z.string().nullable(),
  /** DRG-1 or DG1-8, as sent. */
  drg: z.string().nullable(),
  /** The stay that this one would be a readmission after: of an inpatient stay by our estimate of CMS's measure, in the ED or under observation within 30 days. */
  potentialReadmissionTriggerInfo: z
    .object({
      triggerEncounterId: id,
      dischargeEventDate: instantOrDay.nullable(),
      creatorGroupType: z.enum(GROUP_TYPES),
      creatorGroupName: z.string(),
      dischargeSetting: z.enum(SETTINGS),
      triggerEncounterDiagnosis: diagnosisDetails.nullable(),
    })
    .nullable(),
  /** As `visitDuration`, of the whole episode: of the stays that follow each other without a night at home. */
  fullVisitDuration: z.string().nullable(),
  /** The ping that began the visit, and the one that ended it. */
  beginPing: ping.nullable(),
  endPing: ping.nullable(),
  encounterTags: z.array(z.enum(['MENTIONS_COVID_19'])),
  /** Documents do not come in yet. */
  ccdUuid: z.string().nullable(),
  recentInpatientStay: stayBefore.nullable(),
  recentSnfStay: stayBefore
    .extend({
      /** 30 days after the end of the stay; null while the resident is on leave. */
      endValidityDate: instant.nullable(),
    })
    .nullable(),
});
export type EncounterDetails = z.infer<typeof encounterDetails>;

const careInstructionForm = z.object({ groupId: id, instruction: z.string(), documentKey: id, fileName: z.string() });

export const patientDetails = patient.extend({
  address: patient.shape.address
    .unwrap()
    .extend({
      address3: z.string().nullable(),
      /** 'Alder Bay, NY' */
      cityAndState: z.string().nullable(),
      /** The five digits of the ZIP code. */
      standardizedZip: z.string().nullable(),
    })
    .nullable(),
  /** Hospital use: VALID if high now, EXPIRED if it was before (docs/events.md). */
  huFlag: z.enum(['VALID', 'EXPIRED']).nullable(),
  /** The first payer of the visit, else of the latest visit that has one, else the first insurance that a roster lists. */
  currentPayor: z.string().nullable(),
  insurancePlans: z.array(insurancePlanDetails),
  programs: z.array(cohort),
  practices: z.array(cohort),
  orgs: z.array(cohort),
  /** Organizations, programs and practices. */
  cohorts: z.array(cohort),
  providers: z.array(providerDetails),
  careCoordinators: z.array(careCoordinatorDetails),
  /** Set if the user may see the patient because of a ping alone: then only with the visit of the ping, and without the latest stay and notice. */
  onlyPing: z.boolean().optional(),
  /** No group of the team lists the patient any more. */
  disabled: z.boolean(),
  /** A program of the team lists the patient now, or the patient is at one of its facilities. */
  currentlyManaged: z.boolean(),
  /** Of the visit (PV1-7). */
  attendingProvider: z.string().nullable(),
  /** The programs that the patient is in now because of a discharge (docs/decisions/0095). */
  patientHl7BasedProgramsInfo: z.array(programOfMessages),
  /** As each group and facility has them, own groups first. */
  phoneNumbers: z.array(
    z.object({
      groupName: z.string(),
      groupType: z.enum(GROUP_TYPES),
      phone: z.string(),
      updatedDate: instant.nullable(),
      type: z.enum(['HOME', 'MOBILE', 'OTHER']),
      /** Whether the group is of the user's organization. */
      currentOrganization: z.boolean(),
    }),
  ),
  /** Empty without canViewCarePlans, as are the forms. */
  admitInstructions: z.array(careInstruction),
  dischargeInstructions: z.array(careInstruction),
  admitCareInstructionForms: z.array(careInstructionForm),
  dischargeCareInstructionForms: z.array(careInstructionForm),
  communityOfCare: z.object({
    numberOfProviders: z.number().int(),
    numberOfCareCoordinators: z.number().int(),
    numberOfPostAcuteFacilities: z.number().int(),
    totalSizeOfCommunity: z.number().int(),
  }),
  /** The programs that have a care plan for the patient. Empty without canViewCarePlans. */
  patientCarePlanInfo: z.array(programOfPatient),
  /** The hospital visit in the last 13 months that ended last. */
  lastHospitalDischargeEncounter: encounter.omit({ pings: true }).nullable(),
  /** Documents do not come in yet. */
  ccdExistsForAnyEncounter: z.boolean(),
  /** Of a patient entered by hand: the version that a correction replaces. Null for users who can't correct the patient. */
  entryVersion: z.string().nullable(),
  /** Null without canViewCovid19Status, and if no visit mentions COVID-19. */
  covid19Info: z
    .object({
      flag: z.boolean(),
      expired: z.boolean(),
      /** Of the visits that mention it: when the last one ended or is now, and when the first one began. */
      mostRecentDate: instantOrDay.nullable(),
      startDate: instantOrDay.nullable(),
    })
    .nullable(),
  /** With what the flags follow from: the unplanned acute visits of the organization's rule. */
  risingRiskInfo: patient.shape.risingRiskInfo
    .unwrap()
    .extend({
      unplannedVisits: z.object({
        /** How many in the rule's `days` until now, and the person's own average for as many days over the rest of the year. */
        days: z.number().int(),
        recent: z.number().int(),
        usual: z.number(),
        /** How many in the 180 days of multi-visit patients. */
        last180Days: z.number().int(),
      }),
    })
    .nullable(),
  /** The last notice that a hospital sent under the CMS condition of participation (42 CFR 482.24(d)). */
  copEvent: z
    .object({ eventDate: instantOrDay, eventStatus: z.enum(EVENT_CODES), facilityName: z.string() })
    .nullable(),
  /** From groups for which the user holds canViewCareGapsWorklistAlpha. */
  careGaps: z.array(z.string()),
  advanceCareDocuments: z.array(z.string()),
  currentlyBillingAgencies: z.array(z.string()),
  /** Why records of facilities that the user administers belong to this patient. Empty without canManageUsers. */
  links: z.array(
    z.object({
      groupId: id,
      groupName: z.string(),
      outcome: z.enum(['matched', 'review', 'new', 'merged', 'decided', 'undone']),
      /** Of the fields that were compared; null if a person decided. */
      agreement: z.record(z.enum(REVIEW_FIELDS), z.enum(AGREEMENTS)).nullable(),
      date: instant,
    }),
  ),
  currentPingEncounter: encounterDetails.nullable(),
});
export type PatientDetails = z.infer<typeof patientDetails>;
