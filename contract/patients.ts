/** A patient as a team sees them: the merged listings of its groups, with an encounter and its pings. */
import { z } from 'zod';
import { careCoordinator, insurancePlan, provider } from './cohorts.ts';
import { SETTINGS } from './event-codes.ts';
import { GROUP_TYPES } from './groups.ts';
import { facility, ping, stayCard } from './pings.ts';
import { day, id, instantOrDay, patientId } from './primitives.ts';
import { riskExplanation } from './rising-risk.ts';
import { waiverStatus } from './waivers.ts';

export const diagnosis = z.object({
  synonym: z.string().nullable(),
  fullCode: z.string(),
  mainCode: z.string(),
  parentCode: z.string().nullable(),
});

export const encounter = z.object({
  id,
  admittingFacility: facility,
  status: z.enum(['PLANNED', 'IN_PROGRESS', 'ON_LEAVE', 'FINISHED', 'CANCELLED']),
  /** Of a canceled visit: it was planned, and nobody had arrived. */
  onlyPlanned: z.boolean().optional(),
  setting: z.enum(SETTINGS),
  attendingProvider: z.string().nullable(),
  admittedFrom: z.string().nullable(),
  dischargeTo: z.string().nullable(),
  dischargeDisposition: z.string().nullable(),
  pointOfCare: z.string().nullable(),
  room: z.string().nullable(),
  bed: z.string().nullable(),
  admitReason: z.string().nullable(),
  admittedDate: instantOrDay.nullable(),
  /** When an outpatient who was admitted later was registered. */
  registeredDate: instantOrDay.optional(),
  /** Of a series of outpatient visits under one number, which began on `admittedDate`: on how many days the patient was registered so far, and the last one. */
  series: z.object({ visits: z.number().int(), lastDate: instantOrDay }).optional(),
  /** Since when the patient was under observation before the admission as an inpatient. */
  observedFrom: instantOrDay.optional(),
  /** When the patient became an inpatient, if that was after `admittedDate`, or if the hospital changed the stay to observation or outpatient care later. */
  inpatientFrom: instantOrDay.optional(),
  /** Whether `admittedDate` is when the message arrived, because the sender gave no time that can be read or believed. */
  admissionDatedByReceipt: z.boolean(),
  dischargedDate: instantOrDay.nullable(),
  /** Of an open stay: its facility also sent a discharge whose disposition says that the patient is still there (PV1-36 30). */
  dischargeContradicted: z.boolean().optional(),
  /** Whole days since admission, counted by midnights at the facility, without those on leave; null if the admission is unknown, and for outpatients who were not admitted. */
  lengthOfStay: z.number().int().nullable(),
  /** Midnights on leave (A21 to A22), which `lengthOfStay` leaves out; null if that is. */
  leaveDays: z.number().int().nullable(),
  /**
   * Midnights as an inpatient, for Medicare's three-day rule (42 CFR 409.30): without time in the ED, under observation or on leave, with those of the
   * stay that a transfer continues. Null outside hospitals, or if unknown.
   */
  inpatientNights: z.number().int().nullable(),
  /** Set if `inpatientNights` includes those of an earlier stay: how many of them are this stay's own, and the admission of the first one. */
  nightsWithEarlierStay: z.object({ own: z.number().int(), since: day }).optional(),
  /** In words: '3 days', '5 hours'. */
  visitDuration: z.string().nullable(),
  /** Expected discharge: PV2-9, or else the admission plus PV2-10; null if the sender gave neither. */
  expectedDischargeDate: instantOrDay.nullable(),
  /** Whole days from admission to the expected discharge, counted like `lengthOfStay`; null also if that is before the admission. */
  expectedLengthOfStay: z.number().int().nullable(),
  diagnosis: diagnosis.nullable(),
  allEncounterDiagnoses: z.array(diagnosis),
  payors: z.array(z.string()),
  /** Of a stay at a skilled nursing facility; else NA. */
  threeDayWaiverStatus: waiverStatus,
  /** Whether the stay at a skilled nursing facility has no three inpatient nights before it, as far as the reader can see. */
  is3dWaiverEncounter: z.boolean(),
  /** The pings of this team's groups, newest first. Of a single patient's visit without any, such as one at an own facility: its events in the same form. */
  pings: z.array(ping),
});
export type Encounter = z.infer<typeof encounter>;

/** A listing of the person by one of the team's groups. */
export const listing = z.object({
  rosterPatientId: id,
  groupId: id,
  groupName: z.string(),
  /** A program's roster, or a facility's own record of the patient. */
  groupType: z.enum(GROUP_TYPES),
  /** On a program's roster the member ID, at a facility the record number. */
  memberId: z.string().nullable(),
  leftAt: instantOrDay.nullable(),
});

export const patient = z.object({
  id: patientId,
  firstName: z.string(),
  middleName: z.string().nullable(),
  lastName: z.string(),
  nameSuffix: z.string().nullable(),
  gender: z.enum(['Male', 'Female', 'Other', 'Unknown']),
  dateOfBirth: day.nullable(),
  /** Null without canViewAllPatientDetails, which phones, insurance and member ids also require. */
  address: z
    .object({
      address1: z.string().nullable(),
      address2: z.string().nullable(),
      city: z.string().nullable(),
      state: z.string().nullable(),
      zip: z.string().nullable(),
      homePhone: z.string().nullable(),
      mobilePhone: z.string().nullable(),
    })
    .nullable(),
  /** Whether the user may see these details on the selected team. */
  detailsVisible: z.boolean(),
  creatorGroupId: id,
  creatorGroupName: z.string(),
  listings: z.array(listing),
  programs: z.array(z.object({ name: z.string() })),
  practices: z.array(z.object({ name: z.string() })),
  providers: z.array(provider),
  careCoordinators: z.array(careCoordinator),
  patientTags: z.array(z.string()),
  insurancePlans: z.array(insurancePlan),
  /** ED visits in the last twelve months, and at how many emergency departments. */
  emergencyRoomVisitCount: z.number().int(),
  emergencyRoomCount: z.number().int(),
  encounterCounts: z.object({ emergency: z.number().int(), inpatient: z.number().int(), postAcute: z.number().int() }),
  /** Date of death, if reported. */
  deceasedDate: instantOrDay.nullable(),
  /** The date is that of the message that reported the death: no message says when the patient died. */
  isDeceasedDateReported: z.boolean().optional(),
  deceased: z.boolean(),
  /** The sender took the death back, or a later stay contradicts it: nobody should take it for a fact before they have asked the facility. */
  isDeathInDoubt: z.boolean().optional(),
  /** Null without canViewRisingRiskFlag. Counts are of the last six months. */
  risingRiskInfo: z
    .object({
      hasReadmission: z.boolean(),
      emergencyVisits: z.number().int(),
      inpatientStays: z.number().int(),
      multiVisitFlag: z.boolean(),
      risingRiskFlag: z.boolean(),
    })
    .nullable(),
  /** Why the person is on the list of rising risk. In lists with the filter `riskList` only. */
  risk: riskExplanation.optional(),
  /** For the current encounter: null if a condition is unknown, or if it is no stay at a skilled nursing facility. */
  is3dWaiverEligible: z.boolean().nullable(),
  /**
   * Other people on the team's lists with a similar name: check identifiers before acting. Filled for a single patient only. Pages ask
   * POST /api/patients/similar-names separately, so that rows don't wait for it.
   */
  similarPatients: z.array(
    z.object({
      id: patientId,
      name: z.string(),
      dateOfBirth: day.nullable(),
      /** A program's member ID, or a facility's record number (`groupType`). */
      memberId: z.string().nullable(),
      groupType: z.enum(GROUP_TYPES),
    }),
  ),
  /** Whether the patient can be opened at WISHIN Pulse and at Vynca. Set for a single patient only. */
  wishinPulseEnabled: z.boolean(),
  hasVynca: z.boolean(),
  /** In lists of patients and events: the event that the row is about, even if the team got no ping for it. */
  currentPing: ping.nullable(),
  currentPingEncounter: encounter.nullable(),
  /** Where the person is now, if that is in another stay, which began after the current encounter. */
  nowAt: z
    .object({
      facilityName: z.string(),
      timeZone: z.string(),
      setting: z.enum(SETTINGS),
      since: instantOrDay.nullable(),
    })
    .optional(),
  /** All pings of that encounter together; null if the team got none. */
  card: stayCard.nullable(),
  /**
   * Whether a visit that the user may read was at a 42 CFR Part 2 facility: reasons, counts and risks rest on all visits, so the row needs the notice.
   * Of a single patient any visit, in lists those of the last 13 months, which their rows rest on.
   */
  hasPart2Records: z.boolean(),
});
export type Patient = z.infer<typeof patient>;

/** A page of patients or pings. */
export const patientResults = z.object({
  patients: z.array(patient),
  total: z.number().int(),
  numPages: z.number().int(),
  /** The list is still being loaded: the page and all counts are from a part of it. Only for calls with `X-tidings-part: 1`. */
  isCounting: z.boolean().optional(),
});
export type PatientResults = z.infer<typeof patientResults>;
