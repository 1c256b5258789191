import { isOpen } from '#contract/management-status.ts';
import type { PatientDetails } from '#contract/patient-details.ts';
import type { Encounter, Patient } from '#contract/patients.ts';
import type { Ping, StayCard } from '#contract/pings.ts';
import type { StoryEncounter } from '#contract/story.ts';

/** An invented ping: an admission with the status Unresolved. */
export const pingWith = (overrides: Partial<Ping> = {}): Ping => ({
  id: '31',
  eventIdentifier: '41',
  eventDate: '2026-11-21T15:42:00Z',
  createdDate: '2026-11-21T15:43:00Z',
  datedByReceipt: false,
  entryDelay: 1,
  late: false,
  status: 'ADMIT',
  state: 'ACTIVE',
  inferred: false,
  setting: 'INPATIENT',
  priorSetting: 'EMERGENCY',
  facility: {
    id: '7',
    name: 'Mercy General Hospital',
    type: 'HOS',
    facilityType: 'HOS',
    address: null,
    timeZone: 'America/New_York',
    isPart2Facility: false,
  },
  dischargedTo: null,
  admittedFrom: null,
  currentManagementStatus: {
    id: '0',
    status: 'NEW',
    resolutions: [],
    username: null,
    displayName: null,
    otherText: null,
    date: null,
  },
  payor: 'Medicare',
  careCoordinators: [],
  manual: false,
  editable: false,
  treatingProvider: null,
  reason: { code: 'READMISSION', label: 'Readmitted 12 days after discharge on 11/08/2026', severity: 'caution' },
  ...overrides,
});

/** The visit of an invented ping. */
export const encounterWith = (ping: Ping): Encounter => ({
  id: '2',
  admittingFacility: ping.facility,
  status: 'IN_PROGRESS',
  setting: 'INPATIENT',
  attendingProvider: 'Ama Osei',
  admittedFrom: null,
  dischargeTo: null,
  dischargeDisposition: null,
  pointOfCare: '4 West',
  room: '412',
  bed: 'A',
  admitReason: null,
  admittedDate: ping.eventDate,
  admissionDatedByReceipt: false,
  dischargedDate: null,
  lengthOfStay: 0,
  leaveDays: 0,
  inpatientNights: 0,
  visitDuration: '2 hours',
  expectedDischargeDate: null,
  expectedLengthOfStay: null,
  diagnosis: null,
  allEncounterDiagnoses: [],
  payors: ['Medicare'],
  threeDayWaiverStatus: 'NA',
  is3dWaiverEncounter: false,
  pings: [ping],
});

/** An invented visit as a story has it. */
export const visitWith = (overrides: Partial<StoryEncounter> = {}): StoryEncounter => {
  const ping = pingWith();
  const id = overrides.id ?? '2';
  return {
    ...encounterWith(ping),
    diagnosis: null,
    allEncounterDiagnoses: [],
    admittedFromLocation: null,
    admissionType: null,
    drg: null,
    potentialReadmissionTriggerInfo: null,
    fullVisitDuration: null,
    beginPing: ping,
    endPing: null,
    encounterTags: [],
    ccdUuid: null,
    recentInpatientStay: null,
    recentSnfStay: null,
    kind: 'INPATIENT',
    events: [ping],
    episodeId: id,
    gapBefore: null,
    ...overrides,
  };
};

/** An invented patient who has just been admitted. */
export const patientWith = (overrides: Partial<Patient> = {}): Patient => {
  const ping = overrides.currentPing ?? pingWith();
  return {
    id: '1_2',
    firstName: 'Adaeze',
    middleName: null,
    lastName: 'Okonkwo-Reyes',
    nameSuffix: null,
    gender: 'Female',
    dateOfBirth: '1941-03-14',
    address: null,
    detailsVisible: true,
    creatorGroupId: '3',
    creatorGroupName: 'Lakeshore ACO',
    listings: [
      {
        rosterPatientId: '1',
        groupId: '3',
        groupName: 'Lakeshore ACO',
        groupType: 'PROGRAM',
        memberId: '004418273',
        leftAt: null,
      },
    ],
    programs: [{ name: 'ACO REACH' }],
    practices: [],
    providers: [],
    careCoordinators: [],
    patientTags: [],
    insurancePlans: [],
    emergencyRoomVisitCount: 0,
    emergencyRoomCount: 0,
    risingRiskInfo: null,
    encounterCounts: { emergency: 0, inpatient: 1, postAcute: 0 },
    hasPart2Records: false,
    deceasedDate: null,
    deceased: false,
    is3dWaiverEligible: null,
    similarPatients: [],
    wishinPulseEnabled: false,
    hasVynca: false,
    currentPing: ping,
    currentPingEncounter: encounterWith(ping),
    card: cardWith(overrides.currentPingEncounter?.pings ?? [ping]),
    ...overrides,
  };
};

/** The card of a stay with these pings, newest first. The newest is the headline. */
export const cardWith = (pings: readonly Ping[], overrides: Partial<StayCard> = {}): StayCard => ({
  status: pings[0]?.currentManagementStatus.status ?? 'NEW',
  headline: { eventIdentifier: pings[0]?.eventIdentifier ?? '', reason: pings[0]?.reason ?? null },
  otherReasons: [],
  open: pings
    .filter(({ currentManagementStatus: { status } }) => isOpen(status))
    .map(({ eventIdentifier, currentManagementStatus: { id } }) => ({ eventIdentifier, statusId: id })),
  unread: [],
  reopened: null,
  abilities: {
    change: true,
    resolutions: ['CONTACTED_PATIENT', 'CONTACTED_FACILITY', 'SCHEDULED_FOLLOWUP', 'NO_ACTION_NEEDED', 'OTHER'],
  },
  work: { version: '0', owner: null, waiting: null },
  ...overrides,
});

/** The same patient with all details. */
export const detailsWith = (overrides: Partial<PatientDetails> = {}): PatientDetails => ({
  ...patientWith(),
  address: null,
  huFlag: null,
  currentPayor: null,
  insurancePlans: [],
  programs: [],
  practices: [],
  orgs: [],
  cohorts: [],
  providers: [],
  careCoordinators: [],
  disabled: false,
  currentlyManaged: true,
  attendingProvider: null,
  patientHl7BasedProgramsInfo: [],
  phoneNumbers: [],
  admitInstructions: [],
  dischargeInstructions: [],
  admitCareInstructionForms: [],
  dischargeCareInstructionForms: [],
  communityOfCare: {
    numberOfProviders: 0,
    numberOfCareCoordinators: 0,
    numberOfPostAcuteFacilities: 0,
    totalSizeOfCommunity: 0,
  },
  patientCarePlanInfo: [],
  lastHospitalDischargeEncounter: null,
  ccdExistsForAnyEncounter: false,
  entryVersion: null,
  covid19Info: null,
  copEvent: null,
  risingRiskInfo: null,
  careGaps: [],
  advanceCareDocuments: [],
  currentlyBillingAgencies: [],
  links: [],
  currentPingEncounter: null,
  ...overrides,
});
