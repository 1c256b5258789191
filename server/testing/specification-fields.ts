/**
 * The fields that the specification names for a patient and all that belongs to one, and where the contract has them. The test
 * beside it fails on one that is missing there or on no page, that of the demo region (`demo/flags.db.test.ts`) on one that is
 * never filled. docs/fields.md says where each comes from.
 */
import type { z } from 'zod';
import { careInstruction, careTeamRecord } from '#contract/care.ts';
import { careCoordinatorDetails, cohort, insurancePlanDetails, providerDetails } from '#contract/cohorts.ts';
import { encounterDetails, patientDetails } from '#contract/patient-details.ts';
import { managementStatusRecord, ping } from '#contract/pings.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** A name with dots is a field of a field; of a list, of each of its values. */
const DIAGNOSIS = ['synonym', 'fullCode', 'mainCode', 'parentCode'];
const of = (field: string, names: readonly string[]): string[] => [field, ...names.map((name) => `${field}.${name}`)];

export interface SpecifiedEntity {
  schema: z.ZodType;
  fields: readonly string[];
}

export const SPECIFICATION_FIELDS = {
  Patient: {
    schema: patientDetails,
    fields: [
      ...words(`id firstName middleName lastName nameSuffix gender dateOfBirth huFlag creatorGroupName creatorGroupId emergencyRoomCount
        emergencyRoomVisitCount currentPayor insurancePlans currentPing currentPingEncounter programs providers careCoordinators orgs practices
        cohorts patientTags disabled currentlyManaged attendingProvider admitInstructions dischargeInstructions wishinPulseEnabled
        is3dWaiverEligible hasVynca lastHospitalDischargeEncounter ccdExistsForAnyEncounter`),
      ...of(
        'address',
        words('address1 address2 address3 city state cityAndState zip standardizedZip homePhone mobilePhone'),
      ),
      ...of('patientHl7BasedProgramsInfo', words('id hl7BasedProgramName admittingFacilityName payer validTo')),
      ...of('phoneNumbers', words('groupName groupType phone updatedDate type currentOrganization')),
      ...of('admitCareInstructionForms', words('groupId instruction documentKey fileName')),
      ...of('dischargeCareInstructionForms', words('groupId instruction documentKey fileName')),
      ...of('encounterCounts', words('emergency inpatient postAcute')),
      ...of(
        'communityOfCare',
        words('numberOfProviders numberOfCareCoordinators numberOfPostAcuteFacilities totalSizeOfCommunity'),
      ),
      ...of('patientCarePlanInfo', words('organization programName')),
      ...of('covid19Info', words('flag expired mostRecentDate startDate')),
      ...of('copEvent', words('eventDate eventStatus facilityName')),
      ...of('risingRiskInfo', words('hasReadmission emergencyVisits inpatientStays multiVisitFlag risingRiskFlag')),
      // Kept, and not among the specification's names.
      ...words('careGaps advanceCareDocuments currentlyBillingAgencies links.agreement'),
    ],
  },
  Encounter: {
    schema: encounterDetails,
    fields: [
      ...words(`id pings attendingProvider dischargeTo dischargeDisposition setting admittedFrom admittedFromLocation visitDuration
        fullVisitDuration beginPing endPing encounterTags ccdUuid is3dWaiverEncounter threeDayWaiverStatus recentInpatientStay pointOfCare room
        bed lengthOfStay payors`),
      ...of('admittingFacility', words('id name type address isPart2Facility')),
      ...of(
        'potentialReadmissionTriggerInfo',
        words(
          'triggerEncounterId dischargeEventDate creatorGroupType creatorGroupName dischargeSetting triggerEncounterDiagnosis',
        ),
      ),
      ...of(
        'recentSnfStay',
        words(`endValidityDate triggerDate triggerEncounterGroupId triggerEncounterGroup triggerEncounterId triggerEncounterDiagnosis
          lastEventDate lastEventType`),
      ),
      ...of('diagnosis', DIAGNOSIS),
      ...of('allEncounterDiagnoses', DIAGNOSIS),
      // Kept, and not among the specification's names.
      ...words('allEncounterDiagnoses.type admissionType drg'),
    ],
  },
  'Ping or event': {
    schema: ping,
    fields:
      words(`id eventIdentifier eventDate createdDate entryDelay status state setting facility currentManagementStatus.status
      currentManagementStatus.username payor careCoordinators manual editable treatingProvider`),
  },
  'Management status record': {
    schema: managementStatusRecord,
    fields: words('id status resolutions username otherText date'),
  },
  'Insurance plan': {
    schema: insurancePlanDetails,
    fields:
      words(`id insurerId rosterPatientId canceled code insuranceTranslatedName insuranceCompanyName value selected insurancePlanName
      insurancePlanOrder type memberId`),
  },
  Cohort: {
    schema: cohort,
    fields: words(
      'id parentId name type metaData.state metaData.admittingFacilityName metaData.payer metaData.validTo',
    ),
  },
  Provider: {
    schema: providerDetails,
    fields: words('id firstName lastName fullName title npi telephone fax email directMessage cohortId providerType'),
  },
  'Care coordinator': {
    schema: careCoordinatorDetails,
    fields: words('id fullName telephone email fax cohortId eventType title'),
  },
  'Contact or care-team record': {
    schema: careTeamRecord,
    fields:
      words(`rosterPatientId organizationName program userCreatedDate contactName contactJobTitle contactPhone contactEmail contactFax
      content id modifiedAt`),
  },
  Instruction: { schema: careInstruction, fields: words('id instruction groupId instructionOrder') },
} as const satisfies Record<string, SpecifiedEntity>;
export type SpecifiedName = keyof typeof SPECIFICATION_FIELDS;
